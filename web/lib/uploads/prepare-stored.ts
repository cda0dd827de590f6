import { type PrepareListener, prepareFilm } from './prepare.ts'
import { storedFilm } from './stored-film.ts'
import type { Prepared, Probe } from './types.ts'

/** A film on the server, and whether it lacks a picture. The rest as in PrepareJob. */
export interface StoredFilmJob {
  url: string
  size: number
  name: string
  type: string
  zone: string
  picture: boolean
  /** What a video element showed of it, if it was asked. */
  probe: Probe | null
  decode: boolean
}

/** Reads a film on the server as one that is added here, but for its checksum. Throws NotLoaded. */
export async function prepareStored({ url, size, ...job }: StoredFilmJob, { onProgress, onReading }: PrepareListener): Promise<Prepared> {
  onReading()
  const file = storedFilm(url, size, () => onProgress(0))
  const prepared = await prepareFilm({ ...job, file })
  const failure = file.failure()
  if (failure) throw failure
  return prepared
}
