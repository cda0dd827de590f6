import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import { rowsById } from '../lib/content/merge.ts'
import { applyDeltaAtom, contentStateAtom, type Delta } from './content.ts'

/**
 * Brings the user's own writes into the content. The responses are about no collection: the group of an asset is still the one shown, and so is what
 * people said about an item.
 */
export const applyOwnWriteAtom = atom(null, (get, set, delta: Delta): void => {
  const existing = get(contentStateAtom)
  const [knownPosts, knownAssets] = [rowsById(existing.posts), rowsById(existing.assets)]
  const { posts, assets } = delta
  const withKnown = (row: Asset): Asset => {
    const known = knownAssets.get(row.id)
    return { ...row, group: row.group === undefined ? (known?.group ?? null) : row.group, answers: row.answers ?? known?.answers ?? null }
  }
  set(applyDeltaAtom, {
    ...delta,
    ...(posts && {
      posts: { ...posts, rows: posts.rows.map((row) => ({ ...row, answers: row.answers ?? knownPosts.get(row.id)?.answers ?? null })) },
    }),
    ...(assets && { assets: { ...assets, rows: assets.rows.map(withKnown) } }),
  })
})
