import { callAs, forgetCalls, onSignedOut } from '../lib/api.ts'
import { onPostUpdated } from '../lib/content/events.ts'
import { setReader } from '../lib/dates/reader-settings.ts'
import { applyAppearance, applyRail, applyTheme } from '../lib/document-theme.ts'
import { guestLink } from '../lib/guest/link.ts'
import { viewAt } from '../lib/links.ts'
import { removeDeletedKeys, storedTheme } from '../lib/storage.ts'
import { onTabMessage } from '../lib/tabs.ts'
import { noticeWriting } from '../lib/until-nobody-writes.ts'
import { refreshCardsAtom } from './cards.ts'
import { circleAtom, circleErrorAtom } from './circle.ts'
import {
  clearCollectionsAtom,
  fetchAllAtom,
  ownSelectedIdAtom,
  recallCollectionsAtom,
  refreshStaleAtom,
  rememberSelectionAtom,
  selectedCollectionAtom,
} from './collections.ts'
import { clearContentAtom } from './content.ts'
import { listenForKeys } from './global-keys.ts'
import { followChoiceAtom, followDeviceAtom } from './language.ts'
import { isLiveAtom } from './live.ts'
import { loadBackground, loadDevice, loadLive, loadOutbox } from './load-when-idle.ts'
import { dismissOverlaysAtom } from './overlays.ts'
import { compareProfileAtom, dateSettingsKeyAtom, displayLanguageAtom, followUserAtom, profileAtom } from './profile.ts'
import { railNarrowAtom } from './rail.ts'
import { askSessionAtom, forgetSessionAtom, REFRESH_TICK, refreshTickAtom, sessionUserAtom, sessionUserIdAtom } from './session.ts'
import type { store } from './store.ts'
import {
  appearanceAtom,
  clearUserThemeAtom,
  fetchUserThemeAtom,
  insideCollectionAtom,
  keepCollectionThemeAtom,
  shownThemeAtom,
} from './theme.ts'
import { listenForUndo } from './undo-key.ts'

/** Milliseconds after which a window that comes to the front refreshes its lists, if live updates are not connected. */
const STALE = 15_000

/** Connects the atoms to events outside of them: end of the session, other tabs, the clock, the window. Call once, at start. */
export function startApp(app: typeof store): void {
  removeDeletedKeys()
  app.sub(sessionUserIdAtom, () => void onUser(app, app.get(sessionUserIdAtom)))
  app.sub(sessionUserAtom, () => void app.set(compareProfileAtom))
  app.set(insideCollectionAtom, viewAt(location.pathname) !== null)
  app.sub(shownThemeAtom, () => applyShownTheme(app))
  if (!guestLink) app.sub(selectedCollectionAtom, () => app.set(keepCollectionThemeAtom))
  app.sub(displayLanguageAtom, () => followDisplayLanguage(app))
  app.sub(dateSettingsKeyAtom, () => setReader(app.get(profileAtom)))
  app.sub(ownSelectedIdAtom, () => app.set(rememberSelectionAtom))
  app.sub(railNarrowAtom, () => applyRail(app.get(railNarrowAtom)))
  app.sub(appearanceAtom, () => applyAppearance(app.get(appearanceAtom)))
  onSignedOut((byAnother) => {
    if (byAnother) void app.set(askSessionAtom).catch(() => undefined)
    else app.set(forgetSessionAtom, 'lost')
  })
  if (!guestLink)
    onTabMessage((message) => {
      if (message === 'signed-out') app.set(forgetSessionAtom, 'left')
      else void app.set(askSessionAtom).catch(() => undefined)
    })
  onPostUpdated(() => app.set(refreshCardsAtom))
  listenForKeys(app)
  listenForUndo(app)
  noticeWriting()
  setInterval(() => void app.set(refreshTickAtom, Date.now()), REFRESH_TICK)
  const wake = () => void onWake(app)
  addEventListener('focus', wake)
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
}

let lastLanguage: string | null = null

/** The language of a profile counts on each device of the user. A profile without one leaves the language of the device as it is. */
function followDisplayLanguage(app: typeof store): void {
  const language = app.get(displayLanguageAtom)
  if (language !== undefined && (language !== null || lastLanguage !== null)) void app.set(followChoiceAtom, language)
  lastLanguage = language ?? null
}

let lastUserId: string | null = null

async function onUser(app: typeof store, userId: string | null): Promise<void> {
  const left = lastUserId !== null
  lastUserId = userId
  forgetCalls()
  callAs(userId)
  app.set(clearContentAtom)
  app.set(clearCollectionsAtom)
  app.set(circleAtom, () => null)
  app.set(circleErrorAtom, () => null)
  // Also if another user has signed in in another tab in the meantime.
  if (left) {
    if (!guestLink) app.set(clearUserThemeAtom)
    applyTheme(null)
    app.set(dismissOverlaysAtom)
  }
  if (guestLink) {
    if (userId === null) return
    loadLive(app)
    loadOutbox(app)
    return app.set(fetchAllAtom)
  }
  if (userId !== null) {
    void app.set(recallCollectionsAtom)
    loadLive(app)
    loadDevice(app)
    loadOutbox(app)
    loadBackground(app)
  }
  await Promise.all([app.set(followUserAtom, userId), ...(userId === null ? [] : [app.set(fetchAllAtom), app.set(fetchUserThemeAtom)])])
}

async function onWake(app: typeof store): Promise<void> {
  if (document.visibilityState === 'visible') void app.set(followDeviceAtom)
  if (document.visibilityState !== 'visible' || app.get(sessionUserIdAtom) === null) return
  await app.set(refreshTickAtom, Date.now())
  loadLive(app)
  if (!guestLink) loadDevice(app)
  loadOutbox(app)
  if (!app.get(isLiveAtom)) await app.set(refreshStaleAtom, STALE)
}

function applyShownTheme(app: typeof store): void {
  const theme = app.get(shownThemeAtom)
  if (theme) applyTheme(storedTheme(theme))
}
