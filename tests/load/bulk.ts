import type { Client } from '../../dev/http-client.ts'
import { answered, timed } from './figures.ts'

const RUNS = 8
const WARM = 2
const MAX_ITEMS = 1_000

/** Bulk edits of the newest assets of a collection, up to a thousand. Restores the original state. */
export async function measureBulk(ada: Client, collectionId: string): Promise<Record<string, number[]>> {
  const { assets } = await answered(ada.get(`/api/asset?collection_id=${collectionId}&limit=${MAX_ITEMS}`))
  const ids: string[] = assets.map(({ id }: { id: string }) => id)
  const { person } = await answered(ada.post(`/api/collections/${collectionId}/people`, { name: 'Grandma' }), 201)
  const send = (method: string, call: string, body: object) => answered(ada.call(method, `/api/asset/bulk${call}`, { ids, ...body }))
  const times = async (work: (run: number) => Promise<unknown>) => (await timed(RUNS + WARM, work)).slice(WARM)

  const date = await times((run) => send('POST', '.date', { shift: { days: run % 2 ? -1 : 1 } }))
  const location = await times((run) => send('POST', '.location', { location: { lat: 48.2, lon: 16 + (run % 2) } }))
  const tags = await times((run) => send('POST', '.people', run % 2 ? { remove: [person.id] } : { add: [person.id] }))
  const links: number[] = []
  const removals: number[] = []
  const undone: number[] = []
  for (let run = 0; run < RUNS + WARM; run++) {
    const { collection } = await answered(ada.post('/api/collections', { name: 'Another' }), 201)
    links.push(...(await timed(1, () => send('PUT', '.collections.add', { collectionIds: [collection.id] }))))
    await answered(ada.delete(`/api/collections/${collection.id}`))
    let changeId = ''
    removals.push(...(await timed(1, async () => (changeId = (await send('DELETE', '', {})).changeId))))
    undone.push(...(await timed(1, () => answered(ada.post(`/api/undo/${changeId}`)))))
  }
  const bulk = `bulk of ${ids.length.toLocaleString('en')}`
  return {
    [`${bulk}, shift the date`]: date,
    [`${bulk}, set the place`]: location,
    [`${bulk}, tag or untag a person`]: tags,
    [`${bulk}, put into a collection`]: links.slice(WARM),
    [`${bulk}, move to the trash`]: removals.slice(WARM),
    [`${bulk}, undo that`]: undone.slice(WARM),
  }
}
