import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { shotIdOf } from '../../../contract/photos/shot-id.ts'
import { shot } from '../../../tests/support/shots.ts'
import { findFilm } from '../film-in-photo.ts'
import { readFileTags } from './file-tags.ts'

const bytesOf = async (name: string) => new Uint8Array(await readFile(new URL(`../../../tests/fixtures/${name}`, import.meta.url)))
const ID = '7A1C8E0B-5A0E-4D2C-9C55-0A6B5B1E2F3D'
const xmpOf = (attributes: string) => `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description ${attributes}/></x:xmpmeta>`

test('A Live Photo and a burst tell their identifiers in the notes of their maker', async () => {
  const jpeg = await bytesOf('photos/iptc.jpg')
  const date = '2020:12:20 00:14:27'
  const read = async (more: Parameters<typeof shot>[1]) => readFileTags(new Blob([shot(jpeg, more)]))
  expect(await read({ date, contentId: ID })).toMatchObject({
    contentId: ID,
    tags: { DateTimeOriginal: date, OffsetTimeOriginal: '+01:00' },
  })
  expect((await read({ date, burstId: 'B-1' })).contentId).toBe('burst:B-1')
  expect((await read({ date, burstId: 'B-1', contentId: ID })).contentId).toBe(ID)
  expect((await read({ date, contentId: 'x'.repeat(200) })).contentId).toBeNull()
  expect((await read({ date })).contentId).toBeNull()
})

test('Others tell them in XMP', () => {
  expect(shotIdOf(undefined, xmpOf(`apple:ContentIdentifier="${ID}"`))).toBe(ID)
  expect(shotIdOf(undefined, `<apple:ContentIdentifier>${ID}</apple:ContentIdentifier>`)).toBe(ID)
  expect(shotIdOf(undefined, xmpOf(`GCamera:BurstID='${ID.toLowerCase()}' GCamera:BurstPrimary="1"`))).toBe(`burst:${ID.toLowerCase()}`)
  expect(shotIdOf(undefined, xmpOf('dc:title="ContentIdentifier"'))).toBeNull()
})

test('Cut-off notes are read as far as they go, without an error', async () => {
  const whole = shot(await bytesOf('photos/iptc.jpg'), { date: '2020:12:20 00:14:27', burstId: 'B-1', contentId: ID })
  const start = Buffer.from(whole).indexOf('Apple iOS')
  for (let end = start; end < start + 120; end++) shotIdOf([...whole.subarray(start, end)], undefined)
  expect(shotIdOf([...whole.subarray(start, start + 200)], undefined)).toBe(ID)
})

test('The film of a motion photo is found after the photo, without what its maker wrote behind it', async () => {
  const [jpeg, film, heic] = [await bytesOf('photos/modified.jpg'), await bytesOf('films/phone.mp4'), await bytesOf('photos/phone.heic')]
  const tail = new TextEncoder().encode('SEFHi\0\0\0\x02\0\0\0SEFT')
  const found = { start: jpeg.length, end: jpeg.length + film.length }
  expect(findFilm(Buffer.concat([jpeg, film, tail]))).toEqual(found)
  const box = new Uint8Array([0, 0, 0, 0, ...Buffer.from('mpvd')])
  new DataView(box.buffer).setUint32(0, film.length + 8)
  expect(findFilm(Buffer.concat([heic, box, film]))).toEqual({ start: heic.length + 8, end: heic.length + 8 + film.length })
})

test('A photo that looks as if many films began in it is looked through at once', () => {
  const bytes = new Uint8Array(4 * 1024 * 1024)
  const box = new Uint8Array([0, 0, 0, 12, ...Buffer.from('ftypisom')])
  for (let at = 64; at + box.length <= bytes.length; at += box.length) bytes.set(box, at)
  expect(findFilm(bytes)).toBeNull()
})

test('Photos alone have no film, nor those with a piece of one', async () => {
  for (const name of ['photos/phone.heic', 'photos/modified.jpg', 'photos/exif.webp']) expect(findFilm(await bytesOf(name))).toBeNull()
  const [jpeg, film] = [await bytesOf('photos/modified.jpg'), await bytesOf('films/phone.mp4')]
  expect(findFilm(Buffer.concat([jpeg, film.subarray(0, 40)]))).toBeNull()
})
