import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { type Packed, takeoutSidecar, tgzOf, zipOf } from '../../../tests/support/archives.ts'
import { options, photo } from '../../../tests/support/plan-import.ts'
import { planImport } from './plan.ts'
import { readTar } from './tar-reader.ts'
import { UnreadableError } from './types.ts'

async function contents(tar: Uint8Array<ArrayBuffer>) {
  const { files, refused } = await readTar(new Blob([tar]), options)
  const read = await Promise.all(files.map(async ({ path, open }) => [path, await (await open()).text()] as const))
  return { files: Object.fromEntries(read), refused }
}

const plain = (files: Packed) => new Uint8Array(gunzipSync(tgzOf(files)))
const archive = (name: string, bytes: Uint8Array<ArrayBuffer>) => ({ path: name, file: new File([bytes], name) })

describe('TAR reader', () => {
  test('A .tgz and a .tar are read, with folders, empty files, long names and Unicode', async () => {
    const long = `${'deep/'.repeat(40)}a.jpg`
    const files = { 'a/b.txt': 'moss '.repeat(300), 'empty.txt': '', 'Zürich/京都.jpg': 'jpeg', [long]: 'far', 'folder/': '' }
    const { 'folder/': _, ...expected } = files
    expect(await contents(tgzOf(files))).toEqual({ files: expected, refused: [] })
    expect(await contents(plain(files))).toEqual({ files: expected, refused: [] })
  })

  test('Many small files are read', async () => {
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}.json`, `${i}`.repeat(i)]))
    expect((await contents(tgzOf(files))).files).toEqual(files)
  })

  test('Names that lead out of the archive and links are refused, and the others are read', async () => {
    expect(await contents(tgzOf({ '../evil.jpg': 'x', '/etc/passwd': 'x', 'good.jpg': 'y' }))).toEqual({
      files: { 'good.jpg': 'y' },
      refused: ['../evil.jpg', '/etc/passwd'].map((name) => ({ name, reason: 'Its name leads out of the archive' })),
    })
    expect((await contents(tgzOf({ 'a.jpg': '' }, { type: '2' }))).refused).toEqual([{ name: 'a.jpg', reason: 'It is a link, not a file' }])
  })

  test.each([
    ['of zeros', new Uint8Array(1024)],
    // About 1 to 40.
    ['of text that is repeated less', Buffer.concat([Buffer.alloc(8000, 'moss'), randomBytes(192)])],
  ])('An archive that fills a disk is refused: one %s', async (_, piece) => {
    const bomb = new Uint8Array(gzipSync(Buffer.concat(Array(Math.ceil((80 * 1024 * 1024) / piece.length)).fill(piece))))
    await expect(readTar(new Blob([bomb]), options)).rejects.toThrow('fill a disk')
  })

  test('A .tgz for which there is no room is refused with what to do, and one for which there is is read', async () => {
    const tgz = tgzOf({ 'a.txt': 'moss '.repeat(2_000) })
    const roomFor = (bytes: number) =>
      vi.stubGlobal('navigator', { storage: { estimate: async () => ({ quota: 5_000 + bytes, usage: 5_000 }) } })
    for (const room of [0, tgz.length - 1, tgz.length, 5_000]) {
      roomFor(room)
      await expect(contents(tgz)).rejects.toThrow('Choose ZIP')
    }
    roomFor(100_000)
    expect(Object.keys((await contents(tgz)).files)).toEqual(['a.txt'])
    // Not unpacked, so it needs none.
    roomFor(0)
    expect(Object.keys((await contents(plain({ 'b.txt': 'x' }))).files)).toEqual(['b.txt'])
    vi.unstubAllGlobals()
  })

  test.each([
    ['is no archive', photo('just some text'.repeat(100)), 'not a TAR'],
    ['holds no archive', new Uint8Array(gzipSync('text'.repeat(300))), 'not a TAR'],
    ['is cut off', tgzOf({ 'a.txt': 'x'.repeat(5000) }).slice(0, 60), 'cut off'],
    ['was cut off before it was packed', new Uint8Array(gzipSync(plain({ 'a.txt': 'x'.repeat(5000) }).slice(0, 2000))), 'cut off'],
  ])('A file that %s throws UnreadableError', async (_, broken, reason) => {
    const reading = readTar(new Blob([broken]), options)
    await expect(reading).rejects.toThrow(UnreadableError)
    await expect(reading).rejects.toThrow(reason)
  })

  test('A Takeout of a .tgz and a ZIP is one export', async () => {
    const inYear = 'Takeout/Google Photos/Photos from 2019/'
    const plan = await planImport(
      [
        archive('part-1.tgz', tgzOf({ [`${inYear}a.jpg`]: photo('a'), 'Takeout/Mail/All.mbox': 'From' })),
        archive('part-2.zip', zipOf({ [`${inYear}a.jpg.json`]: takeoutSidecar('a.jpg', { description: 'Moss' }) })),
      ],
      options,
    )
    expect(plan.assets.map(({ name, overrides }) => [name, overrides?.alt])).toEqual([['a.jpg', 'Moss']])
    expect(plan.leftOut).toEqual([{ name: 'Mail', files: 1 }])
  })
})

test('An archive in an archive is named and left out, with what to do', async () => {
  const inner = zipOf({ 'b.jpg': photo('b') })
  const plan = await planImport([archive('all.zip', zipOf({ 'a.jpg': photo('a'), 'old/more.zip': inner }))], options)
  expect(plan.assets.map(({ name }) => name)).toEqual(['a.jpg'])
  expect(plan.refused).toEqual([{ name: 'more.zip', reason: 'It is an archive inside an archive. Unpack it and import it by itself' }])
})
