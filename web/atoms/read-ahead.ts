import type { Atom, createStore } from 'jotai'
import { whenQuiet } from '../lib/idle.ts'
import { contentCompleteAtom } from './content.ts'

/**
 * Reads what a view is made of in quiet moments, each in its own, once everything of a collection is here: the view opens at once then,
 * however much there is.
 */
export function readAhead(app: ReturnType<typeof createStore>, reads: readonly Atom<unknown>[]): void {
  const read = () => {
    if (app.get(contentCompleteAtom)) for (const each of reads) whenQuiet(() => void app.get(each))
  }
  app.sub(contentCompleteAtom, read)
  read()
}
