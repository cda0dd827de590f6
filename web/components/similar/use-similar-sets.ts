import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { differentSetsAtom } from '../../atoms/similar.ts'
import { tilesAtom } from '../../atoms/tiles.ts'
import { rowsById } from '../../lib/content/merge.ts'
import { differenceIn } from '../../lib/similar/different.ts'
import { createSearch } from '../../lib/similar/search.ts'

interface SimilarSets {
  /** The best of each first; null until they are known. */
  sets: Asset[][] | null
  /** The last search ended with an error. */
  failed: boolean
  again: () => void
}

/** Photos of the open collection that look alike. Follows changes: what is gone leaves its set at once, what has come is found by a search after that under way. */
export function useSimilarSets(): SimilarSets {
  const tiles = useAtomValue(tilesAtom)
  const different = useAtomValue(differentSetsAtom)
  const areDifferent = useMemo(() => differenceIn(different), [different])
  const [{ found, failed }, setState] = useState<{ found: readonly string[][] | null; failed: boolean }>({ found: null, failed: false })
  const search = useRef<ReturnType<typeof createSearch>>(null)
  useEffect(() => {
    const mine = createSearch((sets) => setState((last) => (sets ? { found: sets, failed: false } : { ...last, failed: true })))
    search.current = mine
    return () => mine.stop()
  }, [])
  const again = () => search.current?.ask(tiles, areDifferent)
  useEffect(() => search.current?.ask(tiles, areDifferent), [tiles, areDifferent])
  const sets = useMemo(() => {
    const byId = rowsById(tiles)
    return found?.map((ids) => stillAlike(ids, byId, areDifferent)).filter((set) => set.length > 1) ?? null
  }, [found, tiles, areDifferent])
  return { sets, failed, again }
}

function stillAlike(ids: readonly string[], byId: ReadonlyMap<string, Asset>, areDifferent: (a: string, b: string) => boolean): Asset[] {
  const [first, ...others] = ids.flatMap((id) => byId.get(id) ?? [])
  return first ? [first, ...others.filter(({ id }) => !areDifferent(first.id, id))] : []
}
