import { createStore } from 'jotai'
import { expect, test } from 'vitest'
import {
  askAtom,
  closeOverlayAtom,
  createOverlayAtom,
  dismissOverlaysAtom,
  openOverlayAtom,
  overlaysAtom,
  unmountOverlayAtom,
} from './overlays.ts'

const component = () => null

test('an overlay resolves to what it is closed with', async () => {
  const store = createStore()
  const answer = store.set(askAtom, { component })
  const [overlay] = store.get(overlaysAtom)
  expect(overlay?.open).toBe(true)
  store.set(closeOverlayAtom, overlay?.id ?? '', 'yes')
  expect(await answer).toBe('yes')
})

test('one made for a single use is removed after its exit, not before', () => {
  const store = createStore()
  void store.set(askAtom, { component })
  const id = store.get(overlaysAtom)[0]?.id ?? ''
  store.set(unmountOverlayAtom, id)
  expect(store.get(overlaysAtom)).toHaveLength(1)
  store.set(closeOverlayAtom, id)
  store.set(unmountOverlayAtom, id)
  expect(store.get(overlaysAtom)).toEqual([])
})

test('a kept one can be opened again with other props', () => {
  const store = createStore()
  const id = store.set(createOverlayAtom, { component, props: { title: 'a' } })
  void store.set(openOverlayAtom, id)
  store.set(closeOverlayAtom, id)
  store.set(unmountOverlayAtom, id)
  void store.set(openOverlayAtom, id, { title: 'b' })
  expect(store.get(overlaysAtom)[0]).toMatchObject({ open: true, props: { title: 'b' } })
})

test('an unknown one is not found', () => {
  const store = createStore()
  expect(() => store.set(openOverlayAtom, 'nothing')).toThrow('Overlay not found')
  expect(() => store.set(closeOverlayAtom, 'nothing')).toThrow('Overlay not found')
})

test('another page dismisses what is open', async () => {
  const store = createStore()
  const answer = store.set(askAtom, { component })
  store.set(dismissOverlaysAtom)
  expect(store.get(overlaysAtom)[0]?.open).toBe(false)
  expect(await answer).toBeUndefined()
})
