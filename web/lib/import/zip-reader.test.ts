import { describe, expect, test } from 'vitest'
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

/** Changes one number in the directory, which stands at the end. */
function altered(zip: Uint8Array<ArrayBuffer>, field: number, value: number, width: 2 | 4): Uint8Array<ArrayBuffer> {
  const at = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const view = new DataView(zip.buffer)
  if (width === 2) view.setUint16(at + field, value, true)
  else view.setUint32(at + field, value, true)
  return zip
}

describe('a ZIP', () => {
  test('of another program is read, packed or not, with folders and Unicode', async () => {
    const zip = zipOf({ 'a/京都.txt': 'moss '.repeat(100), 'b.jpg': bytes('jpeg'), 'empty.txt': '' })
    expect(await contents(zip)).toEqual({ files: { 'a/京都.txt': 'moss '.repeat(100), 'b.jpg': 'jpeg', 'empty.txt': '' }, refused: [] })
  })

  test('of our own is read, with what stands before it', async () => {
    const chunks: Uint8Array<ArrayBuffer>[] = [bytes('#!/bin/sh\n')]
    for await (const chunk of writeZip([{ name: 'x/é.txt', modified: new Date(), bytes: [bytes('hello')] }]))
      chunks.push(new Uint8Array(chunk))
    expect(await contents(new Uint8Array(await new Blob(chunks).arrayBuffer()))).toEqual({ files: { 'x/é.txt': 'hello' }, refused: [] })
  })

  test('with more files than the old fields can count is read', async () => {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    const entries = Array.from({ length: 66_000 }, (_, i) => ({ name: `f${i}`, modified: new Date(0), bytes: [] }))
    for await (const chunk of writeZip(entries)) chunks.push(new Uint8Array(chunk))
    expect((await readZip(new Blob(chunks))).files).toHaveLength(66_000)
  })

  test('leaves out what systems put into it for themselves', async () => {
    const zip = zipOf({ '__MACOSX/._a.jpg': 'x', 'a/.DS_Store': 'x', 'Thumbs.db': 'x', 'a/b.jpg': 'x' })
    expect(Object.keys((await contents(zip)).files)).toEqual(['a/b.jpg'])
  })

  test.each(['../evil.jpg', 'a/../../evil.jpg', '/etc/passwd', 'C:\\evil.jpg', '..\\evil.jpg'])(
    'refuses %j, and takes the rest',
    async (name) => {
      const { files, refused } = await contents(zipOf({ [name]: 'x', 'good.jpg': 'y' }))
      expect(files).toEqual({ 'good.jpg': 'y' })
      expect(refused).toEqual([{ name, reason: 'Its name leads out of the archive' }])
    },
  )

  test('refuses what is locked, linked or packed in another way, each with its reason', async () => {
    const zip = () => zipOf({ 'a.jpg': 'x' })
    const reason = async (changed: Uint8Array<ArrayBuffer>) => (await contents(changed)).refused[0]?.reason
    expect(await reason(altered(zip(), 8, 1, 2))).toContain('password')
    expect(await reason(altered(zip(), 10, 14, 2))).toContain('cannot read')
    expect(await reason(altered(altered(zip(), 4, 0x0314, 2), 38, 0xa1ff0000, 4))).toContain('link')
  })

  test('never gives more than its directory says', async () => {
    const zip = altered(zipOf({ 'bomb.txt': 'a'.repeat(100_000) }), 24, 10, 4)
    const { files } = await readZip(new Blob([zip]))
    await expect(files[0]?.open()).rejects.toThrow('damaged')
  })

  test('that is a bomb by its own words is refused', async () => {
    const zip = altered(zipOf({ 'bomb.bin': 'a'.repeat(100_000) }), 24, 4_000_000_000, 4)
    expect((await contents(zip)).refused[0]?.reason).toContain('fill a disk')
  })

  test('whose files claim the same bytes is refused', async () => {
    const zip = zipOf({ 'a.txt': 'x'.repeat(50), 'b.txt': 'y' }, { level: 0 })
    const first = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    const second = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 1, 2]), first + 4)
    new DataView(zip.buffer).setUint32(second + 42, 0, true)
    expect((await contents(zip)).refused.map(({ reason }) => reason)).toEqual([
      'The archive is damaged here: two files claim the same bytes',
    ])
  })

  test.each([
    ['is none', bytes('just some text')],
    ['is empty', new Uint8Array()],
    ['is cut off', zipOf({ 'a.txt': 'x'.repeat(1000) }).slice(0, 80)],
  ])('that %s says so', async (_, broken) => {
    await expect(readZip(new Blob([broken]))).rejects.toThrow(UnreadableError)
  })

  test('whose directory points behind its end says so', async () => {
    const zip = zipOf({ 'a.txt': 'x' })
    new DataView(zip.buffer).setUint32(zip.length - 6, 5_000, true)
    await expect(readZip(new Blob([zip]))).rejects.toThrow('cut off')
  })
})
