import { setLanguage } from '#language'
import { t } from '#say'
import { applyAppearance, applyRail, applyTheme } from '../lib/document-theme.ts'
import { applyLanguage, deviceLanguage, loadLanguage } from '../lib/language/load.ts'
import { prefetch } from '../lib/start/prefetch.ts'
import {
  DEVICE_USER,
  isStored,
  isUuid,
  OWN_THEME,
  RAIL,
  readAppearance,
  readCollectionTheme,
  readLocal,
  readSelectedId,
  readStoredTheme,
} from '../lib/storage.ts'
import { restrictScripts } from './default-policy.ts'
import { loadApp, preloadPage, preloadPhotos } from './load.ts'

// The script in the head of every page. It runs before the first paint and before the app's code is loaded. dev/head-script.ts builds it
// into a separate file, since the content security policy allows no inline scripts.

declare global {
  /** The file of each language but English; filled in by dev/head-script.ts. */
  var LANGUAGE_FILES: Record<string, string>
}

const CARRIES_FILES = 'Files'

/** Id of the collection that the page is of; null outside of collections. */
function collectionOf({ pathname, search }: Location): string | null {
  return /^\/collections\/\w/.test(pathname) ? (new URLSearchParams(search).get('c') ?? readSelectedId()) : null
}

/** Whether it is the page of media from its beginning and without filters. */
function showsNewest({ pathname, search, hash }: Location): boolean {
  return /^\/collections\/media(\?c=[^&#]*)?$/.test(pathname + search + hash)
}

/** Restores theme and rail from the last visit. */
function restoreLook(collection: string | null): void {
  const inCollection = collection !== null && readLocal(OWN_THEME) !== 'true'
  const theme = (inCollection && readCollectionTheme(collection)) || readStoredTheme()
  if (theme) applyTheme(theme)
  applyAppearance(readAppearance())
  applyRail(readLocal(RAIL) === 'narrow')
}

/** Keeps the browser's one-time install event, and prevents its own prompt (lib/pwa/install.ts). */
function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    Object.assign(globalThis, { installOffer: event })
    dispatchEvent(new Event('installoffer'))
  })
}

/** A file dropped outside a drop zone would replace the app. */
function refuseStrayFiles(): void {
  const refuse = (event: DragEvent) => {
    const isFileInput = event.target instanceof HTMLInputElement && event.target.type === 'file'
    if (event.defaultPrevented || !event.dataTransfer?.types.includes(CARRIES_FILES) || isFileInput) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  addEventListener('dragover', refuse)
  addEventListener('drop', refuse)
}

/** Reports that the app could not be loaded, which only this script can detect. */
function reportMissingApp(): void {
  const report = async () => {
    const { language, catalogue } = loading
    setLanguage(language, (await catalogue) ?? {})
    const root = document.getElementById('root')
    if (!root || root.hasChildNodes()) return
    const message = Object.assign(document.createElement('p'), { textContent: t`Cairn could not be loaded. Check the connection. ` })
    message.setAttribute('role', 'alert')
    message.style.cssText = 'margin: 20vh auto 0; max-width: 24rem; padding: 1rem; text-align: center; font-family: system-ui'
    message.append(Object.assign(document.createElement('a'), { href: location.href, textContent: t`Try again` }))
    root.append(message)
  }
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && void report(), true)
}

/** Of a link, whoever is signed in (lib/guest/link.ts). */
const isGuest = new URLSearchParams(location.search).has('link')
const isSignedIn = readLocal(DEVICE_USER) !== null
const collection = collectionOf(location)
const drawn = document.querySelector<HTMLMetaElement>('meta[name=cairn-app]')
const loading = loadLanguage(deviceLanguage(), LANGUAGE_FILES)
globalThis.startLanguage = { files: LANGUAGE_FILES, loading }
// A drawn page is in a language already.
if (!drawn) applyLanguage(loading.language)
restrictScripts()
restoreLook(collection)
keepInstallOffer()
refuseStrayFiles()
reportMissingApp()
if (drawn) loadApp(drawn, isSignedIn)
else {
  if (!isGuest) prefetch(collection && isUuid(collection) ? { id: collection, content: !isStored(collection) } : undefined)
  preloadPage(location.pathname)
  if (showsNewest(location)) void preloadPhotos()
}
