import { filmInChunks } from '../../../contract/films/film-chunks.ts'
import type { FilmFile } from '../../../contract/films/film-parts.ts'
import { NotLoaded } from './not-loaded.ts'

/** Requests for one film, of 1 MiB each. */
const MOST = 48

/** A film on the server, of which only the parts are fetched that are read. */
export interface StoredFilm extends FilmFile {
  /** Why a part could not be fetched, after which what was read of the film says nothing. */
  failure(): Error | null
}

/** `url` is that of the original, `size` in bytes. `onPart` is called for each part that has come. */
export function storedFilm(url: string, size: number, onPart: () => void): StoredFilm {
  let failure: Error | null = null

  async function load(from: number, to: number): Promise<ArrayBuffer> {
    try {
      const part = await fetchRange(url, from, to)
      onPart()
      return part
    } catch (error) {
      failure = new NotLoaded()
      throw error
    }
  }

  return { ...filmInChunks({ size, most: MOST, load }), failure: () => failure }
}

/** The bytes from `from` up to `to`. */
async function fetchRange(url: string, from: number, to: number): Promise<ArrayBuffer> {
  const answer = await fetch(url, { headers: { range: `bytes=${from}-${to - 1}` }, credentials: 'same-origin', cache: 'no-store' })
  if (answer.status !== 206) {
    await answer.body?.cancel()
    throw new Error(`The film was not sent in parts: ${answer.status}`)
  }
  const bytes = await answer.arrayBuffer()
  if (bytes.byteLength !== to - from) throw new Error('The part has another length')
  return bytes
}
