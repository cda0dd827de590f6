import { atom } from 'jotai'
import type { ComponentType } from 'react'

/** Props passed to every overlay's component besides its own. */
export interface OverlayProps<R> {
  open: boolean
  close: (result?: R) => void
  /** Runs after the exit animation. */
  onClosed: () => void
}

export interface Overlay {
  id: string
  open: boolean
  // The list holds overlays of every kind; useAsk of components/overlays/overlay-outlet.tsx types props and result by component.
  component: ComponentType<OverlayProps<unknown>>
  props: object
}

type NewOverlay = Pick<Overlay, 'component'> & Partial<Pick<Overlay, 'props'>>

const listAtom = atom<Overlay[]>([])
const waiting = new Map<string, (result: unknown) => void>()
let count = 0

export const overlaysAtom = atom((get) => get(listAtom))

/**
 * Shows a component as an overlay. Resolves to the value it was closed with, or undefined if it was dismissed. Shown again while it is open, it
 * replaces the first, which is dismissed.
 */
export const askAtom = atom(null, (get, set, { component, props = {} }: NewOverlay): Promise<unknown> => {
  const same = get(listAtom).find((other) => other.open && other.component === component)
  if (same) set(closeOverlayAtom, same.id)
  const id = `overlay-${++count}`
  set(listAtom, [...get(listAtom), { id, open: true, component, props }])
  return new Promise((resolve) => waiting.set(id, resolve))
})

/** Throws 'Overlay not found'. */
export const closeOverlayAtom = atom(null, (get, set, id: string, result?: unknown) => {
  const overlay = find(get(listAtom), id)
  set(listAtom, replace(get(listAtom), { ...overlay, open: false }))
  waiting.get(id)?.(result)
  waiting.delete(id)
})

/** Closes all overlays when another page or collection is shown. */
export const dismissOverlaysAtom = atom(null, (get, set) => {
  for (const { id, open } of get(listAtom)) if (open) set(closeOverlayAtom, id)
})

/** Removes an overlay after its exit animation. */
export const unmountOverlayAtom = atom(null, (get, set, id: string) => {
  const overlay = find(get(listAtom), id)
  if (overlay.open) return
  set(
    listAtom,
    get(listAtom).filter((other) => other !== overlay),
  )
})

function find(list: Overlay[], id: string): Overlay {
  const overlay = list.find((other) => other.id === id)
  if (!overlay) throw new Error('Overlay not found')
  return overlay
}

function replace(list: Overlay[], changed: Overlay): Overlay[] {
  return list.map((overlay) => (overlay.id === changed.id ? changed : overlay))
}
