import { atom } from 'jotai'
import { readLocal, writeLocal } from '../lib/storage.ts'

/** A choice that is stored on this device. Its text is null if it is not stored, as for the default. */
export function storedAtom<T>(key: string, read: (text: string | null) => T, textOf: (value: T) => string | null) {
  const stateAtom = atom(read(readLocal(key)))
  return atom(
    (get) => get(stateAtom),
    (_get, set, value: T) => {
      set(stateAtom, value)
      writeLocal(key, textOf(value))
    },
  )
}
