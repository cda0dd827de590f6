import { expect, test, vi } from 'vitest'
import { hasHandler, keyOf, meaningOf, notifyShellReady, perform, registerShortcut, SHORTCUTS } from './shortcuts.ts'

const press = (key: string, more: object = {}) =>
  keyOf({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })

test.each([
  [press('g'), 'g'],
  [press('G', { shiftKey: true }), 'g'],
  [press('?', { shiftKey: true }), '?'],
  [press('/', { shiftKey: true, code: 'Digit7' }), '/'],
  [press('k', { metaKey: true }), 'mod+k'],
  [press('K', { ctrlKey: true }), 'mod+k'],
  [press('п', { code: 'KeyG' }), 'g'],
  [press('л', { code: 'KeyK', ctrlKey: true }), 'mod+k'],
  [press('@', { altKey: true }), null],
  [press('Escape'), 'escape'],
])('Key press %#: %j', (key, expected) => {
  expect(key).toBe(expected)
})

test('Keys map to the actions of the table', () => {
  expect(meaningOf(['g'])).toBe('begun')
  expect(meaningOf(['g', 'm'])).toBe('go-media')
  expect(meaningOf(['g', 'x'])).toBeNull()
  expect(meaningOf(['mod+k'])).toBe('palette')
  expect(meaningOf(['mod+g'])).toBeNull()
})

test('No two shortcuts use the same keys', () => {
  const bound = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts).filter(({ id }) => id)
  const keys = bound.map((shortcut) => shortcut.keys.join(' '))
  expect(new Set(keys).size).toBe(keys.length)
  // The first key of a pair has no action of its own.
  for (const one of keys) expect(keys.filter((other) => other.startsWith(`${one} `))).toEqual([])
})

test('The handler registered last is called, and none after it is unregistered', () => {
  const called: string[] = []
  const first = registerShortcut('new', () => called.push('first'))
  const second = registerShortcut('new', () => called.push('second'))
  expect(perform('new')).toBe(true)
  second()
  perform('new')
  first()
  expect([called, perform('new'), hasHandler('new')]).toEqual([['second', 'first'], false, false])
})

test('A key press waits for the shell, then ten seconds for a handler, and only the newest is kept', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const called: string[] = []
  const register = (id: 'new' | 'help' | 'palette' | 'upload') => registerShortcut(id, () => called.push(id))
  perform('new')
  vi.advanceTimersByTime(60_000)
  notifyShellReady()
  vi.advanceTimersByTime(9_999)
  register('new')
  perform('help')
  perform('palette')
  register('help')
  register('palette')
  perform('upload')
  vi.advanceTimersByTime(10_001)
  register('upload')
  await Promise.resolve()
  expect(called).toEqual(['new', 'palette'])
  vi.useRealTimers()
})

test('Select all where there is no list selects nothing in a list that appears afterwards', async () => {
  let selected = 0
  expect(perform('select-all')).toBe(false)
  const end = registerShortcut('select-all', () => selected++)
  await Promise.resolve()
  expect(selected).toBe(0)
  end()
})
