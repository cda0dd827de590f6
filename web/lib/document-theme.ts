import { USER_THEME } from '../../contract/colors.ts'
import type { StoredTheme } from './storage.ts'

/** Sets colours and radius of the document, and its icon; null sets the defaults of the site. */
export function applyTheme(theme: StoredTheme | null): void {
  const { primary, neutral, radius } = theme ?? USER_THEME
  Object.assign(document.documentElement.dataset, { primary, neutral, radius: String(radius) })
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) icon.href = theme ? `/favicons/${primary}.svg` : '/favicon.svg'
}

/** Sets the width of the rail; the layout beside it depends on it. */
export function applyRail(narrow: boolean): void {
  const { dataset } = document.documentElement
  if (narrow) dataset.rail = 'narrow'
  else delete dataset.rail
}

/** Sets light or dark, also for the browser's own controls. The page has two `theme-color` tags, for light and dark in this order. */
export function applyAppearance(appearance: 'system' | 'light' | 'dark'): void {
  const { dataset } = document.documentElement
  if (appearance === 'system') delete dataset.appearance
  else dataset.appearance = appearance
  document.querySelector('meta[name=color-scheme]')?.setAttribute('content', appearance === 'system' ? 'light dark' : appearance)
  for (const [nth, scheme] of (['light', 'dark'] as const).entries()) {
    const bar = document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')[nth]
    if (bar) bar.media = appearance === 'system' ? `(prefers-color-scheme: ${scheme})` : appearance === scheme ? 'all' : 'not all'
  }
}
