import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import { rowsById } from '../lib/content/merge.ts'
import { applyDeltaAtom, contentStateAtom, type Delta } from './content.ts'

/** Brings the user's own writes into the content. Their answers do not say in which group of the collection an asset is: it is still in the one shown. */
export const applyAnswerAtom = atom(null, (get, set, delta: Delta): void => {
  const existing = rowsById(get(contentStateAtom).assets)
  const inGroup = (row: Asset): Asset => {
    const group = row.group === undefined && existing.get(row.id)?.group
    return group ? { ...row, group } : row
  }
  const { assets } = delta
  set(applyDeltaAtom, assets ? { ...delta, assets: { ...assets, rows: assets.rows.map(inGroup) } } : delta)
})
