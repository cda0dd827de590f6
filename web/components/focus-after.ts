import { isCovered } from '../lib/palette/key-owner.ts'
import { giveFocus } from './give-focus.ts'

/**
 * Called before items disappear, or become one. The returned function focuses the item shown after them, if the focus is lost with them; one of
 * them if there is no other, and without any the heading of the panel they were in, or the view.
 */
export function focusAfter(gone: readonly { id: string }[]): () => void {
  const ids = new Set(gone.map(({ id }) => id))
  const places = [...document.querySelectorAll<HTMLElement>('[data-selectable]')]
  const isGone = ({ dataset }: HTMLElement) => ids.has(dataset.selectable ?? '')
  const focused = places.findIndex((place) => place.contains(document.activeElement))
  const at = focused < 0 ? places.findIndex(isGone) : focused
  const others = [...places.slice(at), ...places.slice(0, at).reverse()]
  const next = at < 0 ? [] : [...others.filter((place) => !isGone(place)), ...places.filter(isGone)]
  const panel = places[at]?.closest('aside')
  return () =>
    giveFocus(() => {
      if (isCovered()) return null
      // Photos that are arranged anew may be other elements.
      const shown = new Map(
        [...document.querySelectorAll<HTMLElement>('[data-selectable]')].map((place) => [place.dataset.selectable, place]),
      )
      const place = next.flatMap(({ dataset }) => shown.get(dataset.selectable) ?? [])[0]
      const item = place?.matches('button') ? place : place?.querySelector<HTMLElement>('button:not([data-select-check])')
      return item ?? panel?.querySelector<HTMLElement>('h2[tabindex]') ?? document.getElementById('content')
    })
}
