import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { ownViewAtom } from '../../atoms/live.ts'
import { viewAt } from '../../lib/links.ts'

/** Lets the others in the collection know which of its views this person looks at, and which item is open. */
export function useOwnView(): void {
  const setOwnView = useSetAtom(ownViewAtom)
  const view = viewAt(useLocation().pathname)?.view ?? null
  const [search] = useSearchParams()
  const itemId = search.get('item')
  useEffect(() => {
    setOwnView(view && { view, itemId: itemId && UUID.test(itemId) ? itemId : null })
  }, [setOwnView, view, itemId])
  useEffect(() => () => setOwnView(null), [setOwnView])
}

/** The room ignores all that is said with something else in it. */
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
