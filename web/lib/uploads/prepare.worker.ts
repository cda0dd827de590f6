import { type PrepareJob, prepare } from './prepare.ts'

/** One job at a time: `{job}` in, `{progress}` while hashing, `{reading}` after it, then `{prepared}` or `{error}` with the error's name. */
self.addEventListener('message', async (event: MessageEvent<PrepareJob>) => {
  try {
    const prepared = await prepare(event.data, {
      onProgress: (progress) => self.postMessage({ progress }),
      onReading: () => self.postMessage({ reading: true }),
    })
    self.postMessage({ prepared })
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.name : 'Error' })
  }
})
