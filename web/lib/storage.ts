import { NEUTRAL_COLORS, PRIMARY_COLORS, RADII, type Theme } from '../../contract/themes.ts'
import { z } from '../../contract/zod.ts'

// localStorage and cookies that never throw: a browser may block them or have no room left.

export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeLocal(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Nothing is lost that the server does not know.
  }
}

/** Calls back when another tab changes the key. Returns the unsubscriber. */
export function onLocalChange(key: string, changed: (value: string | null) => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === key) changed(event.newValue)
  }
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

export function readCookie(name: string): string | null {
  try {
    const pair = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`))
    return pair ? decodeURIComponent(pair.slice(name.length + 1)) : null
  } catch {
    return null
  }
}

/** `maxAge` in seconds; 0 removes the cookie. */
export function writeCookie(name: string, value: string, maxAge: number): void {
  try {
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
    document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`
  } catch {
    // A sandboxed document has no cookies.
  }
}

const YEAR = 31_536_000
const Preference = z.object({ lastSelectedId: z.uuid().nullable() })

/** Which collection was open last: the store's key `collection` and the cookie `collection-preference` (spec §9). */
export function readSelectedId(): string | null {
  for (const text of [readLocal('collection'), readCookie('collection-preference')]) {
    const id = parseJson(text, Preference)?.lastSelectedId
    if (id) return id
  }
  return null
}

export function writeSelectedId(lastSelectedId: string | null): void {
  const text = JSON.stringify({ lastSelectedId })
  writeLocal('collection', lastSelectedId && text)
  writeCookie('collection-preference', text, lastSelectedId ? YEAR : 0)
}

/** The person's own theme, as it was at the last visit. Without a schema: making one takes longer than all else that is read at the start. */
export function readTheme(): Theme | null {
  const primary = oneOf(PRIMARY_COLORS, 'primary')
  const neutral = oneOf(NEUTRAL_COLORS, 'neutral')
  const radius = oneOf(RADII, 'radius')
  const blackAsPrimary = oneOf([true, false], 'black-as-primary')
  if (primary === undefined || neutral === undefined || radius === undefined || blackAsPrimary === undefined) return null
  return { primary, neutral, radius, blackAsPrimary }
}

function oneOf<T>(values: readonly T[], key: string): T | undefined {
  const text = readLocal(key)
  return values.find((value) => String(value) === text)
}

/** A person's own theme, under the keys that public/first-paint.js reads before anything is drawn. */
export function writeTheme(theme: Theme | null): void {
  writeLocal('primary', theme?.primary ?? null)
  writeLocal('neutral', theme?.neutral ?? null)
  writeLocal('radius', theme ? String(theme.radius) : null)
  writeLocal('black-as-primary', theme ? String(theme.blackAsPrimary) : null)
}

const COLLECTION_THEMES = 'collection-themes'
const CollectionThemes = z.record(z.string(), z.string())
/** So many collections' themes are kept; the one that was opened longest ago is dropped. */
const KEPT_THEMES = 50

/** What a collection wore when it was last open, for public/first-paint.js as well. */
export function writeCollectionTheme(id: string, { primary, neutral, radius, blackAsPrimary }: Theme): void {
  const text = [blackAsPrimary ? 'black' : primary, neutral, radius].join(' ')
  const { [id]: known, ...others } = parseJson(readLocal(COLLECTION_THEMES), CollectionThemes) ?? {}
  if (known === text) return
  const newest = [...Object.entries(others), [id, text]].slice(-KEPT_THEMES)
  writeLocal(COLLECTION_THEMES, JSON.stringify(Object.fromEntries(newest)))
}

/** Nobody is signed in any more. */
export function forgetThemes(): void {
  writeTheme(null)
  writeLocal(COLLECTION_THEMES, null)
}

const APPEARANCES = ['system', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]

export function readAppearance(): Appearance {
  return oneOf(APPEARANCES, 'appearance') ?? 'system'
}

export function writeAppearance(appearance: Appearance): void {
  writeLocal('appearance', appearance === 'system' ? null : appearance)
}

export function parseJson<T>(text: string | null, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(text ?? 'null'))
  } catch {
    return null
  }
}
