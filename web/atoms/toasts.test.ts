import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TOASTS } from '../../contract/limits.ts'
import { addErrorToastAtom, addToastAtom, closeToastAtom, type NewToast, toastsAtom } from './toasts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function world() {
  const store = createStore()
  const titles = () => store.get(toastsAtom).map(({ title }) => title)
  return { store, titles, add: (title: string) => store.set(addToastAtom, { title }) }
}

test('At most five toasts are kept, and the oldest is dropped', () => {
  const { add, titles } = world()
  for (const title of ['1', '2', '3', '4', '5', '6']) add(title)
  expect(titles()).toEqual(['2', '3', '4', '5', '6'])
  expect(titles()).toHaveLength(TOASTS.max)
})

test('A closed toast is marked, and removed after its exit animation', () => {
  const { store, add, titles } = world()
  const id = add('bye')
  add('stays')
  store.set(closeToastAtom, id)
  expect(store.get(toastsAtom).map(({ open }) => open)).toEqual([false, true])
  vi.advanceTimersByTime(199)
  expect(titles()).toEqual(['bye', 'stays'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual(['stays'])
})

test('A toast with a known id replaces the earlier one, even during its exit animation', () => {
  const { store, titles } = world()
  store.set(addToastAtom, { id: 'uploads', title: 'old' })
  store.set(closeToastAtom, 'uploads')
  store.set(addToastAtom, { id: 'uploads', title: 'new' })
  vi.advanceTimersByTime(TOASTS.removalDelay)
  expect(titles()).toEqual(['new'])
})

test('A toast has every field it is given, and otherwise is neutral and can be closed', () => {
  const { store } = world()
  const full: NewToast = {
    ...{ id: 'moved', title: 'Moved', description: 'To May', icon: 'event', avatar: 'Ada', color: 'success' },
    ...{ actions: [{ label: 'Undo', onClick: () => {} }], close: false, progress: true, duration: 9_000, type: 'background' },
  }
  store.set(addToastAtom, full)
  const id = store.set(addToastAtom, { title: 'Saved' })
  expect(store.get(toastsAtom)).toEqual([
    { ...full, open: true },
    { id, title: 'Saved', color: 'neutral', actions: [], close: true, progress: false, duration: 5_000, type: 'foreground', open: true },
  ])
})

test('Closing an unknown toast does nothing', () => {
  const { store, titles } = world()
  store.set(closeToastAtom, 'nobody')
  expect(titles()).toEqual([])
})

test('A failure is shown in the danger colour for five seconds', () => {
  const { store } = world()
  store.set(addErrorToastAtom, 'Failed to create collection', 'The name is taken')
  expect(store.get(toastsAtom)[0]).toMatchObject({ color: 'danger', duration: 5000, description: 'The name is taken', close: true })
})

test('A button without a label is called Action', () => {
  const { store } = world()
  store.set(addToastAtom, { title: 'Moved', actions: [{ onClick: () => {} }, { label: 'Undo', onClick: () => {} }] })
  expect(store.get(toastsAtom)[0]?.actions.map(({ label }) => label)).toEqual(['Action', 'Undo'])
})
