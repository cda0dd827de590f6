import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { watchCardsAtom } from '../../atoms/cards.ts'

/** Keeps the counts and covers of all collections up to date while they are on the screen. */
export function useCards(): void {
  const watch = useSetAtom(watchCardsAtom)
  useEffect(() => watch(), [watch])
}
