import { atom } from 'jotai'
import { setLanguage } from '#language'
import { LANGUAGE_COOKIE } from '../../contract/language/languages.ts'
import type { Catalogue } from '../../contract/language/sentence.ts'
import { backOff } from '../lib/back-off.ts'
import { applyLanguage, deviceLanguage, type Loading, loadLanguage } from '../lib/language/load.ts'
import { sleep } from '../lib/scheduling.ts'
import { writeCookie } from '../lib/storage.ts'
import { untilNobodyWrites } from '../lib/until-nobody-writes.ts'

/** Milliseconds that the sentences have before the app begins in English. */
const TIMEOUT = 3_000
/** Seconds for which a device keeps its language. */
const YEAR = 31_536_000

const shownAtom = atom({ language: 'en', drawn: 0 })

/** Changes whenever everything must be drawn anew. */
export const languageKeyAtom = atom((get) => `${get(shownAtom).language} ${get(shownAtom).drawn}`)
export const languageAtom = atom((get) => get(shownAtom).language)

let wanted = 'en'
/** Increases with each language that is wanted: an older one is given up. */
let generation = 0

const showAtom = atom(null, (get, set, language: string, catalogue: Catalogue) => {
  setLanguage(language, catalogue)
  applyLanguage(language)
  set(shownAtom, { language, drawn: get(shownAtom).drawn + 1 })
})

interface Showing {
  loading?: Loading
  /** Whether it waits until nobody writes. */
  waits?: boolean
}

/**
 * Shows a language once its sentences are here; what is on the screen stays until then, which is English at the start. If they do not come soon, they are fetched
 * again until they are here or another language is wanted, and shown when nobody writes.
 */
export const showLanguageAtom = atom(
  null,
  async (get, set, language: string, { loading = loadLanguage(language), waits }: Showing = {}) => {
    wanted = language
    const begun = ++generation
    const isOver = () => begun !== generation
    const first = await Promise.race([loading.catalogue, sleep(TIMEOUT)])
    if (waits) await untilNobodyWrites(isOver)
    if (isOver()) return
    if (first) return set(showAtom, language, first)
    applyLanguage(get(languageAtom))
    void fetchAgain(language, loading.catalogue, isOver).then((catalogue) => catalogue && set(showAtom, language, catalogue))
  },
)

/** Null if it is over before. */
async function fetchAgain(language: string, slow: Promise<Catalogue | null>, isOver: () => boolean): Promise<Catalogue | null> {
  let catalogue = await slow
  for (let failures = 1; !catalogue && !isOver(); failures++) {
    await sleep(backOff(failures, Math.random()))
    catalogue = await loadLanguage(language).catalogue
  }
  await untilNobodyWrites(isOver)
  return isOver() ? null : catalogue
}

/** Shows the language that the user chose, on this device also before sign-in and the next time; null for that of the browser. */
export const chooseLanguageAtom = atom(null, async (get, set, language: string | null) => {
  keepOnDevice(language)
  const next = deviceLanguage()
  if (next !== wanted || next !== get(languageAtom)) await set(showLanguageAtom, next)
})

/** Shows the language that the user chose on another device, when nobody writes. */
export const followChoiceAtom = atom(null, async (_get, set, language: string | null) => {
  keepOnDevice(language)
  await set(followDeviceAtom)
})

/** Shows the language of the device, which another tab may have changed, when nobody writes. */
export const followDeviceAtom = atom(null, async (_get, set) => {
  const next = deviceLanguage()
  if (next !== wanted) await set(showLanguageAtom, next, { waits: true })
})

const keepOnDevice = (language: string | null) => writeCookie(LANGUAGE_COOKIE, language ?? '', language ? YEAR : 0)
