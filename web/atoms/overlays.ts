import { atom } from 'jotai'
import type { ComponentType } from 'react'

/** What every overlay's component is given, besides its own props. */
export interface OverlayProps<R> {
  open: boolean
  close: (result?: R) => void
  /** Runs after the exit has played. */
  onClosed: () => void
}

export interface Overlay {
  id: string
  open: boolean
  destroyOnClose: boolean
  // The list holds overlays of every kind; useAsk of components/overlays/overlay-outlet.tsx ties props and result to the component.
  component: ComponentType<OverlayProps<unknown>>
  props: object
}

interface Creation {
  component: ComponentType<OverlayProps<unknown>>
  props?: object
  /** Removed when it has closed, rather than kept to be opened again. */
  destroyOnClose?: boolean
}

const listAtom = atom<Overlay[]>([])
const waiting = new Map<string, (result: unknown) => void>()
let count = 0

export const overlaysAtom = atom((get) => get(listAtom))

/** Makes an overlay, closed, and returns its id. */
export const createOverlayAtom = atom(null, (get, set, creation: Creation): string => {
  const id = `overlay-${++count}`
  const entry = { id, props: {}, destroyOnClose: false, ...creation, open: false }
  set(listAtom, [...get(listAtom), entry])
  return id
})

/** Opens it and resolves to its result, undefined when it was dismissed. Throws 'Overlay not found'. */
export const openOverlayAtom = atom(null, (get, set, id: string, props: object = {}): Promise<unknown> => {
  const overlay = find(get(listAtom), id)
  set(listAtom, replace(get(listAtom), { ...overlay, open: true, props: { ...overlay.props, ...props } }))
  return new Promise((resolve) => waiting.set(id, resolve))
})

export const closeOverlayAtom = atom(null, (get, set, id: string, result?: unknown) => {
  const overlay = find(get(listAtom), id)
  set(listAtom, replace(get(listAtom), { ...overlay, open: false }))
  waiting.get(id)?.(result)
  waiting.delete(id)
})

/** Another page is shown: nothing that was asked on the last one stays above it. */
export const dismissOverlaysAtom = atom(null, (get, set) => {
  for (const { id, open } of get(listAtom)) if (open) set(closeOverlayAtom, id)
})

/** After its exit: away with it if it was made for one use. */
export const unmountOverlayAtom = atom(null, (get, set, id: string) => {
  const overlay = find(get(listAtom), id)
  if (overlay.destroyOnClose && !overlay.open) {
    set(
      listAtom,
      get(listAtom).filter((other) => other !== overlay),
    )
  }
})

/** Shows a component once as an overlay and resolves to what it was closed with. */
export const askAtom = atom(null, (_get, set, creation: Creation): Promise<unknown> => {
  return set(openOverlayAtom, set(createOverlayAtom, { ...creation, destroyOnClose: true }))
})

function find(list: Overlay[], id: string): Overlay {
  const overlay = list.find((other) => other.id === id)
  if (!overlay) throw new Error('Overlay not found')
  return overlay
}

function replace(list: Overlay[], changed: Overlay): Overlay[] {
  return list.map((overlay) => (overlay.id === changed.id ? changed : overlay))
}
