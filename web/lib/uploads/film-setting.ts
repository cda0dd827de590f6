import { readLocal } from '../storage.ts'

export const FILMS = 'films-for-everyone'

/** Whether this device makes versions of films that more browsers play: unless it was turned off. */
export const makesFilms = () => readLocal(FILMS) !== 'off'
