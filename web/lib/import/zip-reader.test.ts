import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { crc32 } from '../../../contract/crc32.ts'
import { zipOf } from '../../../tests/support/archives.ts'
import { writeZip } from '../../../worker/services/export/zip.ts'
import { UnreadableError } from './types.ts'
import { readZip } from './zip-reader.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function contents(zip: Uint8Array<ArrayBuffer>) {
  const { files, refused } = await readZip(new Blob([zip]))
  const read = await Promise.all(files.map(async ({ path, open }) => [path, await (await open()).text()] as const))
  return { files: Object.fromEntries(read), refused }
}

/** Changes one number in the directory, which is at the end. */
function altered(zip: Uint8Array<ArrayBuffer>, field: number, value: number, width: 2 | 4): Uint8Array<ArrayBuffer> {
  const at = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const view = new DataView(zip.buffer)
  if (width === 2) view.setUint16(at + field, value, true)
  else view.setUint32(at + field, value, true)
  return zip
}

/** Replaces a name in the archive by other bytes, in the directory and before the file. */
function renamed(zip: Uint8Array<ArrayBuffer>, from: string, to: Uint8Array): Uint8Array<ArrayBuffer> {
  const found = Buffer.from(zip.buffer)
  for (let at = found.indexOf(from); at >= 0; at = found.indexOf(from, at + 1)) zip.set(to, at)
  return zip
}

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

/** An extra field of numbers, least byte first. */
function numbers(...fields: [width: 1 | 4 | 8, value: number][]): Uint8Array {
  return Buffer.concat(
    fields.map(([width, value]) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(BigInt(value))
      return bytes.subarray(0, width)
    }),
  )
}

describe('File names in a ZIP', () => {
  const names = async (zip: Uint8Array<ArrayBuffer>) => Object.keys((await contents(zip)).files)

  test('A name with the UTF-8 flag is read as UTF-8', async () => {
    expect(await names(zipOf({ 'Zürich/京都.jpg': 'x' }))).toEqual(['Zürich/京都.jpg'])
  })

  test('A name with UTF-8 bytes and no flag is read as UTF-8', async () => {
    expect(await names(altered(zipOf({ 'Zürich.jpg': 'x' }), 8, 0, 2))).toEqual(['Zürich.jpg'])
  })

  test('A name in the DOS code page is read as CP437', async () => {
    expect(await names(renamed(zipOf({ 'Z_rich.jpg': 'x' }), 'Z_rich', latin1('Z\x81rich')))).toEqual(['Zürich.jpg'])
  })

  test('A name of Russian words is read as CP866, and umlauts in words are not', async () => {
    const read = async (bytes: string) =>
      (await names(renamed(zipOf({ ['_'.repeat(bytes.length)]: 'x' }), '_'.repeat(bytes.length), latin1(bytes))))[0]
    expect(await read('\x8f\xe0\xa8\xa2\xa5\xe2 2024.jpg')).toBe('Привет 2024.jpg')
    expect(await read('M\x81ller Gr\x81\xe1e.jpg')).toBe('Müller Grüße.jpg')
    expect(await read('\x8erger \x81ber.jpg')).toBe('Ärger über.jpg')
    expect(await read('Caf\x82.jpg')).toBe('Café.jpg')
  })

  test('A name is read from the Unicode path field if there is one', async () => {
    const old = 'Ky_to.jpg'
    const field = Buffer.concat([numbers([1, 1], [4, crc32(bytes(old))]), strToU8('Kyōto.jpg')])
    expect(await names(zipSync({ [old]: [bytes('x'), { extra: { 28789: field } }] }))).toEqual(['Kyōto.jpg'])
  })

  test('A name is read unchanged if the Unicode path field belongs to another name', async () => {
    const field = Buffer.concat([numbers([1, 1], [4, crc32(bytes('other.jpg'))]), strToU8('Kyōto.jpg')])
    expect(await names(zipSync({ 'new.jpg': [bytes('x'), { extra: { 28789: field } }] }))).toEqual(['new.jpg'])
  })
})

describe('ZIP reader', () => {
  test('A ZIP of another program is read, compressed or not, with folders and Unicode', async () => {
    const zip = zipOf({ 'a/京都.txt': 'moss '.repeat(100), 'b.jpg': bytes('jpeg'), 'empty.txt': '' })
    expect(await contents(zip)).toEqual({ files: { 'a/京都.txt': 'moss '.repeat(100), 'b.jpg': 'jpeg', 'empty.txt': '' }, refused: [] })
  })

  test('A ZIP of our own is read, even with other bytes before it', async () => {
    const chunks: Uint8Array<ArrayBuffer>[] = [bytes('#!/bin/sh\n')]
    for await (const chunk of writeZip([{ name: 'x/é.txt', modified: new Date(), bytes: [bytes('hello')] }]))
      chunks.push(new Uint8Array(chunk))
    expect(await contents(new Uint8Array(await new Blob(chunks).arrayBuffer()))).toEqual({ files: { 'x/é.txt': 'hello' }, refused: [] })
  })

  test('A ZIP with more files than the old fields can count is read', async () => {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    const entries = Array.from({ length: 66_000 }, (_, i) => ({ name: `f${i}`, modified: new Date(0), bytes: [] }))
    for await (const chunk of writeZip(entries)) chunks.push(new Uint8Array(chunk))
    expect((await readZip(new Blob(chunks))).files).toHaveLength(66_000)
  })

  test('A ZIP with 64-bit sizes is read', async () => {
    const zip = zipSync({ 'a.txt': [bytes('hello'), { level: 0, extra: { 1: numbers([8, 5], [8, 5]) } }] })
    expect(await contents(altered(altered(zip, 20, 0xffffffff, 4), 24, 0xffffffff, 4))).toEqual({
      files: { 'a.txt': 'hello' },
      refused: [],
    })
  })

  test('Files that operating systems add to a ZIP are left out', async () => {
    const zip = zipOf({ '__MACOSX/._a.jpg': 'x', 'a/.DS_Store': 'x', 'Thumbs.db': 'x', 'a/b.jpg': 'x' })
    expect(Object.keys((await contents(zip)).files)).toEqual(['a/b.jpg'])
  })

  test.each(['../evil.jpg', 'a/../../evil.jpg', '/etc/passwd', 'C:\\evil.jpg', '..\\evil.jpg'])(
    'An entry named %j is refused, and the others are read',
    async (name) => {
      const { files, refused } = await contents(zipOf({ [name]: 'x', 'good.jpg': 'y' }))
      expect(files).toEqual({ 'good.jpg': 'y' })
      expect(refused).toEqual([{ name, reason: 'Its name leads out of the archive' }])
    },
  )

  test('Encrypted, linked and otherwise compressed entries are refused, each with its reason', async () => {
    const zip = () => zipOf({ 'a.jpg': 'x' })
    const reason = async (changed: Uint8Array<ArrayBuffer>) => (await contents(changed)).refused[0]?.reason
    expect(await reason(altered(zip(), 8, 1, 2))).toContain('password')
    expect(await reason(altered(zip(), 10, 14, 2))).toContain('cannot read')
    expect(await reason(altered(altered(zip(), 4, 0x0314, 2), 38, 0xa1ff0000, 4))).toContain('link')
  })

  test('An entry never unpacks to more bytes than the directory says', async () => {
    const zip = altered(zipOf({ 'bomb.txt': 'a'.repeat(100_000) }), 24, 10, 4)
    const { files } = await readZip(new Blob([zip]))
    await expect(files[0]?.open()).rejects.toThrow('damaged')
  })

  test.each([0, 6] as const)(
    'An entry of other bytes than its checksum says is refused, and the others are read (level %i)',
    async (level) => {
      const { files } = await readZip(new Blob([altered(zipOf({ 'a.txt': 'Hello world', 'b.txt': 'good' }, { level }), 16, 5, 4)]))
      await expect(files[0]?.open()).rejects.toThrow(new UnreadableError('The archive is damaged here'))
      expect(await (await files[1]?.open())?.text()).toBe('good')
    },
  )

  test('An entry that is a ZIP bomb by its directory is refused', async () => {
    const zip = altered(zipOf({ 'bomb.bin': 'a'.repeat(100_000) }), 24, 4_000_000_000, 4)
    expect((await contents(zip)).refused[0]?.reason).toContain('fill a disk')
  })

  test('An entry that claims the bytes of another one is refused', async () => {
    const zip = zipOf({ 'a.txt': 'x'.repeat(50), 'b.txt': 'y' }, { level: 0 })
    const first = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    const second = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 1, 2]), first + 4)
    new DataView(zip.buffer).setUint32(second + 42, 0, true)
    expect((await contents(zip)).refused.map(({ reason }) => reason)).toEqual([
      'The archive is damaged here: two files claim the same bytes',
    ])
  })

  test.each([
    ['is no ZIP', bytes('just some text')],
    ['is empty', new Uint8Array()],
    ['is cut off', zipOf({ 'a.txt': 'x'.repeat(1000) }).slice(0, 80)],
  ])('A file that %s throws UnreadableError', async (_, broken) => {
    await expect(readZip(new Blob([broken]))).rejects.toThrow(UnreadableError)
  })

  test('A ZIP whose directory is not at the offset it claims is read', async () => {
    const zip = zipOf({ 'a.txt': 'x' })
    new DataView(zip.buffer).setUint32(zip.length - 6, 5_000, true)
    expect(await contents(zip)).toEqual({ files: { 'a.txt': 'x' }, refused: [] })
  })

  test('A ZIP without its beginning gives the remaining files', async () => {
    const zip = zipOf({ 'a.txt': 'x', 'b.txt': 'y'.repeat(1000) })
    expect(await contents(zip.slice(20))).toEqual({
      files: { 'b.txt': 'y'.repeat(1000) },
      refused: [{ name: 'a.txt', reason: 'The archive is damaged here' }],
    })
  })

  test('A ZIP with a damaged directory is refused with the reason', async () => {
    const zip = zipOf({ 'a.txt': 'x', 'b.txt': 'y' })
    await expect(readZip(new Blob([altered(zip, 28, 2_000, 2)]))).rejects.toThrow('directory of this ZIP is damaged')
  })

  test('One part of a split ZIP is refused with the reason', async () => {
    const zip = zipOf({ 'a.txt': 'x' })
    new DataView(zip.buffer).setUint16(zip.length - 18, 1, true)
    await expect(readZip(new Blob([zip]))).rejects.toThrow('part of a split ZIP')
  })

  test('A ZIP of any size is read by its directory only', async () => {
    const zip = new Blob([zipOf({ 'a.jpg': new Uint8Array(20_000_000) })])
    let read = 0
    const counted = Object.assign(zip, {
      slice(start: number, end: number) {
        read += end - start
        return Blob.prototype.slice.call(zip, start, end)
      },
    })
    await readZip(counted)
    expect(read).toBeLessThan(200_000)
  })
})
