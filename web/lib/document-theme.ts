import { type Theme, USER_THEME } from '../../contract/themes.ts'

/** Dresses the document, and its icon; in the site's own colours where there is no theme. Before the app is there public/first-paint.js does. */
export function wearTheme(theme: Theme | null): void {
  const { primary, neutral, radius, blackAsPrimary } = theme ?? USER_THEME
  const { dataset } = document.documentElement
  dataset.primary = blackAsPrimary ? 'black' : primary
  dataset.neutral = neutral
  dataset.radius = String(radius)
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) icon.href = theme ? `/favicons/${dataset.primary}.svg` : '/favicon.svg'
}

/** The rail's width, for what is placed beside it. */
export function wearRail(narrow: boolean): void {
  const { dataset } = document.documentElement
  if (narrow) dataset.rail = 'narrow'
  else delete dataset.rail
}

/** Of the browser's own parts too: its bar has a colour for light and one for dark, in this order. */
export function wearAppearance(appearance: 'system' | 'light' | 'dark'): void {
  const { dataset } = document.documentElement
  if (appearance === 'system') delete dataset.appearance
  else dataset.appearance = appearance
  document.querySelector('meta[name=color-scheme]')?.setAttribute('content', appearance === 'system' ? 'light dark' : appearance)
  for (const [nth, scheme] of (['light', 'dark'] as const).entries()) {
    const bar = document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')[nth]
    if (bar) bar.media = appearance === 'system' ? `(prefers-color-scheme: ${scheme})` : appearance === scheme ? 'all' : 'not all'
  }
}
