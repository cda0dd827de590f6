import { type Said, say } from '#language'
import { msg } from '#say'
import { FILM_GROWTH } from '../../../contract/films.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { freeRoom } from '../free-room.ts'
import { isMetered } from '../metered.ts'
import { filmFile, removeFilmFiles } from './film-files.ts'
import { makesFilms } from './film-setting.ts'
import type { FilmRefusal } from './make-film.ts'
import { NotLoaded } from './not-loaded.ts'
import type { FilmMaker, MadeFilm } from './types.ts'

type Answer = { progress: number } | { made: MadeFilm } | { refusal: FilmRefusal }

/** Milliseconds without a message after which making counts as failed. */
const SILENCE = 120_000

/** A device that cannot make a film. The message is a sentence for its row. */
export class NoFilm extends Error {}

const WHY: Record<FilmRefusal, Said> = {
  'no-codec': msg`This device cannot convert this kind of video. Other browsers may`,
  'no-sound': msg`This device cannot convert the sound of this video. Other browsers may`,
  'too-large': msg`A version that plays everywhere would be more than twice as large`,
  'no-room': msg`There is no room on this device to make a version that plays everywhere`,
  damaged: msg`A version that plays everywhere could not be made`,
}

const noFilm = (why: FilmRefusal) => new NoFilm(say(WHY[why]))

export interface HeldFilmMaker extends FilmMaker {
  /** Whether the film that is being made has to wait, because files are being read and sent. */
  hold(wait: boolean): void
}

/** Makes films in a worker, one at a time. */
export function createFilmMaker(userId: string): HeldFilmMaker {
  let current: Worker | null = null
  let held = false
  /** Films that this page has met: most files have none. */
  const present = new Set<string>()
  return {
    wanted: makesFilms,
    mayBeSent: () => !isMetered(),
    async make(id, file, { signal, onProgress }) {
      if (FILM_GROWTH * file.size >= (await freeRoom())) throw noFilm('no-room')
      const worker = new Worker(new URL('./make-film.worker.ts', import.meta.url), { type: 'module' })
      current = worker
      present.add(id)
      if (held) worker.postMessage({ wait: true })
      const limit = Math.min(FILM_GROWTH * file.size, LIMITS.fileSize)
      try {
        return await ask(worker, { file, userId, id, limit }, { signal, onProgress, isHeld: () => held })
      } finally {
        // It holds the file open until it ends.
        worker.terminate()
        if (current === worker) current = null
      }
    },
    async film(id) {
      present.add(id)
      return (await filmFile(userId, id, false))?.getFile().catch(() => null) ?? null
    },
    remove(id) {
      if (present.delete(id)) void removeFilmFiles(userId, { ids: [id] })
    },
    keepOnly: (ids) => void removeFilmFiles(userId, { except: ids }),
    hold(wait) {
      if (wait === held) return
      held = wait
      current?.postMessage({ wait })
    },
  }
}

interface Watching {
  signal: AbortSignal
  onProgress: (share: number) => void
  isHeld: () => boolean
}

function ask(worker: Worker, job: unknown, { signal, onProgress, isHeld }: Watching): Promise<MadeFilm> {
  const { promise, resolve, reject } = Promise.withResolvers<MadeFilm>()
  let last = Date.now()
  let answered = false
  const timer = setInterval(() => {
    if (isHeld()) last = Date.now()
    else if (Date.now() - last > SILENCE) reject(noFilm('damaged'))
  }, 5_000)
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    last = Date.now()
    answered = true
    if ('progress' in data) onProgress(data.progress)
    else if ('made' in data) resolve(data.made)
    else reject(noFilm(data.refusal))
  })
  // Before its first message, its own script could not be loaded.
  worker.addEventListener('error', () => reject(answered ? noFilm('damaged') : new NotLoaded()))
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  worker.postMessage(job)
  return promise.finally(() => {
    clearInterval(timer)
    signal.removeEventListener('abort', abort)
  })
}
