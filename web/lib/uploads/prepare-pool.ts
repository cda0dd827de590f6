import { ApiError } from '../api.ts'
import { localZone } from '../dates/zones.ts'
import { DecoderMissing } from './decode/decoder-missing.ts'
import { tryFilm } from './film-tries.ts'
import type { PrepareJob } from './prepare.ts'
import type { Prepare, Prepared } from './types.ts'
import { probeVideo } from './video-poster.ts'

type Answer = { progress: number } | { prepared: Prepared } | { error: string }

/** Milliseconds without a message after which a worker is considered stuck on a file. Hashing reports progress, so it does not count. */
const SILENCE = 90_000

/** Offline, or a newer version of Cairn has replaced the files of this one. */
const NO_DECODER = 'What makes this kind of picture visible could not be loaded. Check the connection and reload the page.'

class Unreadable extends Error {}

/** Runs `prepare` off the main thread. A worker that dies is replaced, and its file is tried once more without decoding. */
export function createPreparePool(): Prepare {
  const idle: Worker[] = []
  const take = () => idle.pop() ?? new Worker(new URL('./prepare.worker.ts', import.meta.url), { type: 'module' })

  async function run(job: PrepareJob, onProgress: (share: number) => void, signal: AbortSignal): Promise<Prepared> {
    const worker = take()
    try {
      const prepared = await ask(worker, job, onProgress, signal)
      idle.push(worker)
      return prepared
    } catch (error) {
      worker.terminate()
      throw error
    }
  }

  async function twice(job: PrepareJob, onProgress: (share: number) => void, signal: AbortSignal): Promise<Prepared> {
    try {
      return await run(job, onProgress, signal)
    } catch (error) {
      if (signal.aborted || error instanceof Unreadable || error instanceof ApiError) throw error
      return run({ ...job, probe: job.probe && { ...job.probe, frame: null }, decode: false }, onProgress, signal)
    }
  }

  return async (file, { name, type, signal, onProgress }) => {
    const job: PrepareJob = { file, name, type, zone: localZone(), probe: null, decode: true }
    if (type.startsWith('image/')) return twice(job, onProgress, signal)
    // The name of a film may not say that it is one.
    const probe = type.startsWith('video/') ? await probeVideo(file) : null
    return tryFilm(file, (decode) => twice({ ...job, probe, decode }, onProgress, signal))
  }
}

function ask(worker: Worker, job: PrepareJob, onProgress: (share: number) => void, signal: AbortSignal): Promise<Prepared> {
  const { promise, resolve, reject } = Promise.withResolvers<Prepared>()
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => reject(new Error('The file took too long')), SILENCE)
  }
  const onMessage = ({ data }: MessageEvent<Answer>) => {
    watch()
    if ('progress' in data) onProgress(data.progress)
    else if ('prepared' in data) resolve(data.prepared)
    else reject(data.error === DecoderMissing.name ? new ApiError('unavailable', NO_DECODER) : new Unreadable(data.error))
  }
  worker.addEventListener('message', onMessage, { signal: over.signal })
  worker.addEventListener('error', () => reject(new Error('The worker stopped')), { signal: over.signal })
  signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal })
  watch()
  worker.postMessage(job, job.probe?.frame ? [job.probe.frame] : [])
  return promise.finally(() => {
    clearTimeout(timer)
    over.abort()
  })
}
