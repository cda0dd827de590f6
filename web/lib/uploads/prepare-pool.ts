import { localZone } from '../dates/zones.ts'
import { NOT_LOADED, NotLoaded } from './not-loaded.ts'
import type { PrepareJob, PrepareListener } from './prepare.ts'
import type { StoredFilmJob } from './prepare-stored.ts'
import { guardReading } from './reading-guard.ts'
import type { Prepare, Prepared } from './types.ts'
import { probeAt, probeVideo } from './video-poster.ts'

type Job = PrepareJob | StoredFilmJob
type Answer = { progress: number } | { reading: true } | { prepared: Prepared } | { error: string }

/** Milliseconds without a message after which a worker is considered stuck on a file. Hashing reports progress, so it does not count. */
const SILENCE = 90_000

class Unreadable extends Error {}

/** Reads a film at a URL of this site, by parts. `picture`: whether it lacks one. Throws NotLoaded. */
export type PrepareStored = (
  film: Pick<StoredFilmJob, 'url' | 'size' | 'name' | 'type' | 'picture'>,
  signal: AbortSignal,
) => Promise<Prepared>

/** Runs `prepare` off the main thread; `close` ends the workers that have nothing to do. A worker that dies is replaced, and its file is tried once more without decoding. */
export function createPreparePool(): { prepare: Prepare; prepareStored: PrepareStored; close: () => void } {
  const idle: Worker[] = []
  const take = () => idle.pop() ?? new Worker(new URL('./prepare.worker.ts', import.meta.url), { type: 'module' })

  async function run(job: Job, listener: PrepareListener, signal: AbortSignal): Promise<Prepared> {
    const worker = take()
    try {
      const prepared = await ask(worker, job, listener, signal)
      idle.push(worker)
      return prepared
    } catch (error) {
      worker.terminate()
      throw error
    }
  }

  async function twice(job: Job, listener: PrepareListener, signal: AbortSignal): Promise<Prepared> {
    try {
      return await run(job, listener, signal)
    } catch (error) {
      if (signal.aborted || error instanceof Unreadable || error instanceof NotLoaded) throw error
      return run({ ...job, probe: job.probe && { ...job.probe, frame: null }, decode: false }, listener, signal)
    }
  }

  const prepare: Prepare = async (file, { name, type, signal, onProgress }) => {
    const guard = guardReading(file)
    const probe = type.startsWith('video/') ? await probeVideo(file) : null
    const job: PrepareJob = { file, name, type, zone: localZone(), probe, decode: !guard.crashes }
    return twice(job, { onProgress, onReading: guard.begin }, signal).finally(guard.end)
  }

  const prepareStored: PrepareStored = async (film, signal) => {
    const guard = guardReading(film)
    const job: StoredFilmJob = { ...film, zone: localZone(), probe: null, decode: !guard.crashes }
    const listener = { onProgress: () => {}, onReading: guard.begin }
    try {
      const prepared = await twice(job, listener, signal)
      if (prepared.thumb || !film.picture || guard.crashes) return prepared
      // Here the element comes second: it fetches as much as it wants.
      const probe = await probeAt(film.url, 'metadata')
      return probe.frame ? await twice({ ...job, probe }, listener, signal) : prepared
    } finally {
      guard.end()
    }
  }

  return {
    prepare,
    prepareStored,
    close() {
      for (const worker of idle.splice(0)) worker.terminate()
    },
  }
}

const errorOf = (name: string) => (name === NOT_LOADED ? new NotLoaded() : new Unreadable(name))

function ask(worker: Worker, job: Job, { onProgress, onReading }: PrepareListener, signal: AbortSignal): Promise<Prepared> {
  const { promise, resolve, reject } = Promise.withResolvers<Prepared>()
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  let answered = false
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => reject(new Error('The file took too long')), SILENCE)
  }
  const onMessage = ({ data }: MessageEvent<Answer>) => {
    watch()
    answered = true
    if ('progress' in data) onProgress(data.progress)
    else if ('reading' in data) onReading()
    else if ('prepared' in data) resolve(data.prepared)
    else reject(errorOf(data.error))
  }
  worker.addEventListener('message', onMessage, { signal: over.signal })
  // Before its first message, its own script could not be loaded.
  const onError = () => reject(answered ? new Error('The worker stopped') : new NotLoaded())
  worker.addEventListener('error', onError, { signal: over.signal })
  signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal })
  watch()
  worker.postMessage(job, job.probe?.frame ? [job.probe.frame] : [])
  return promise.finally(() => {
    clearTimeout(timer)
    over.abort()
  })
}
