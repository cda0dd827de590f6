import { useAtomValue } from 'jotai'
import { type RefObject, useEffect } from 'react'
import { searchWordsAtom } from '../atoms/filters.ts'
import { markWords } from '../lib/filters/highlight.ts'

/** Marks what is searched for in those parts of an element that carry `data-searched`. `shown` is what they show: another has other marks. */
export function useMarkedWords(ref: RefObject<HTMLElement | null>, shown: unknown): void {
  const words = useAtomValue(searchWordsAtom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is what triggers it
  useEffect(() => markWords(ref.current?.querySelectorAll('[data-searched]') ?? [], words), [ref, words, shown])
}
