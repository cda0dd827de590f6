import { createStore } from 'jotai'

/** The app's one store, for what runs outside of React: route loaders, timers, listeners. Tests make their own. */
export const store = createStore()
