import { FILMS } from '../lib/uploads/film-setting.ts'
import { storedAtom } from './stored-atom.ts'

/** Whether films that most browsers cannot play get a version that they can. */
export const makesFilmsAtom = storedAtom(FILMS, 'off', false, true)
