import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import { createGroup } from '../../contract/groups.ts'
import { burstsOf, type Parts, partsWith } from '../../contract/shots.ts'
import { call } from '../lib/api.ts'
import { contentStateAtom } from './content.ts'
import { contentChangedAtom } from './content-fetch.ts'

/** By collection: what has been uploaded from here, and the calls under way. A derived atom, so that every store has its own. */
const arrivalsAtom = atom(() => new Map<string, { rows: Map<string, Asset>; settled: number; calls: Promise<boolean> }>())

const arrivalsOfAtom = atom(null, (get, _set, collectionId: string) => {
  const all = get(arrivalsAtom)
  const known = all.get(collectionId) ?? { rows: new Map(), settled: 0, calls: Promise.resolve(false) }
  all.set(collectionId, known)
  return known
})

/** What is known of the collection: uploads from here, whose answers do not say their group, and what is on the screen. */
const knownAtom = atom((get) => (collectionId: string, rows: ReadonlyMap<string, Asset>): Asset[] => {
  const { collectionId: open, assets } = get(contentStateAtom)
  return open === collectionId ? [...new Map([...rows, ...assets.map((asset) => [asset.id, asset] as const)]).values()] : [...rows.values()]
})

/** Groups an uploaded asset with the other files of its shot, once they are there. */
export const groupWithShotAtom = atom(null, (get, set, collectionId: string, asset: Asset): void => {
  const arrivals = set(arrivalsOfAtom, collectionId)
  arrivals.rows.set(asset.id, asset)
  arrivals.calls = arrivals.calls.then(async (before) => {
    const others = get(knownAtom)(collectionId, arrivals.rows)
    const parts = partsWith(others.find(({ id }) => id === asset.id) ?? asset, others)
    return (parts !== null && (await group(collectionId, parts, arrivals.rows))) || before
  })
})

/** After a number of uploads: groups bursts, and shows all that has been grouped. */
export const groupBurstsAtom = atom(null, async (get, set, collectionId: string): Promise<void> => {
  const arrivals = set(arrivalsOfAtom, collectionId)
  const settled = ++arrivals.settled
  const grouped = await arrivals.calls
  if (settled !== arrivals.settled) return
  const rows = [...arrivals.rows.values()]
  let made = grouped
  for (const burst of burstsOf(rows, get(knownAtom)(collectionId, arrivals.rows)))
    made = (await group(collectionId, burst, arrivals.rows)) || made
  get(arrivalsAtom).delete(collectionId)
  if (made) await set(contentChangedAtom, collectionId)
})

/** What is refused stays as single items: somebody else may have grouped or removed a part meanwhile. */
async function group(collectionId: string, parts: Parts, rows: Map<string, Asset>): Promise<boolean> {
  try {
    const answer = await call(createGroup, { params: { id: collectionId }, body: parts })
    for (const id of answer.group.assetIds) {
      const row = rows.get(id)
      if (row) rows.set(id, { ...row, group: answer.group })
    }
    return true
  } catch {
    return false
  }
}
