import { createStore } from 'jotai'
import { expect, test } from 'vitest'
import { askAtom, closeOverlayAtom, dismissOverlaysAtom, overlaysAtom, unmountOverlayAtom } from './overlays.ts'

const component = () => null

test('An overlay resolves to the value it is closed with', async () => {
  const store = createStore()
  const answer = store.set(askAtom, { component })
  const [overlay] = store.get(overlaysAtom)
  expect(overlay?.open).toBe(true)
  store.set(closeOverlayAtom, overlay?.id ?? '', 'yes')
  expect(await answer).toBe('yes')
})

test('An overlay that is opened twice dismisses the first, whose promise resolves', async () => {
  const store = createStore()
  const [first, second] = [store.set(askAtom, { component }), store.set(askAtom, { component })]
  expect(await first).toBeUndefined()
  const open = store.get(overlaysAtom).filter((overlay) => overlay.open)
  expect(open).toHaveLength(1)
  store.set(closeOverlayAtom, open[0]?.id ?? '', 'yes')
  expect(await second).toBe('yes')
})

test('An overlay is removed after its exit animation, not before', () => {
  const store = createStore()
  void store.set(askAtom, { component })
  const id = store.get(overlaysAtom)[0]?.id ?? ''
  store.set(unmountOverlayAtom, id)
  expect(store.get(overlaysAtom)).toHaveLength(1)
  store.set(closeOverlayAtom, id)
  store.set(unmountOverlayAtom, id)
  expect(store.get(overlaysAtom)).toEqual([])
})

test('Closing an unknown overlay fails with not found', () => {
  const store = createStore()
  expect(() => store.set(closeOverlayAtom, 'nothing')).toThrow('Overlay not found')
})

test('Opening another page dismisses the open overlays', async () => {
  const store = createStore()
  const answer = store.set(askAtom, { component })
  store.set(dismissOverlaysAtom)
  expect(store.get(overlaysAtom)[0]?.open).toBe(false)
  expect(await answer).toBeUndefined()
})
