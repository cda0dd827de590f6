import { NEUTRAL_COLORS, PRIMARY_COLORS, RADII } from '../../contract/colors.ts'
import type { Theme } from '../../contract/themes.ts'
import type { z } from '../../contract/zod.ts'
import { jsonOf } from './json.ts'

// localStorage and cookies that never throw: a browser may block them or run out of room. The head script (web/head) uses them too, so
// this file imports no schema.

/** Keys that the head script reads as well. They are stored on devices, so they never change. */
export const DEVICE_USER = 'device-user'
export const OWN_THEME = 'own-theme'
export const RAIL = 'rail'

/** Names of colours and radius, as the document's data attributes take them. */
export interface StoredTheme {
  primary: string
  neutral: string
  radius: string
}

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
    // The server still has everything that matters.
  }
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
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isUuid = (text: string) => UUID.test(text)

/** Collection that was open last: the key `collection` in localStorage and the cookie `collection-preference`. */
export function readSelectedId(): string | null {
  for (const text of [readLocal('collection'), readCookie('collection-preference')]) {
    const id = readObject(text)?.lastSelectedId
    if (typeof id === 'string' && isUuid(id)) return id
  }
  return null
}

export function writeSelectedId(lastSelectedId: string | null): void {
  const text = JSON.stringify({ lastSelectedId })
  writeLocal('collection', lastSelectedId && text)
  writeCookie('collection-preference', text, lastSelectedId ? YEAR : 0)
}

export function readTheme(): Theme | null {
  const primary = oneOf(PRIMARY_COLORS, 'primary')
  const neutral = oneOf(NEUTRAL_COLORS, 'neutral')
  const radius = oneOf(RADII, 'radius')
  const blackAsPrimary = oneOf([true, false], 'black-as-primary')
  if (primary === undefined || neutral === undefined || radius === undefined || blackAsPrimary === undefined) return null
  return { primary, neutral, radius, blackAsPrimary }
}

export function readStoredTheme(): StoredTheme | null {
  const theme = readTheme()
  return theme && storedTheme(theme)
}

/** On the document, black is one of the primary colours. */
export function storedTheme({ primary, neutral, radius, blackAsPrimary }: Theme): StoredTheme {
  return { primary: blackAsPrimary ? 'black' : primary, neutral, radius: String(radius) }
}

function isKnown(values: readonly unknown[], text: string): boolean {
  return values.some((value) => String(value) === text)
}

function oneOf<T>(values: readonly T[], key: string): T | undefined {
  const text = readLocal(key)
  return values.find((value) => String(value) === text)
}

export function writeTheme(theme: Theme | null): void {
  writeLocal('primary', theme?.primary ?? null)
  writeLocal('neutral', theme?.neutral ?? null)
  writeLocal('radius', theme ? String(theme.radius) : null)
  writeLocal('black-as-primary', theme ? String(theme.blackAsPrimary) : null)
}

const COLLECTION_THEMES = 'collection-themes'
/** Number of themes stored; the one opened longest ago is dropped. */
const KEPT_THEMES = 50

/** Theme of a collection when it was last open, as names of colours and radius. */
export function readCollectionTheme(id: string): StoredTheme | null {
  const text = readObject(readLocal(COLLECTION_THEMES))?.[id]
  const [primary = '', neutral = '', radius = ''] = typeof text === 'string' ? text.split(' ') : []
  const known = isKnown([...PRIMARY_COLORS, 'black'], primary) && isKnown(NEUTRAL_COLORS, neutral) && isKnown(RADII, radius)
  return known ? { primary, neutral, radius } : null
}

export function writeCollectionTheme(id: string, theme: Theme): void {
  const { primary, neutral, radius } = storedTheme(theme)
  const text = [primary, neutral, radius].join(' ')
  const { [id]: known, ...others } = readObject(readLocal(COLLECTION_THEMES)) ?? {}
  if (known === text) return
  const newest = [...Object.entries(others), [id, text]].slice(-KEPT_THEMES)
  writeLocal(COLLECTION_THEMES, JSON.stringify(Object.fromEntries(newest)))
}

/** For sign-out. */
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

const STORED = 'stored-collections'
const storedIds = () => readLocal(STORED)?.split(' ') ?? []

/** Whether the content of a collection is probably on this device, so that the head script need not ask for it. */
export function isStored(collectionId: string): boolean {
  return storedIds().includes(collectionId)
}

/** Adds a collection to those stored, or removes it. */
export function setStored(collectionId: string, stored: boolean): void {
  if (isStored(collectionId) === stored) return
  const others = storedIds().filter((id) => id !== collectionId)
  writeLocal(STORED, [...others, ...(stored ? [collectionId] : [])].join(' ') || null)
}

/** For a change of user. */
export function forgetStored(): void {
  writeLocal(STORED, null)
}

function readObject(text: string | null): Record<string, unknown> | null {
  const value = jsonOf(text)
  return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
}

export function parseJson<T>(text: string | null, schema: z.ZodType<T>): T | null {
  return schema.safeParse(jsonOf(text)).data ?? null
}

/** Removes data of earlier versions that is no longer read: snapshots of pages, as private HTML. */
export function removeDeletedKeys(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key === 'snapshots' || key.startsWith('snapshot:')) localStorage.removeItem(key)
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}
