import { afterEach, expect, test, vi } from 'vitest'
import { createFilmMaker } from './film-maker.ts'
import { NotLoaded } from './not-loaded.ts'
import { createPreparePool } from './prepare-pool.ts'

/** A worker whose script cannot be loaded, or which dies after these messages. */
const dyingAfter = (messages: object[]) =>
  class extends EventTarget {
    postMessage() {
      queueMicrotask(() => {
        for (const data of messages) this.dispatchEvent(new MessageEvent('message', { data }))
        this.dispatchEvent(new Event('error'))
      })
    }
    terminate() {}
  }

const file = new File(['a'], 'a.jpg', { type: 'image/jpeg' })
const options = { name: 'a.jpg', type: 'image/jpeg', signal: new AbortController().signal, onProgress: () => {} }
const prepare = () => createPreparePool().prepare(file, options)
const makeFilm = () => createFilmMaker('ada').make('a', file, options)

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['read', prepare],
  ['made playable', makeFilm],
])('A file is not given up as damaged if the script by which it is %s cannot be loaded', async (_, work) => {
  vi.stubGlobal('Worker', dyingAfter([]))
  await expect(work()).rejects.toBeInstanceOf(NotLoaded)
  vi.stubGlobal('Worker', dyingAfter([{ progress: 0.5 }]))
  await expect(work()).rejects.not.toBeInstanceOf(NotLoaded)
})
