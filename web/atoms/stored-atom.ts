import { atom } from 'jotai'
import { readLocal, writeLocal } from '../lib/storage.ts'

/** A choice of two values that is kept on this device: `text` is stored for `value`, and nothing for the default. */
export function storedAtom<T>(key: string, text: string, value: T, byDefault: T) {
  const stateAtom = atom(readLocal(key) === text ? value : byDefault)
  return atom(
    (get) => get(stateAtom),
    (_get, set, chosen: T) => {
      set(stateAtom, chosen)
      writeLocal(key, chosen === value ? text : null)
    },
  )
}
