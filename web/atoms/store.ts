import { createStore } from 'jotai'

/** The app's only store, for code outside of React: route loaders, timers, listeners. Tests create their own. */
export const store = createStore()
