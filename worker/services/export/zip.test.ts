import { crc32 as nodeCrc32 } from 'node:zlib'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { crc32 } from '../../../contract/crc32.ts'
import { createNames } from './names.ts'
import { writeZip, type ZipEntry } from './zip.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const modified = new Date('2026-05-01T10:30:00Z')
const entry = (name: string, text: string, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, modified, bytes: [bytesOf(text)], ...more })

async function written(entries: Iterable<ZipEntry>): Promise<Uint8Array> {
  const chunks = []
  for await (const chunk of writeZip(entries)) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

describe('CRC-32', () => {
  test.each([0, 1, 7, 8, 9, 63, 1_000, 65_537])('crc32 of %i bytes equals that of zlib, at once or in pieces', (length) => {
    const bytes = new Uint8Array(length).map((_, i) => (i * 31 + (i >> 3)) & 0xff)
    expect(crc32(bytes)).toBe(nodeCrc32(bytes))
    const half = Math.floor(length / 3)
    expect(crc32(bytes.subarray(half), crc32(bytes.subarray(0, half)))).toBe(nodeCrc32(bytes))
  })
})

describe('ZIP files', () => {
  test('a ZIP with Unicode names and empty files is read by another program', async () => {
    const zip = unzipSync(await written([entry('a/京都.txt', 'moss'), entry('empty', ''), entry('known.txt', 'seven b', { size: 7 })]))
    expect(Object.fromEntries(Object.entries(zip).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]))).toEqual({
      'a/京都.txt': 'moss',
      empty: '',
      'known.txt': 'seven b',
    })
  })

  test('a ZIP without files is valid', async () => {
    expect(unzipSync(await written([]))).toEqual({})
  })

  test('a ZIP of more than 65,535 files is valid', async () => {
    const count = 70_000
    const zip = unzipSync(await written(Array.from({ length: count }, (_, i) => entry(`f${i}`, i === count - 1 ? 'last' : ''))))
    expect(Object.keys(zip)).toHaveLength(count)
    expect(new TextDecoder().decode(zip[`f${count - 1}`])).toBe('last')
  })

  test('writeZip throws if an entry is not as long as declared', async () => {
    await expect(written([entry('a', 'four', { size: 5 })])).rejects.toThrow('a has 4 bytes, not 5')
  })

  test('a ZIP above 4 GiB has its sizes in ZIP64 fields', async () => {
    const piece = new Uint8Array(64 * 1024 * 1024)
    const pieces = 65
    const size = piece.length * pieces
    const large = { name: 'film.mp4', modified, size, bytes: Array.from({ length: pieces }, () => piece) }
    let at = 0
    const starts: Uint8Array[] = []
    const small: Uint8Array[] = []
    for await (const chunk of writeZip([large, entry('after.txt', 'behind it')])) {
      if (at === 0) starts.push(chunk)
      if (chunk !== piece) small.push(chunk)
      at += chunk.length
    }
    const tail = Buffer.concat(small)
    const local = Buffer.from(starts[0] ?? [])
    expect([local.readUInt16LE(4), local.readUInt32LE(18), local.readUInt32LE(22)]).toEqual([45, 0xffffffff, 0xffffffff])
    const directory = tail.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    const extra = directory + 46 + 'film.mp4'.length
    expect([tail.readUInt16LE(extra), tail.readBigUInt64LE(extra + 4), tail.readBigUInt64LE(extra + 12)]).toEqual([
      1,
      BigInt(size),
      BigInt(size),
    ])
    const end64 = tail.indexOf(Buffer.from([0x50, 0x4b, 6, 6]))
    expect(tail.readBigUInt64LE(end64 + 24)).toBe(2n)
    const [length, start] = [tail.readBigUInt64LE(end64 + 40), tail.readBigUInt64LE(end64 + 48)]
    const locator = tail.indexOf(Buffer.from([0x50, 0x4b, 6, 7]))
    expect(tail.readBigUInt64LE(locator + 8)).toBe(start + length)
    expect(BigInt(at)).toBe(start + length + 56n + 20n + 22n)
  }, 120_000)
})

describe('names in an archive', () => {
  const named = (
    ...files: [name: string, date?: string | null, precision?: 'minute' | 'day' | 'month' | 'year' | 'unknown', zone?: string][]
  ) => {
    const nameOf = createNames()
    return files.map(([name, date = null, date_precision = date ? 'minute' : 'unknown', date_zone = 'UTC']) =>
      nameOf({ name, date, date_zone, date_precision }).replace('originals/', ''),
    )
  }

  test('a name begins with the known part of the date in its time zone', () => {
    const late = '2026-05-01T22:30:00Z'
    expect(
      named(['a.jpg', late, 'minute', 'Asia/Tokyo'], ['a.jpg', late, 'day'], ['a.jpg', late, 'month'], ['a.jpg', late, 'year'], ['a.jpg']),
    ).toEqual(['2026-05-02 a.jpg', '2026-05-01 a.jpg', '2026-05 a.jpg', '2026 a.jpg', 'a.jpg'])
  })

  test('names that collide without regard to case and normalisation are numbered', () => {
    expect(named(['a.jpg'], ['A.JPG'], ['a (2).jpg'], ['a.jpg'], ['e\u0301.png'], ['é.png'])).toEqual([
      'a.jpg',
      'A (2).JPG',
      'a (2) (2).jpg',
      'a (3).jpg',
      'e\u0301.png',
      'é (2).png',
    ])
  })

  test.each([
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\Windows\\x.dll', 'C__Windows_x.dll'],
    ['\u202egpj.exe', '_gpj.exe'],
    ['nul.txt', '_nul.txt'],
    ['AUX', '_AUX'],
    ['com¹.log', '_com¹.log'],
    ['con .txt', '_con .txt'],
    ['12" <vinyl>|?*.flac', '12_ _vinyl____.flac'],
    ['ends. . ', 'ends'],
    ['...', 'file'],
    ['x\u0000y', 'x_y'],
  ])('the name %j cannot leave the archive folder, and every system can save it', (name, expected) => {
    expect(named([name])).toEqual([expected])
  })

  test('a long name is shortened to 255 bytes and keeps its extension', () => {
    const [name = ''] = named([`${'京'.repeat(250)}.jpeg`, '2026-05-01T10:00:00Z'])
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255)
    expect(name).toMatch(/^2026-05-01 京+\.jpeg$/)
    expect(named([`${'x'.repeat(198)}. ${'y'.repeat(50)}`])).toEqual(['x'.repeat(198)])
  })
})
