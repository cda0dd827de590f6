import type { RefObject } from 'react'
import { useShortcut } from '../use-shortcut.ts'

/** J and K lead from article to article of a list; from elsewhere, to the first that can be seen. */
export function useEntryKeys(list: RefObject<HTMLElement | null>): void {
  const step = (by: 1 | -1) => {
    const articles = [...(list.current?.querySelectorAll<HTMLElement>('article') ?? [])]
    const at = articles.findIndex((article) => article.contains(document.activeElement))
    const next = at < 0 ? articles.find((article) => article.getBoundingClientRect().top >= 0) : articles[at + by]
    next?.scrollIntoView({ block: 'nearest' })
    next?.focus({ preventScroll: true })
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
}
