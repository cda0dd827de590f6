import { type Atom, atom, type createStore } from 'jotai'
import { whenIdle } from '../lib/scheduling.ts'
import { contentCompleteAtom } from './content.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

/** Idle milliseconds required: computing a view's data may take as long. */
const FREE = 30

/** The open collection once it is completely loaded. Empty if none is open, so that data derived from the last one is released. */
const wholeAtom = atom((get) => {
  const id = get(selectedCollectionIdAtom)
  return id === null ? '' : get(contentCompleteAtom) ? id : null
})

/**
 * Computes the data of views in idle moments, one atom after the other, once a collection is completely loaded, so that views open at once.
 * Returns a function that adds a view's atoms.
 */
export function createReadAhead(app: ReturnType<typeof createStore>): (reads: readonly Atom<unknown>[]) => void {
  const all: Atom<unknown>[] = []
  let at = 0
  let waiting = false
  const readNext = () => {
    if (waiting || at >= all.length || app.get(wholeAtom) === null) return
    waiting = true
    whenIdle(() => {
      waiting = false
      const next = all[at]
      if (!next || app.get(wholeAtom) === null) return
      at++
      readNext()
      app.get(next)
    }, FREE)
  }
  app.sub(wholeAtom, () => {
    at = 0
    readNext()
  })
  return (reads) => {
    all.push(...reads)
    readNext()
  }
}
