import { atom } from 'jotai'
import { makesFilms, setMakesFilms } from '../lib/uploads/film-setting.ts'

const stateAtom = atom<boolean | null>(null)

/** Whether films that most browsers cannot play get a version that they can; stored on this device. */
export const makesFilmsAtom = atom(
  (get) => get(stateAtom) ?? makesFilms(),
  (_get, set, on: boolean) => {
    set(stateAtom, on)
    setMakesFilms(on)
  },
)
