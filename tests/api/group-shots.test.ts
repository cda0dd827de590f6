import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Asset, listAssets, type NewAsset } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import { noise, upload } from '../support/files.ts'
import { shot } from '../support/shots.ts'
import { runMinutesTask } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

// The minute's task groups the files of one shot that no browser has grouped.

const DATE = '2024:05:01 12:00:00'
const NOON = '2024-05-01T12:00:00Z'

const picture = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: `#${newId().slice(-6)}` } })
    .jpeg()
    .toBuffer()
const film = () => new Uint8Array(Buffer.concat([Buffer.from('0000001866747970697363', 'hex'), noise(200)]))
type Tags = Parameters<typeof shot>[1]

const add = (w: World, who: string, bytes: Uint8Array, asset: Partial<NewAsset>) =>
  upload(w.as(who), bytes, { collectionIds: [w.collection.id], ...asset })
const photo = async (w: World, who: string, name: string, tags: Partial<Tags> = {}, asset: Partial<NewAsset> = {}) =>
  add(w, who, shot(await picture(), { date: DATE, ...tags }), { name, ...asset })

async function listed(w: World): Promise<Asset[]> {
  return listAssets.response.parse((await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}`)).body).assets
}

/** The minute's task, with the links and photos of this world ahead of all others: new links of others would come before old ones. */
async function minute(w: World): Promise<void> {
  await w.sql.transaction([
    w.sql.query('set local session_replication_role = replica'),
    w.sql.query("update asset_collections set added_at = now() + interval '1 year' where collection_id = $1", [w.collection.id]),
    w.sql.query(
      `update asset_collections set parts_sought = 1 where (collection_id, asset_id) in (
        select collection_id, asset_id from asset_collections where parts_sought = 0 and collection_id <> $1 for update skip locked)`,
      [w.collection.id],
    ),
    w.sql.query(
      "update assets set created_at = '-infinity' where id in (select asset_id from asset_collections where collection_id = $1)",
      [w.collection.id],
    ),
    w.sql.query(
      "update missing_renditions set due_at = '-infinity' where asset_id in (select asset_id from asset_collections where collection_id = $1)",
      [w.collection.id],
    ),
  ])
  await runMinutesTask()
}

/** Runs the minute's task until the collection is shown as these groups: their kind, and names, the cover first. */
async function expectGroups(w: World, groups: [kind: string, ...names: string[]][]): Promise<void> {
  const shown = async () => {
    await minute(w)
    const assets = await listed(w)
    const names = (ids: readonly string[]) => ids.map((id) => assets.find((asset) => asset.id === id)?.name)
    const found = new Map(
      assets.flatMap(({ group }) => (group?.assetIds ? [[group.id, [group.kind, ...names(group.assetIds ?? [])]] as const] : [])),
    )
    return [...found.values()].toSorted()
  }
  await expect.poll(shown, { timeout: 60_000 }).toEqual(groups.toSorted())
}

describe('Files that scripts send are grouped', () => {
  test('by the identifier of the camera, across members, and by name and time of one author', async () => {
    const w = await world({ bob: 'write' })
    const contentId = newId()
    await photo(w, 'ada', 'IMG_1.jpg', { contentId })
    await add(w, 'bob', film(), { name: 'x.mov', type: 'video/mp4', contentId })
    await photo(w, 'ada', 'P1.JPG')
    await photo(w, 'ada', 'P1.DNG')
    // Of another author, and of another time.
    await photo(w, 'bob', 'P1.NEF')
    await photo(w, 'ada', 'Q1.JPG')
    await add(w, 'ada', film(), { name: 'Q1.MOV', type: 'video/mp4', date: '2024-05-01T12:00:10Z' })
    await expectGroups(w, [
      ['live', 'IMG_1.jpg', 'x.mov'],
      ['raw', 'P1.JPG', 'P1.DNG'],
    ])
  })

  test('as a burst, also with the photos that come later', async () => {
    const w = await world()
    const burstId = `B-${newId()}`
    for (const n of [1, 2]) await photo(w, 'ada', `B${n}.jpg`, { burstId, fraction: `${n}00` })
    await expectGroups(w, [['burst', 'B1.jpg', 'B2.jpg']])
    await photo(w, 'ada', 'B3.jpg', { burstId, fraction: '300' })
    await expectGroups(w, [['burst', 'B1.jpg', 'B2.jpg', 'B3.jpg']])
  })

  test('once: what was taken apart stays so', async () => {
    const w = await world()
    await photo(w, 'ada', 'P1.JPG')
    await photo(w, 'ada', 'P1.DNG')
    await expectGroups(w, [['raw', 'P1.JPG', 'P1.DNG']])
    const group = (await listed(w))[0]?.group
    await w.as('ada').delete(`/api/collections/${w.collection.id}/groups/${group?.id}`)
    await add(w, 'ada', film(), { name: 'P1.MOV', type: 'video/mp4', date: NOON })
    await minute(w)
    await minute(w)
    expect((await listed(w)).map((asset) => asset.group)).toEqual([null, null, null])
  })
})

test('Photos from before there were groups are asked for their shot and grouped once, and none looks edited', async () => {
  const w = await world()
  const contentId = newId()
  const still = await photo(w, 'ada', 'a.jpg', { contentId }, { date: NOON, alt: null })
  const moving = await add(w, 'ada', film(), { name: 'b.mov', type: 'video/mp4', contentId, date: NOON })
  const burst = [1, 2].map((n) => photo(w, 'ada', `B${n}.jpg`, { burstId: `B-${contentId}` }, { date: NOON, alt: `${n}` }))
  const ids = [still, moving, ...(await Promise.all(burst))].map(({ id }) => id)
  const before = (await listed(w)).map(({ id, version, updated_at }) => [id, version, updated_at]).toSorted()
  await w.sql`update asset_collections set parts_sought = null where collection_id = ${w.collection.id}`
  await w.sql`update assets set metadata_read = 1, content_id = case when type like 'video/%' then content_id end where id = any(${ids})`
  await w.sql`delete from missing_renditions where asset_id = any(${ids})`
  await expectGroups(w, [
    ['live', 'a.jpg', 'b.mov'],
    ['burst', 'B1.jpg', 'B2.jpg'],
  ])
  expect((await listed(w)).map(({ id, version, updated_at }) => [id, version, updated_at]).toSorted()).toEqual(before)
})
