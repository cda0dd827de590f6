import { atom } from 'jotai'
import { t } from '#say'
import { COLLECTION_THEME, USER_THEME } from '../../contract/colors.ts'
import type { Theme } from '../../contract/themes.ts'
import { getUserTheme, putUserTheme } from '../../contract/users.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { inTurn } from '../lib/in-turn.ts'
import { takePrefetched } from '../lib/start/prefetched.ts'
import {
  type Appearance,
  forgetThemes,
  OWN_THEME,
  readAppearance,
  readTheme,
  writeAppearance,
  writeCollectionTheme,
  writeTheme,
} from '../lib/storage.ts'
import { confirmedCollectionsAtom, selectedCollectionAtom } from './collections.ts'
import { storedAtom } from './stored-atom.ts'

export type { Appearance }

/** The theme of the last visit, until it is fetched. */
const ownAtom = atom<Theme | null>(readTheme())
const previewAtom = atom<Theme | null>(null)
const modeAtom = atom<Appearance>(readAppearance())

export const userThemeAtom = atom((get) => get(ownAtom) ?? USER_THEME)

/** Whether a page of the open collection is shown; its theme then applies to the shell. */
export const insideCollectionAtom = atom(false)

/** Replaces the saved theme while the user tries colours; null ends the preview. */
export const previewThemeAtom = atom(
  (get) => get(previewAtom),
  (_get, set, theme: Theme | null) => set(previewAtom, theme),
)

/** The theme shown now; null while unknown, so that the stored one stays. */
export const shownThemeAtom = atom((get): Theme | null => {
  const preview = get(previewAtom)
  if (preview) return preview
  if (get(insideCollectionAtom) && !get(ownEverywhereAtom)) {
    const collection = get(selectedCollectionAtom)
    if (collection) return collection.theme ?? COLLECTION_THEME
    // Unknown until the server has confirmed which collection this page opens.
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

/** Whether the user's own colours also apply inside collections. */
export const ownEverywhereAtom = storedAtom(OWN_THEME, 'true', true, false)

let fetching: Promise<void> | null = null

/** A theme that cannot be fetched changes nothing, without a message. */
export const fetchUserThemeAtom = atom(null, (_get, set) => {
  fetching = call(getUserTheme, { early: takePrefetched('theme') }).then(
    ({ theme }) => set(setOwnThemeAtom, theme ?? USER_THEME),
    () => undefined,
  )
  return fetching
})

const setOwnThemeAtom = atom(null, (_get, set, theme: Theme) => {
  set(ownAtom, theme)
  writeTheme(theme)
})

/** Stores the theme of the open collection for the next start. */
export const keepCollectionThemeAtom = atom(null, (get) => {
  const collection = get(selectedCollectionAtom)
  if (collection) writeCollectionTheme(collection.id, collection.theme ?? COLLECTION_THEME)
})

export const clearUserThemeAtom = atom(null, (_get, set) => {
  set(ownAtom, null)
  set(previewAtom, null)
  saveInTurn = inTurn()
  forgetThemes()
})

let saveInTurn = inTurn()

/** Shows a theme at once and saves what differs from the one shown before. A choice that cannot be saved is shown no longer. Throws ActionError. */
export const chooseUserThemeAtom = atom(null, async (get, set, theme: Theme) => {
  const change = changesOf(get(previewAtom) ?? get(userThemeAtom), theme)
  set(previewAtom, theme)
  const save = async () => {
    await fetching
    // Another tab or device may have changed the other fields.
    const { theme: newest } = await call(getUserTheme, { retries: 0 })
    return call(putUserTheme, { body: { ...(newest ?? USER_THEME), ...change } })
  }
  try {
    const { theme: saved } = await saveInTurn(() => named(t`Failed to update theme`, save(), true))
    set(setOwnThemeAtom, saved)
  } finally {
    // A later choice stays.
    if (get(previewAtom) === theme) set(previewAtom, null)
  }
})

function changesOf(before: Theme, after: Theme): Partial<Theme> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name as keyof Theme]))
}
