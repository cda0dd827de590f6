import { type Atom, atom, type createStore } from 'jotai'
import { whenIdle } from '../lib/scheduling.ts'
import { contentCompleteAtom } from './content.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

/** Milliseconds that must be free: making what a view reads may take as long. */
const FREE = 30

/** The open collection once it is here as a whole. Empty where none is open: what views made of the last one is let go of then. */
const wholeAtom = atom((get) => {
  const id = get(selectedCollectionIdAtom)
  return id === null ? '' : get(contentCompleteAtom) ? id : null
})

/**
 * Reads what views are made of in quiet moments, one after the other, once everything of a collection is here: they open at once then,
 * however much there is. Returns how to add what a view reads.
 */
export function createReadAhead(app: ReturnType<typeof createStore>): (reads: readonly Atom<unknown>[]) => void {
  const all: Atom<unknown>[] = []
  let at = 0
  let waiting = false
  const goOn = () => {
    if (waiting || at >= all.length || app.get(wholeAtom) === null) return
    waiting = true
    whenIdle(() => {
      waiting = false
      const next = all[at]
      if (!next || app.get(wholeAtom) === null) return
      at++
      goOn()
      app.get(next)
    }, FREE)
  }
  app.sub(wholeAtom, () => {
    at = 0
    goOn()
  })
  return (reads) => {
    all.push(...reads)
    goOn()
  }
}
