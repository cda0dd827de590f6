import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { test as base, expect } from 'vitest'
import { readFilm } from './film.ts'
import { storedFilm } from './stored-film.ts'

const GIB = 1024 ** 3

/** A film of a phone whose pictures are followed by 4 GiB of nothing, then by its tables, as those of long films are. */
const phone = await readFile(path.resolve(import.meta.dirname, '../../../tests/fixtures/films/phone.mp4'))
const tables = phone.indexOf('moov') - 4
const gap = Buffer.alloc(16)
gap.writeUInt32BE(1)
gap.write('free', 4)
gap.writeBigUInt64BE(BigInt(4 * GIB), 8)
const PIECES: [at: number, bytes: Buffer][] = [
  [0, phone.subarray(0, tables)],
  [tables, gap],
  [tables + 4 * GIB, phone.subarray(tables)],
]
const SIZE = phone.length + 4 * GIB

function bytesOf(from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from)
  for (const [at, piece] of PIECES)
    if (at < to && at + piece.length > from) piece.copy(bytes, Math.max(0, at - from), Math.max(0, from - at), to - at)
  return bytes
}

/** A server with this film, and the number of bytes that it has sent. */
const test = base.extend('server', async ({ task: _ }, { onCleanup }) => {
  const served = { sent: 0, broken: false, url: '' }
  const server = createServer((request, response) => {
    const [, from = 0, to = 0] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')?.map(Number) ?? []
    if (served.broken) return response.writeHead(503).end()
    served.sent += to + 1 - from
    return response.writeHead(206).end(bytesOf(from, to + 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onCleanup(() => void server.close())
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/film`
  return served
})

test('Of a film of 4 GiB on the server only its headers and tables are fetched', async ({ server }) => {
  const film = storedFilm(server.url, SIZE, () => {})
  expect(await readFilm(film, { zone: 'Europe/Zurich', withFrame: false })).toMatchObject({
    ...{ date: '2022-09-30T19:20:00+02:00', width: 96, height: 64, duration: 2, codec: 'avc' },
  })
  expect(server.sent).toBeLessThan(4 * 1024 * 1024)
  expect(film.failure()).toBeNull()
})

test('Parts are put together, and end where the film does', async ({ server }) => {
  const film = storedFilm(server.url, SIZE, () => {})
  const read = async (from: number, to: number) => Buffer.from(await film.slice(from, to).arrayBuffer())
  expect(await read(0, tables + 20)).toEqual(bytesOf(0, tables + 20))
  expect(await read(5 * 1024 * 1024 - 3, 5 * 1024 * 1024 + 3)).toEqual(Buffer.alloc(6))
  expect(await read(SIZE - 10, SIZE + 10)).toEqual(phone.subarray(-10))
  expect(await read(SIZE, SIZE + 10)).toEqual(Buffer.alloc(0))
})

test('A film that would be fetched whole is not, which is no failure', async ({ server }) => {
  const film = storedFilm(server.url, SIZE, () => {})
  await expect(film.slice(0, GIB).arrayBuffer()).rejects.toThrow('Too much')
  expect([server.sent, film.failure()]).toEqual([0, null])
})

test('A server that does not answer is a failure of the film, not of what is in it', async ({ server }) => {
  const film = storedFilm(server.url, SIZE, () => {})
  server.broken = true
  expect(await readFilm(film, { zone: 'UTC', withFrame: false })).toMatchObject({ date: null, duration: null })
  expect(film.failure()?.name).toBe('NotLoaded')
})
