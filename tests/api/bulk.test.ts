import { neonConfig } from '@neondatabase/serverless'
import { drizzle } from 'drizzle-orm/neon-http'
import { describe, expect, inject, test } from 'vitest'
import { bulkPosts, CHANGE_HEADER } from '../../contract/bulk.ts'
import { newId } from '../../contract/ids.ts'
import { localSql } from '../../dev/neon.ts'
import { setItemDates } from '../../worker/queries/bulk-fields.ts'
import { checksOf } from '../../worker/queries/permissions.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const KINDS = ['post', 'asset'] as const
type Kind = (typeof KINDS)[number]

async function made(w: World, who: string, kind: Kind, collectionIds = [w.collection.id], more: object = {}): Promise<string> {
  if (kind === 'asset') {
    const id = await assetRow(w, who, collectionIds)
    if (Object.keys(more).length > 0) await w.as(who).put(`/api/asset/${id}`, more)
    return id
  }
  const { status, body } = await w.as(who).post('/api/post', { type: 'note', title: 'T', collectionIds, ...more })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.post.id
}

/** Inserts many rows at once straight into the database. Returns the ids of ada's notes in the world's collection. */
async function many(w: World, count: number): Promise<string[]> {
  const rows = await w.sql`with made as (
      insert into posts (id, user_id, type, title, date, date_precision)
      select gen_random_uuid(), ${w.as('ada').id}, 'note', n::text, timestamptz '2020-01-01' + n * interval '1 hour', 'minute'
      from generate_series(1, ${count}::int) n returning id),
    linked as (insert into post_collections (collection_id, post_id, user_id) select ${w.collection.id}, id, ${w.as('ada').id} from made)
    select id from made`
  return rows.map(({ id }) => id as string)
}

const bulk = (w: World, who: string, kind: Kind) => {
  const call = (method: string, name: string) => (payload: object) => w.as(who).call(method, `/api/${kind}/bulk${name}`, payload)
  return {
    add: call('PUT', '.collections.add'),
    remove: call('PUT', '.collections.remove'),
    date: call('POST', '.date'),
    location: call('POST', '.location'),
    people: call('POST', '.people'),
    trash: call('DELETE', ''),
  }
}
const read = async (w: World, who: string, kind: Kind, id: string) => (await w.as(who).get(`/api/${kind}/${id}`)).body[kind]
const revision = async (w: World) => (await w.sql`select revision::int from collections where id = ${w.collection.id}`)[0]?.revision

describe.each(KINDS)('bulk edits of %ss', (kind) => {
  test('A bulk call that is sent again with its id has one effect, and Undo takes it back', async () => {
    const w = await world({ bob: 'write' })
    const ids = [await made(w, 'bob', kind, undefined, { date: '2026-01-10T12:00:00Z' }), await made(w, 'bob', kind)]
    const rows = () => Promise.all(ids.map(async (id) => (await w.as('bob').get(`/api/${kind}/${id}`)).body[kind] ?? null))
    const fields = async () => (await rows()).map((row) => row && { ...row, version: 0, updated_at: '' })
    const other = await collectionOf(w, 'bob')
    const before = await fields()
    for (const [method, name, more] of [
      ['POST', '.location', { location: { lat: 1, lon: 2 } }],
      ['POST', '.date', { shift: { days: 1 } }],
      ['PUT', '.collections.add', { collectionIds: [other] }],
      ['PUT', '.collections.remove', { collectionId: w.collection.id }],
      ['DELETE', '', {}],
    ] as const) {
      const changeId = newId()
      const send = () => w.as('bob').call(method, `/api/${kind}/bulk${name}`, { ids, ...more }, { headers: { [CHANGE_HEADER]: changeId } })
      expect((await send()).body.changeId).toBe(changeId)
      const after = await rows()
      const again = await send()
      expect([name, again.status, again.body.changeId, await rows()]).toEqual([name, 200, changeId, after])
      expect(await fields()).not.toEqual(before)
      expect((await w.as('bob').post(`/api/undo/${changeId}`)).status).toBe(200)
      expect([name, await fields()]).toEqual([name, before])
    }
  })

  test('A repeated call that would be refused by now does not make Undo take back what others changed meanwhile', async () => {
    const w = await world({ bob: 'write' })
    const ids = [await made(w, 'bob', kind), await made(w, 'bob', kind)]
    const headers = { [CHANGE_HEADER]: newId() }
    const place = () => w.as('bob').call('POST', `/api/${kind}/bulk.location`, { ids, location: { lat: 1, lon: 2 } }, { headers })
    const { changeId } = (await place()).body
    expect((await bulk(w, 'ada', kind).location({ ids: ids.slice(0, 1), location: { lat: 3, lon: 4 } })).status).toBe(200)
    await w.as('bob').delete(`/api/${kind}/${ids[1]}`)
    expect((await place()).status).toBe(200)
    expect((await w.as('bob').post(`/api/undo/${changeId}`)).status).toBe(409)
    expect((await read(w, 'ada', kind, ids[0] ?? '')).location).toMatchObject({ lat: 3, lon: 4 })
  })

  test('The id of a change of somebody else is taken', async () => {
    const w = await world({ bob: 'write' })
    const changeId = newId()
    const headers = { [CHANGE_HEADER]: changeId }
    const place = async (who: string) => {
      const id = await made(w, who, kind)
      const { status } = await w
        .as(who)
        .call('POST', `/api/${kind}/bulk.location`, { ids: [id], location: { lat: 1, lon: 2 } }, { headers })
      return [status, (await read(w, who, kind, id)).location !== null]
    }
    expect(await place('bob')).toEqual([200, true])
    expect(await place('ada')).toEqual([409, false])
  })

  test('Every bulk call changes all items, as one change for others', async () => {
    const w = await world({ bob: 'write' })
    const other = await collectionOf(w, 'bob')
    const ids = [await made(w, 'bob', kind), await made(w, 'bob', kind)]
    const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'P' })).body
    const { add, remove, date, location, people, trash } = bulk(w, 'bob', kind)
    const rows = () => Promise.all(ids.map((id) => read(w, 'bob', kind, id)))

    const before = await revision(w)
    const answer = (await date({ ids: [...ids, ...ids, ids[0]?.toUpperCase()], date: '2026-05-01T10:00:00Z', dateZone: 'Europe/Vienna' }))
      .body
    expect(bulkPosts.setDate.response.parse(answer)).toEqual(answer)
    expect(answer).toMatchObject({ ids, count: 2 })
    for (const row of await rows()) expect(row).toMatchObject({ date_zone: 'Europe/Vienna', date_precision: 'minute', version: 2 })
    expect(await revision(w)).toBe(before + 1)

    expect((await location({ ids, location: { lat: 1, lon: 2, name: 'Lake' } })).status).toBe(200)
    for (const row of await rows()) expect(row.location).toEqual({ lat: 1, lon: 2, name: 'Lake' })
    expect((await location({ ids, location: null })).status).toBe(200)
    for (const row of await rows()) expect(row.location).toBeNull()

    expect((await people({ ids, add: [person.id] })).status).toBe(200)
    for (const row of await rows()) expect(row).toMatchObject({ people: [person.id], version: 5 })
    expect((await people({ ids, add: [person.id] })).status).toBe(200)
    expect((await people({ ids, remove: [person.id] })).status).toBe(200)
    for (const row of await rows()) expect(row).toMatchObject({ people: [], version: 6 })

    for (const _ of [1, 2]) expect((await add({ ids, collectionIds: [other] })).status).toBe(200)
    for (const row of await rows()) expect(row.collections).toHaveLength(2)
    for (const _ of [1, 2]) expect((await remove({ ids, collectionId: w.collection.id })).status).toBe(200)
    for (const row of await rows()) expect(row.collections).toMatchObject([{ collection_id: other }])

    expect((await trash({ ids })).status).toBe(200)
    for (const row of await rows()) expect(row).toBeUndefined()
    const again = await trash({ ids })
    expect(again.status).toBe(404)
    for (const id of ids) expect(again.body.error.fields.ids).toContain(id)
  })

  test('A bulk call names an unknown id with 404 and an item of another author with 403, and changes nothing', async () => {
    const w = await world({ bob: 'write', eve: null })
    const hidden = await made(w, 'eve', kind, [await collectionOf(w, 'eve')])
    const [own, adas] = [await made(w, 'bob', kind), await made(w, 'ada', kind)]
    const mine = await collectionOf(w, 'bob')
    const before = await revision(w)
    const calls = bulk(w, 'bob', kind)
    for (const [call, payload] of [
      [calls.date, { date: '2026-05-01T10:00:00Z' }],
      [calls.date, { shift: { days: 1 } }],
      [calls.location, { location: null }],
      [calls.add, { collectionIds: [mine] }],
      [calls.remove, { collectionId: w.collection.id }],
      [calls.trash, {}],
    ] as const) {
      const foreign = await call({ ids: [own, hidden], ...payload })
      expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found'])
      expect(foreign.body.error.fields.ids).toContain(hidden)
      expect(foreign.body.error.fields.ids).not.toContain(own)
      const forbidden = await call({ ids: [own, adas], ...payload })
      expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'forbidden'])
      expect(forbidden.body.error.fields.ids).toContain(adas)
      expect(forbidden.body.error.fields.ids).not.toContain(own)
    }
    expect(await revision(w)).toBe(before)
    expect(await w.sql`select id from edits where user_id = ${w.as('bob').id}`).toEqual([])
  })

  test('A bulk call names collections and people that the caller may not use', async () => {
    const w = await world({ bob: 'write', eve: null })
    const id = await made(w, 'bob', kind)
    const [hidden, closed, elsewhere] = [
      await collectionOf(w, 'eve'),
      await collectionOf(w, 'eve', { bob: 'read' }),
      await collectionOf(w, 'bob'),
    ]
    const personIn = async (who: string, at: string) =>
      (await w.as(who).post(`/api/collections/${at}/people`, { name: 'P' })).body.person.id as string
    const [foreign, other] = [await personIn('eve', hidden), await personIn('bob', elsewhere)]
    const { add, remove, people } = bulk(w, 'bob', kind)
    const refused = async (call: typeof add, payload: object) => {
      const { status, body } = await call({ ids: [id], ...payload })
      return [status, ...Object.entries(body.error.fields).flat()]
    }
    expect(await refused(add, { collectionIds: [elsewhere, hidden] })).toEqual([404, 'collectionIds', expect.stringContaining(hidden)])
    expect(await refused(add, { collectionIds: [elsewhere, closed] })).toEqual([
      403,
      'collectionIds',
      'Your role lets you look, not add, in “Another”',
    ])
    expect(await refused(remove, { collectionId: hidden })).toEqual([404, 'collectionId', expect.stringContaining(hidden)])
    for (const person of [foreign, other, newId()]) {
      expect(await refused(people, { add: [person] })).toEqual([404, 'add', expect.stringContaining(person)])
    }
    expect(await refused(people, { remove: [foreign] })).toEqual([404, 'add', expect.stringContaining(foreign)])
    expect((await read(w, 'bob', kind, id)).collections).toHaveLength(1)
  })

  test('A bulk call treats ids of another kind, trashed items and unknown ids as missing', async () => {
    const w = await world()
    const [own, trashed] = [await made(w, 'ada', kind), await made(w, 'ada', kind)]
    const other = await made(w, 'ada', kind === 'post' ? 'asset' : 'post')
    await w.as('ada').delete(`/api/${kind}/${trashed}`)
    const nothing = newId()
    const { status, body } = await bulk(w, 'ada', kind).location({ ids: [own, trashed, other, nothing], location: { lat: 1, lon: 1 } })
    expect(status).toBe(404)
    for (const id of [trashed, other, nothing]) expect(body.error.fields.ids).toContain(id)
    expect((await read(w, 'ada', kind, own)).location).toBeNull()
  })

  test.each([
    ['date', { ids: [] }, 'ids'],
    ['date', { ids: Array.from({ length: 1_001 }, () => newId()), date: null }, 'ids'],
    ['date', { ids: ['x'], date: null }, 'ids.0'],
    ['date', {}, 'date'],
    ['date', { date: null, shift: { days: 1 } }, 'date'],
    ['date', { shift: {} }, 'shift'],
    ['date', { shift: { days: 0.5 } }, 'shift.days'],
    ['date', { shift: { weeks: 1 } }, 'shift.weeks'],
    ['date', { shift: { days: 1 }, datePrecision: 'unknown' }, 'datePrecision'],
    ['date', { date: '2026-02-30T10:00:00Z' }, 'date'],
    ['date', { date: '2026-05-01T10:00:00Z', dateZone: 'Mars/Olympus' }, 'dateZone'],
    ['location', {}, 'location'],
    ['location', { location: { lat: 91, lon: 0 } }, 'location.lat'],
    ['add', { collectionIds: [] }, 'collectionIds'],
    ['remove', {}, 'collectionId'],
    ['people', {}, 'add'],
    ['people', { add: [], remove: [] }, 'add'],
    ['trash', { user_id: 'x' }, 'user_id'],
  ] as const)('%s refuses %j', async (name, payload, field) => {
    const w = await world()
    const { status, body } = await bulk(w, 'ada', kind)[name]({ ids: [newId()], ...payload })
    expect([status, Object.keys(body.error.fields)]).toEqual([400, expect.arrayContaining([field])])
  })

  test('A date shift keeps local time across a change of the clocks, zone, precision and unknown dates', async () => {
    const w = await world()
    const dated = (date: string | null, dateZone: string | null, datePrecision?: string) =>
      made(w, 'ada', kind, undefined, { ...(kind === 'asset' && { name: 'a' }), date, dateZone, ...(datePrecision && { datePrecision }) })
    const spring = await dated('2026-03-28T09:00:00+01:00', 'Europe/Vienna')
    const autumn = await dated('2026-10-24T09:00:00+02:00', 'Europe/Vienna', 'day')
    const offset = await dated('2026-03-28T09:00:00+05:30', '+05:30')
    const nowhere = await dated('2026-03-28T09:00:00Z', null)
    const unknown = await dated(null, 'Europe/Vienna')
    const all = [spring, autumn, offset, nowhere, unknown]
    const { date } = bulk(w, 'ada', kind)
    const dates = () =>
      Promise.all(
        all.map(async (id) => (await read(w, 'ada', kind, id)).date && new Date((await read(w, 'ada', kind, id)).date).toISOString()),
      )
    expect((await date({ ids: all, shift: { days: 1 } })).status).toBe(200)
    expect(await dates()).toEqual([
      '2026-03-29T07:00:00.000Z',
      '2026-10-25T08:00:00.000Z',
      '2026-03-29T03:30:00.000Z',
      '2026-03-29T09:00:00.000Z',
      null,
    ])
    expect((await date({ ids: all, shift: { days: -1, minutes: -90 } })).status).toBe(200)
    expect(await dates()).toEqual([
      '2026-03-28T06:30:00.000Z',
      '2026-10-24T05:30:00.000Z',
      '2026-03-28T02:00:00.000Z',
      '2026-03-28T07:30:00.000Z',
      null,
    ])
    expect(await read(w, 'ada', kind, autumn)).toMatchObject({ date_precision: 'day', date_zone: 'Europe/Vienna' })
    expect(await read(w, 'ada', kind, unknown)).toMatchObject({ date: null, date_precision: 'unknown' })
    for (const days of [3_652_059, -3_652_059]) {
      const far = await date({ ids: all, shift: { days, minutes: Math.sign(days) * 5_256_000 } })
      expect([far.status, far.body.error.fields?.shift]).toEqual([400, expect.stringContaining(spring)])
    }
    expect((await date({ ids: all, date: null })).status).toBe(200)
    expect(await dates()).toEqual([null, null, null, null, null])
  })
})

test('A date shift moves the end of an event with its start', async () => {
  const w = await world()
  const event = { type: 'event', date: '2026-03-28T09:00:00+01:00', dateZone: 'Europe/Vienna', endsAt: '2026-03-30T18:00:00+02:00' }
  const id = await made(w, 'ada', 'post', undefined, event)
  const { date } = bulk(w, 'ada', 'post')
  const end = async () => new Date((await read(w, 'ada', 'post', id)).ends_at).toISOString()
  await date({ ids: [id], shift: { days: 2 } })
  expect(await end()).toBe('2026-04-01T16:00:00.000Z')
  await date({ ids: [id], date: '2027-01-01T00:00:00Z' })
  expect(await end()).toBe('2027-01-03T09:00:00.000Z')
})

test('A new date does not add an end', async () => {
  const w = await world()
  const id = await made(w, 'ada', 'post')
  await bulk(w, 'ada', 'post').date({ ids: [id], date: '2026-05-01T10:00:00Z' })
  expect(await read(w, 'ada', 'post', id)).toMatchObject({ ends_at: null })
  const later = await w.as('ada').patch(`/api/post/${id}`, { date: '2026-06-01T10:00:00Z' })
  expect(later.status).toBe(200)
})

test('Linking a post also links the author’s own photos, and not those of others', async () => {
  const w = await world({ bob: 'write', eve: null })
  const [own, adas] = [await assetRow(w, 'bob', [w.collection.id]), await assetRow(w, 'ada', [w.collection.id])]
  const id = await made(w, 'bob', 'post', undefined, { existingAssetIds: [own, adas] })
  const other = await collectionOf(w, 'bob', { eve: 'read' })
  expect((await bulk(w, 'bob', 'post').add({ ids: [id], collectionIds: [other] })).status).toBe(200)
  expect((await read(w, 'eve', 'post', id)).assets).toMatchObject([{ id: own }])
})

test('An admin may remove items of others from a collection, a writer only their own; each item is removed by its own call', async () => {
  const w = await world({ bob: 'write', cleo: 'write' })
  const [bobs, cleos] = [await made(w, 'bob', 'post'), await made(w, 'cleo', 'post')]
  const one = (who: string, id: string) => w.as(who).delete(`/api/post/${id}/collections/${w.collection.id}`)
  expect((await one('cleo', bobs)).status).toBe(403)
  expect((await one('cleo', cleos)).status).toBe(200)
  expect((await one('ada', bobs)).body).toMatchObject({ success: true, ids: [bobs], changeId: expect.any(String) })
  expect((await one('ada', bobs)).status).toBe(404)
  expect((await read(w, 'bob', 'post', bobs)).collections).toEqual([])
  expect((await w.as('bob').delete(`/api/post/${bobs}/collections/${newId()}`)).status).toBe(404)
  expect((await w.as('bob').delete(`/api/post/${bobs}/collections/x`)).status).toBe(404)
})

test('Tagging, untagging and removing people during other edits causes no deadlock', async () => {
  const w = await world({ bob: 'write', cleo: 'admin' })
  const ids = [await made(w, 'bob', 'post'), await made(w, 'bob', 'post')]
  const path = `/api/collections/${w.collection.id}/people`
  for (let round = 0; round < 6; round++) {
    const { person } = (await w.as('ada').post(path, { name: 'P' })).body
    const photos = [await assetRow(w, 'bob', [w.collection.id]), await assetRow(w, 'bob')]
    const answers = await Promise.all([
      bulk(w, 'bob', 'post').people({ ids, add: [person.id] }),
      w.as('ada').patch(`/api/post/${ids[0]}`, { peopleIds: [person.id], title: 'New' }),
      w.as('cleo').delete(`${path}/${person.id}`),
      w.as('bob').patch(`/api/post/${ids[1]}`, { existingAssetIds: photos.toReversed() }),
      w.as('bob').put(`/api/asset/${photos[1]}`, { alt: 'A', peopleIds: [] }),
      bulk(w, 'bob', 'asset').date({ ids: photos, date: '2026-05-01T10:00:00Z' }),
    ])
    for (const { status, body } of answers) expect([200, 404], JSON.stringify(body)).toContain(status)
  }
})

describe('bulk edits of a thousand items', () => {
  test('A bulk edit of a thousand items takes three statements in one transaction', async () => {
    const w = await world()
    const ids = await many(w, 1_000)
    const sent: string[][] = []
    const fetching = neonConfig.fetchFunction
    neonConfig.fetchFunction = (url: string, init: { body: string }) => {
      const { queries, query } = JSON.parse(init.body)
      sent.push((queries ?? [{ query }]).map((one: { query: string }) => one.query))
      return fetch(url, init)
    }
    try {
      const db = drizzle(localSql(inject('stack').databaseUrl))
      const call = {
        kind: 'post',
        ids,
        userId: w.as('ada').id,
        changeId: newId(),
        action: 'date',
        checks: checksOf(['item.edit']),
      } as const
      expect(await setItemDates(db, call, { shift: { days: 1 } })).toMatchObject({ done: true, missing: [] })
    } finally {
      neonConfig.fetchFunction = fetching
    }
    expect(sent.map(({ length }) => length)).toEqual([3])
  })

  test('A bulk edit of a thousand items is one change for others', async () => {
    const w = await world()
    const ids = await many(w, 1_000)
    const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'P' })).body
    const other = await collectionOf(w, 'ada')
    const { add, date, location, people, remove, trash } = bulk(w, 'ada', 'post')
    for (const [call, payload] of [
      [add, { collectionIds: [other] }],
      [date, { shift: { days: 1 } }],
      [location, { location: { lat: 1, lon: 2 } }],
      [people, { add: [person.id] }],
      [remove, { collectionId: other }],
      [trash, {}],
    ] as const) {
      const before = await revision(w)
      const { status, body } = await call({ ids, ...payload })
      expect([status, body.count]).toEqual([200, 1_000])
      expect((await revision(w)) - before).toBe(1)
    }
  })

  test('Two concurrent bulk edits in different order leave the result of one of them', async () => {
    const w = await world({ cleo: 'admin' })
    const ids = await many(w, 300)
    const setLocation = (who: string, order: string[], lat: number) =>
      bulk(w, who, 'post').location({ ids: order, location: { lat, lon: 0 } })
    const answers = await Promise.all([
      setLocation('ada', ids, 1),
      setLocation('cleo', ids.toReversed(), 2),
      bulk(w, 'ada', 'post').date({ ids, shift: { days: 1 } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await w.sql`select count(distinct lat)::int as places, max(version) as version from posts where id = any(${ids})`).toEqual([
      { places: 1, version: 4 },
    ])
  })
})
