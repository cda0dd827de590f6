import { sha256 } from '../hash.ts'
import { filmFile } from './film-files.ts'
import { type FilmRefusal, FilmRefused, makeFilm } from './make-film.ts'

/** Of a file, for workers alone: the types of pages do not have it. */
interface SyncAccess {
  truncate(size: number): void
  write(bytes: Uint8Array, options: { at: number }): number
  flush(): void
  close(): void
}
type SyncFile = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccess> }

/** A film to make, or whether the one under way has to wait. */
type Job = { file: Blob; userId: string; id: string; limit: number } | { wait: boolean }

let waiting = Promise.withResolvers<void>()
waiting.resolve()

/** One film for each worker: `{progress}` while it is made, then `{made}` or `{refusal}`. */
self.addEventListener('message', ({ data }: MessageEvent<Job>) => {
  if (!('wait' in data)) void run(data)
  else if (data.wait) waiting = Promise.withResolvers<void>()
  else waiting.resolve()
})

async function run({ file, userId, id, limit }: Exclude<Job, { wait: boolean }>): Promise<void> {
  try {
    const handle = (await filmFile(userId, id, true)) as SyncFile | null
    const access = await handle?.createSyncAccessHandle()
    if (!handle || !access) throw new FilmRefused('no-room')
    try {
      access.truncate(0)
      const write = (bytes: Uint8Array<ArrayBuffer>, at: number) => {
        if (access.write(bytes, { at }) !== bytes.length) throw new FilmRefused('no-room')
      }
      const type = await makeFilm(file, { limit, write }, { onProgress, turn: () => waiting.promise })
      access.flush()
      access.close()
      const film = await handle.getFile()
      self.postMessage({ made: { type, size: film.size, checksum: await sha256(film) } })
    } finally {
      access.close()
    }
  } catch (error) {
    self.postMessage({ refusal: refusalOf(error) })
  }
}

function refusalOf(error: unknown): FilmRefusal {
  if (error instanceof FilmRefused) return error.refusal
  return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'no-room' : 'damaged'
}

const onProgress = (progress: number) => self.postMessage({ progress })
