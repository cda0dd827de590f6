import { type PrepareJob, prepare } from './prepare.ts'
import { prepareStored, type StoredFilmJob } from './prepare-stored.ts'

/** One job at a time: `{job}` in, `{progress}` while hashing, `{reading}` after it, then `{prepared}` or `{error}` with the error's name. */
self.addEventListener('message', async ({ data: job }: MessageEvent<PrepareJob | StoredFilmJob>) => {
  try {
    const listener = {
      onProgress: (progress: number) => self.postMessage({ progress }),
      onReading: () => self.postMessage({ reading: true }),
    }
    const prepared = await ('url' in job ? prepareStored(job, listener) : prepare(job, listener))
    self.postMessage({ prepared })
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.name : 'Error' })
  }
})
