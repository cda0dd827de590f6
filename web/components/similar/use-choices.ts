import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { mayRemoveAtom } from '../../atoms/rights.ts'
import { postsShowingAtom } from '../../atoms/similar.ts'
import { keptByDefault } from '../../lib/similar/keep.ts'

/** Which photos of a set are kept: those that the user may not remove, those that were chosen, and otherwise what is the best or may be missed. */
export function useChoices(set: readonly Asset[]) {
  const mayRemove = useAtomValue(mayRemoveAtom)
  const postsOf = useAtomValue(postsShowingAtom)
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map())
  const byDefault = keptByDefault(set)
  const isKept = (asset: Asset) => !mayRemove(asset) || (choices.get(asset.id) ?? (byDefault.has(asset.id) || postsOf(asset.id).length > 0))
  return {
    isKept,
    choose: (asset: Asset) => (mayRemove(asset) ? (on: boolean) => setChoices(new Map(choices).set(asset.id, on)) : undefined),
  }
}
