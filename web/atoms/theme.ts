import { atom } from 'jotai'
import { COLLECTION_THEME, USER_THEME } from '../../contract/colors.ts'
import type { Theme } from '../../contract/themes.ts'
import { getUserTheme, putUserTheme } from '../../contract/users.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import {
  type Appearance,
  forgetThemes,
  OWN_THEME,
  readAppearance,
  readLocal,
  readTheme,
  writeAppearance,
  writeCollectionTheme,
  writeLocal,
  writeTheme,
} from '../lib/storage.ts'
import { confirmedCollectionsAtom, selectedCollectionAtom } from './collections.ts'

export type { Appearance }

/** As it was at the last visit, until it is fetched. */
const ownAtom = atom<Theme | null>(readTheme())
const previewAtom = atom<Theme | null>(null)
const modeAtom = atom<Appearance>(readAppearance())
const ownEverywhereStateAtom = atom(readLocal(OWN_THEME) === 'true')

export const userThemeAtom = atom((get) => get(ownAtom) ?? USER_THEME)

/** Whether a page of the open collection is shown, which then colours the shell. */
export const insideCollectionAtom = atom(false)

/** Shown instead of the saved theme while somebody tries colours out; null ends it. */
export const previewThemeAtom = atom(
  (get) => get(previewAtom),
  (_get, set, theme: Theme | null) => set(previewAtom, theme),
)

/** The theme that the screen wears now; null while nobody knows, so that the remembered one stays. */
export const shownThemeAtom = atom((get): Theme | null => {
  const preview = get(previewAtom)
  if (preview) return preview
  if (get(insideCollectionAtom) && !get(ownEverywhereStateAtom)) {
    const collection = get(selectedCollectionAtom)
    if (collection) return collection.theme ?? COLLECTION_THEME
    // Until it is known which one this page opens.
    if (collection === undefined || get(confirmedCollectionsAtom) === null) return null
  }
  return get(ownAtom)
})

export const appearanceAtom = atom(
  (get) => get(modeAtom),
  (_get, set, appearance: Appearance) => {
    set(modeAtom, appearance)
    writeAppearance(appearance)
  },
)

/** The person's own colours in collections as well; kept on this device. */
export const ownEverywhereAtom = atom(
  (get) => get(ownEverywhereStateAtom),
  (_get, set, own: boolean) => {
    set(ownEverywhereStateAtom, own)
    writeLocal(OWN_THEME, own ? 'true' : null)
  },
)

let fetching: Promise<void> | null = null

/** A theme that cannot be fetched changes nothing, silently (spec §8). */
export const fetchUserThemeAtom = atom(null, (_get, set) => {
  fetching = call(getUserTheme).then(
    ({ theme }) => set(setOwnThemeAtom, theme ?? USER_THEME),
    () => undefined,
  )
  return fetching
})

const setOwnThemeAtom = atom(null, (_get, set, theme: Theme) => {
  set(ownAtom, theme)
  writeTheme(theme)
})

/** Keeps the theme of the open collection for the next start. */
export const keepCollectionThemeAtom = atom(null, (get) => {
  const collection = get(selectedCollectionAtom)
  if (collection) writeCollectionTheme(collection.id, collection.theme ?? COLLECTION_THEME)
})

export const clearUserThemeAtom = atom(null, (_get, set) => {
  set(ownAtom, null)
  set(previewAtom, null)
  forgetThemes()
})

/** What is not changed stays as it is, also where that has still to arrive. */
export const saveUserThemeAtom = atom(null, async (get, set, change: Partial<Theme>) => {
  await fetching
  const theme = { ...get(userThemeAtom), ...change }
  const { theme: saved } = await named('Failed to update theme: {error}', call(putUserTheme, { body: theme }))
  set(setOwnThemeAtom, saved)
})
