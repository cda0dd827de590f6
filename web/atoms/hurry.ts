import { atom } from 'jotai'

/** Whether the page is scrolled so fast that nobody looks at what comes and goes: what appears meanwhile needs no picture yet. */
export const hurriedAtom = atom(false)
