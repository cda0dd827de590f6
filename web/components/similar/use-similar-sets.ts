import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useState } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { differentSetsAtom } from '../../atoms/similar.ts'
import { tilesAtom } from '../../atoms/tiles.ts'
import { rowsById } from '../../lib/content/merge.ts'
import { differenceIn } from '../../lib/similar/different.ts'
import { findSimilar } from '../../lib/similar/find-similar.ts'

/**
 * Photos of the open collection that look alike, set by set; null until they are known. Follows changes: what is gone leaves its set at once, what has come is
 * found a moment later.
 */
export function useSimilarSets(): Asset[][] | null {
  const tiles = useAtomValue(tilesAtom)
  const different = useAtomValue(differentSetsAtom)
  const areDifferent = useMemo(() => differenceIn(different), [different])
  const [found, setFound] = useState<readonly (readonly string[])[] | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    void findSimilar(tiles, { areDifferent, signal }).then((sets) => {
      if (sets && !signal.aborted) setFound(sets.map((set) => set.map(({ id }) => id)))
    })
    return () => stop.abort()
  }, [tiles, areDifferent])
  if (!found) return null
  const byId = rowsById(tiles)
  return found.map((ids) => stillAlike(ids, byId, areDifferent)).filter((set) => set.length > 1)
}

function stillAlike(
  [first = '', ...others]: readonly string[],
  byId: ReadonlyMap<string, Asset>,
  areDifferent: (a: string, b: string) => boolean,
): Asset[] {
  return [first, ...others.filter((id) => !areDifferent(first, id))].flatMap((id) => byId.get(id) ?? [])
}
