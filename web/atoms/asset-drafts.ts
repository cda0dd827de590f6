import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { AssetDraft } from '../lib/photos/asset-draft.ts'
import { personalAtom } from './personal.ts'

interface Begun {
  /** The row as it was when the form opened. */
  base: Asset
  draft: AssetDraft
}

const stateAtom = personalAtom<ReadonlyMap<string, Begun>>(new Map())

/** Changes to photos that were begun, by the photo's id: who leafs on or closes the panel finds them again. */
export const assetDraftsAtom = atom((get) => get(stateAtom))

/** Null forgets them: they were saved, or let go. */
export const keepAssetDraftAtom = atom(null, (_get, set, id: string, begun: Begun | null) =>
  set(stateAtom, (all) => new Map([...[...all].filter(([other]) => other !== id), ...(begun ? [[id, begun] as const] : [])])),
)
