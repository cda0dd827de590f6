import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { collectionLink } from '../../lib/links.ts'
import { fetchAhead } from '../../lib/load-failure.ts'
import { useAsk } from '../overlays/overlay-outlet.tsx'
import { useAct } from '../overlays/use-act.ts'

const load = () => import('./new-collection-dialog.tsx')

/** Opens the dialog for a new collection, and then the collection's media view. */
export function useNewCollection() {
  const ask = useAsk()
  const act = useAct()
  const navigate = useNavigate()
  useEffect(() => fetchAhead(load), [])
  return useCallback(
    () =>
      act(async () => {
        const { NewCollectionDialog } = await load()
        const collection = await ask(NewCollectionDialog, {})
        if (collection) await navigate(collectionLink('media', collection.id))
      }),
    [act, ask, navigate],
  )
}
