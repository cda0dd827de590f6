import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { USER_THEME } from '../../contract/colors.ts'
import type { Theme } from '../../contract/themes.ts'
import { getUserTheme, putUserTheme } from '../../contract/users.ts'
import { ApiError, call } from '../lib/api.ts'
import { chooseUserThemeAtom, clearUserThemeAtom, shownThemeAtom } from './theme.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

/** The theme stored on the server. */
let saved: Theme
/** Answer the changes that wait, oldest first; with an error if it is given. */
let answers: ((error?: Error) => void)[]

beforeEach(() => {
  saved = USER_THEME
  answers = []
  vi.mocked(call).mockImplementation((async (endpoint: unknown, options?: { body: Theme }) => {
    if (endpoint === getUserTheme) return { theme: saved }
    if (endpoint !== putUserTheme || !options) throw new Error('Nothing else is called')
    await new Promise<void>((resolve, reject) => answers.push((error) => (error ? reject(error) : resolve())))
    saved = options.body
    return { theme: saved }
  }) as typeof call)
})

const answer = async (error?: Error) => {
  await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(0)
  answers.shift()?.(error)
}

function choices() {
  const store = createStore()
  const choose = (change: Partial<Theme>) => store.set(chooseUserThemeAtom, { ...(store.get(shownThemeAtom) ?? USER_THEME), ...change })
  return { choose, shown: () => store.get(shownThemeAtom), store }
}

test('Two quick choices of colours are both shown and saved', async () => {
  const { choose, shown } = choices()
  const both = { ...USER_THEME, primary: 'blue', neutral: 'zinc' }
  const first = choose({ primary: 'blue' })
  const second = choose({ neutral: 'zinc' })
  await answer()
  await first
  expect(shown()).toEqual(both)
  await answer()
  await second
  expect([shown(), saved]).toEqual([both, both])
})

test('A choice of colours that cannot be saved is shown no longer, and the next one is saved', async () => {
  const { choose, shown } = choices()
  const first = choose({ primary: 'blue' })
  const second = choose({ neutral: 'zinc' })
  await answer(new ApiError('unavailable', 'The database does not answer'))
  await expect(first).rejects.toThrow('Failed to update theme: The database does not answer')
  await answer()
  await second
  const zinc = { ...USER_THEME, neutral: 'zinc' }
  expect([shown(), saved]).toEqual([zinc, zinc])
})

test('A choice of colours keeps what was chosen in another tab meanwhile', async () => {
  const { choose } = choices()
  saved = { ...USER_THEME, primary: 'rose' }
  const chosen = choose({ neutral: 'zinc' })
  await answer()
  await chosen
  expect(saved).toEqual({ ...USER_THEME, primary: 'rose', neutral: 'zinc' })
})

test('Colours can be saved after a user signed out whose choice was not answered', async () => {
  const { choose, store } = choices()
  void choose({ primary: 'blue' })
  store.set(clearUserThemeAtom)
  const chosen = choose({ neutral: 'zinc' })
  await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(2)
  await answer()
  await answer()
  await chosen
  expect(saved.neutral).toBe('zinc')
})
