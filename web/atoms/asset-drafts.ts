import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { AssetDraft } from '../lib/photos/asset-draft.ts'
import { personalAtom } from './personal.ts'

interface Unsaved {
  /** The row at the time the form was opened. */
  base: Asset
  draft: AssetDraft
}

const stateAtom = personalAtom<ReadonlyMap<string, Unsaved>>(new Map())

/** Unsaved changes to photos, by asset id. They survive moving to the next photo and closing the panel. */
export const assetDraftsAtom = atom((get) => get(stateAtom))

/** Null removes the draft, after it was saved or discarded. */
export const keepAssetDraftAtom = atom(null, (_get, set, id: string, unsaved: Unsaved | null) =>
  set(stateAtom, (all) => new Map([...[...all].filter(([other]) => other !== id), ...(unsaved ? [[id, unsaved] as const] : [])])),
)
