import { atom, type WritableAtom } from 'jotai'
import { readLocal, writeLocal } from '../lib/storage.ts'

/** A choice of two values that is kept on this device: `text` is stored for `value`, and nothing for the default. */
export function storedAtom<T>(key: string, text: string, value: T, byDefault: T) {
  const choiceAtom: WritableAtom<T, [T], void> = atom(readLocal(key) === text ? value : byDefault, (_get, set, chosen: T) => {
    set(choiceAtom, chosen)
    writeLocal(key, chosen === value ? text : null)
  })
  return choiceAtom
}
