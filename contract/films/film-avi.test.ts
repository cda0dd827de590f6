import { expect, test } from 'vitest'
import { readAvi } from './film-avi.ts'

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const numbers = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer)

function chunk(name: string, ...content: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = content.reduce((sum, { length }) => sum + length, 0)
  const all = new Uint8Array(8 + size + (size % 2))
  all.set(bytesOf(name))
  new DataView(all.buffer).setUint32(4, size, true)
  let at = 8
  for (const part of content) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** As cameras of 2005 write it: 30 pictures at 15 a second, with the time in `IDIT`. */
const film = (idit: string): Uint8Array<ArrayBuffer> =>
  chunk(
    'RIFF',
    bytesOf('AVI '),
    chunk(
      'LIST',
      bytesOf('hdrl'),
      chunk('avih', numbers(66_667, 0, 0, 0, 30, 0, 1, 0, 640, 480, 0, 0, 0, 0)),
      chunk('LIST', bytesOf('strl'), chunk('strh', bytesOf('vidsmjpg'), numbers(0, 0, 0, 1, 15, 0, 30, 0, 0, 0, 0, 0))),
      chunk('IDIT', bytesOf(idit)),
    ),
    chunk('LIST', bytesOf('INFO'), chunk('INAM', bytesOf('Harbour\0'))),
    chunk('LIST', bytesOf('movi'), chunk('IDIT', bytesOf('not a date'))),
  )

test('An AVI of a camera has size, length, codec, time and title', async () => {
  const read = { width: 640, height: 480, duration: 2, codec: 'mjpg' }
  const date = { date: '2005-08-17T11:42:43', title: 'Harbour' }
  expect(await readAvi(new Blob([film('Wed Aug 17 11:42:43 2005\n\0')]))).toEqual({ ...read, tags: date })
  expect(await readAvi(new Blob([film('2005:08:17 11:42:43')]))).toEqual({ ...read, tags: { ...date, date: '2005:08:17 11:42:43' } })
})

test('A damaged AVI, and another file, have what there is', async () => {
  const whole = film('Wed Aug 17 11:42:43 2005\n\0')
  for (let length = 0; length < whole.length; length++) {
    const read = await readAvi(new Blob([whole.slice(0, length)]))
    expect(read === null).toBe(length < 12)
  }
  expect(await readAvi(new Blob(['RIFF....WAVE']))).toBeNull()
})
