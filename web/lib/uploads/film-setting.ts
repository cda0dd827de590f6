import { readLocal, writeLocal } from '../storage.ts'

const KEY = 'films-for-everyone'

/** Whether this device makes versions of films that more browsers play: unless it was turned off. */
export const makesFilms = () => readLocal(KEY) !== 'off'

export const setMakesFilms = (on: boolean) => writeLocal(KEY, on ? null : 'off')
