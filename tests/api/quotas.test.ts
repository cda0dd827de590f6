import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import type { Usage } from '../../contract/usage.ts'
import type { Answer } from '../../dev/http-client.ts'
import { attemptKey, type LimitedAction } from '../../worker/services/accounts/limit-attempts.ts'

import { begin, declared, jpegLike, noise, sendParts, sendWhole, upload } from '../support/files.ts'
import { guestOf } from '../support/guests.ts'
import { collectionOf } from '../support/rows.ts'
import { objectsOf, runMinutesTask } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

const own = async (w: World, who: string): Promise<Usage> => (await w.as(who).get('/api/usage')).body.usage
const usageOf = async (w: World, id = w.collection.id): Promise<Usage> => (await w.as('ada').get(`/api/collections/${id}/usage`)).body.usage

/** Sets a quota for one account or collection. */
const allow = (w: World, owner: string, { bytes = 1e12, items = 1e6 }: { bytes?: number; items?: number }) =>
  w.sql`insert into quotas (owner, bytes, items) values (${owner}, ${bytes}, ${items})
    on conflict (owner) do update set bytes = excluded.bytes, items = excluded.items`

const note = (w: World, who: string, collectionIds = [w.collection.id]) =>
  w.as(who).post('/api/post', { type: 'note', title: 'Hi', collectionIds })

function expectFull(answer: Answer, words: string) {
  expect([answer.status, answer.body.error?.code]).toEqual([413, 'quota_exceeded'])
  expect(answer.body.error.message).toContain(words)
}

describe('usage', () => {
  test('An account and a collection count the bytes of files from the start of the upload, and items', async () => {
    const w = await world({ bob: 'write' })
    expect(await own(w, 'bob')).toEqual({ bytes: 0, items: 0, quota: { bytes: 250e9, items: 500_000 } })
    expect(await usageOf(w)).toEqual({ bytes: 0, items: 0, quota: { bytes: 1e12, items: 1_000_000 } })
    await begin(w.as('bob'), noise(700), { collectionIds: [w.collection.id] })
    await note(w, 'ada')
    expect(await own(w, 'bob')).toMatchObject({ bytes: 700, items: 1 })
    expect(await own(w, 'ada')).toMatchObject({ bytes: 0, items: 1 })
    expect(await usageOf(w)).toMatchObject({ bytes: 700, items: 2 })
  })

  test('Strangers do not see how full a collection is', async () => {
    const w = await world({ eve: null })
    expect((await w.as('eve').get(`/api/collections/${w.collection.id}/usage`)).status).toBe(404)
    expect((await w.as('eve').get('/api/collections/nonsense/usage')).status).toBe(404)
  })

  test('An item in the trash counts until it is deleted permanently', async () => {
    const w = await world()
    const { id } = await upload(w.as('ada'), jpegLike(900), { collectionIds: [w.collection.id] })
    await w.as('ada').delete(`/api/asset/${id}`)
    expect([await own(w, 'ada'), await usageOf(w)]).toMatchObject([{ bytes: 900 }, { bytes: 900 }])
    expect((await w.as('ada').delete('/api/trash', { assetIds: [id] })).status).toBe(200)
    expect([await own(w, 'ada'), await usageOf(w)]).toMatchObject([
      { bytes: 0, items: 0 },
      { bytes: 0, items: 0 },
    ])
    await expect.poll(() => objectsOf(id)).toEqual([])
  })

  test('An upload that was never finished counts until it expires', async () => {
    const w = await world()
    const { id } = await begin(w.as('ada'), noise(400), { collectionIds: [w.collection.id] })
    await w.sql`update uploads set created_at = created_at - interval '8 days' where asset_id = ${id}`
    await runMinutesTask()
    expect([await own(w, 'ada'), await usageOf(w)]).toMatchObject([
      { bytes: 0, items: 0 },
      { bytes: 0, items: 0 },
    ])
  })

  test('A discarded upload, and one merged into the same file, count no longer', async () => {
    const w = await world()
    const [bytes, other] = [jpegLike(800), await collectionOf(w, 'ada')]
    const discarded = await begin(w.as('ada'), noise(300), { collectionIds: [w.collection.id] })
    await w.as('ada').delete(`/api/asset/${discarded.id}`)
    // Two uploads of the same file begin before either is complete.
    const [first, second] = [
      await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] }),
      await begin(w.as('ada'), bytes, { collectionIds: [other] }),
    ]
    expect(await own(w, 'ada')).toMatchObject({ bytes: 1_600, items: 2 })
    for (const { id } of [first, second]) {
      await sendParts(w.as('ada'), id, bytes)
      expect((await w.as('ada').post(`/api/asset/${id}/complete`)).status).toBe(200)
    }
    expect(await own(w, 'ada')).toMatchObject({ bytes: 800, items: 1 })
    expect([await usageOf(w), await usageOf(w, other)]).toMatchObject([
      { bytes: 800, items: 1 },
      { bytes: 800, items: 1 },
    ])
  })

  type Step = {
    what: 'post' | 'begin' | 'upload' | 'trash' | 'restore' | 'delete' | 'link' | 'unlink' | 'copy' | 'undo'
    nth: number
    size: number
  }
  const step = fc.record<Step>({
    what: fc.constantFrom('post', 'begin', 'upload', 'trash', 'restore', 'delete', 'link', 'unlink', 'copy', 'undo'),
    nth: fc.nat(20),
    size: fc.integer({ min: 1, max: 5_000 }),
  })

  test('After any changes, the counts are what the rows add up to', { timeout: 180_000 }, async () => {
    const w = await world({ bob: 'admin' })
    const other = await collectionOf(w, 'bob', { ada: 'write' })
    const collections = [w.collection.id, other]
    const [items, changes]: [{ kind: 'post' | 'asset'; id: string; who: string }[], { id: string; who: string }[]] = [[], []]
    const act = async ({ what, nth, size }: Step) => {
      const who = nth % 2 ? 'ada' : 'bob'
      const at = collections[(nth % 3) % 2] ?? ''
      const item = items[nth % Math.max(1, items.length)]
      const keep = ({ body }: Answer) => body?.changeId && changes.push({ id: body.changeId, who })
      if (what === 'post') items.push({ kind: 'post', id: (await note(w, who, [at])).body.post.id, who })
      else if (what === 'begin') items.push({ kind: 'asset', id: (await begin(w.as(who), noise(size), { collectionIds: [at] })).id, who })
      else if (what === 'upload')
        items.push({ kind: 'asset', id: (await upload(w.as(who), jpegLike(size + 4), { collectionIds: [at] })).id, who })
      else if (what === 'undo') {
        const change = changes[nth % Math.max(1, changes.length)]
        if (change) await w.as(change.who).post(`/api/undo/${change.id}`)
      } else if (item) {
        const [{ kind, id }, ids] = [item, { [`${item.kind}Ids`]: [item.id] }]
        if (what === 'trash') keep(await w.as(who).delete(`/api/${kind}/${id}`))
        if (what === 'restore') await w.as(who).post('/api/trash/restore', ids)
        if (what === 'delete') await w.as(item.who).delete('/api/trash', ids)
        if (what === 'link') keep(await w.as(item.who).post(`/api/${kind}/${id}/collections`, { collectionIds: [at] }))
        if (what === 'unlink') keep(await w.as(who).delete(`/api/${kind}/${id}/collections/${at}`))
        if (what === 'copy') await w.as(item.who).post(`/api/${kind}/${id}/copy`, { collectionIds: [at] })
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        for (const each of steps) await act(each)
        const [differing] = await w.sql`
          with rows as (select user_id, size from assets union all select user_id, 0 from posts),
          links as (select collection_id, a.size from asset_collections l join assets a on a.id = l.asset_id
            union all select collection_id, 0 from post_collections)
          select
            array(select u.user_id from account_usage u, lateral (select coalesce(sum(size), 0) as bytes, count(*) as items from rows r where r.user_id = u.user_id) r
              where u.user_id in (${w.as('ada').id}, ${w.as('bob').id}) and (u.bytes, u.items) <> (r.bytes, r.items)) as accounts,
            array(select c.id from collections c, lateral (select coalesce(sum(size), 0) as bytes, count(*) as items from links l where l.collection_id = c.id) l
              where c.id in (${w.collection.id}, ${other}) and (c.stored_bytes, c.stored_items) <> (l.bytes, l.items)) as collections`
        expect(differing).toEqual({ accounts: [], collections: [] })
      }),
      { numRuns: 15 },
    )
  })
})

describe('items in no collection', () => {
  const unattached = async (w: World, who: string) => {
    const { body } = await w.as(who).get('/api/usage/unattached')
    return [...body.posts, ...body.assets].map(({ id }: { id: string }) => id)
  }

  test('Items removed from their last collection, or in a deleted one, are listed for their author alone', async () => {
    const w = await world({ bob: 'admin' })
    const other = await collectionOf(w, 'ada')
    const removed = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
    const both = (await note(w, 'ada', [w.collection.id, other])).body.post.id
    const deleted = (await note(w, 'ada', [other])).body.post.id
    await begin(w.as('ada'), noise(10))
    expect(await unattached(w, 'ada')).toEqual([])
    await w.as('bob').delete(`/api/asset/${removed.id}/collections/${w.collection.id}`)
    await w.as('ada').delete(`/api/collections/${other}`)
    expect(await unattached(w, 'ada')).toEqual([deleted, removed.id])
    expect(await unattached(w, 'bob')).toEqual([])
    await w.as('ada').delete(`/api/post/${deleted}`)
    await w.as('ada').put('/api/asset/bulk.collections.add', { ids: [removed.id], collectionIds: [w.collection.id] })
    expect(await unattached(w, 'ada')).toEqual([])
    expect((await w.as('ada').get(`/api/post/${both}`)).status).toBe(200)
  })
})

describe('a full account', () => {
  test('It takes files to the last byte, one more is refused and leaves no trace', async () => {
    const w = await world()
    await allow(w, w.as('ada').id, { bytes: 5_000 })
    await begin(w.as('ada'), noise(3_000))
    const before = await w.changes()
    const file = declared(noise(2_001), { id: newId(), collectionIds: [w.collection.id] })
    const refused = await w.as('ada').post('/api/asset', file)
    expectFull(refused, 'your account may hold 5 KB')
    expect(refused.body.error.message).toContain('Move what you no longer need to the trash')
    expect(await w.sql`select id from assets where id = ${file.id}`).toEqual([])
    expect(await w.changes()).toEqual(before)
    await begin(w.as('ada'), noise(2_000))
    expect(await own(w, 'ada')).toEqual({ bytes: 5_000, items: 2, quota: { bytes: 5_000, items: 1e6 } })
  })

  test('Parallel uploads fill it to the byte, and never beyond', async () => {
    const w = await world()
    await allow(w, w.as('ada').id, { bytes: 10_000 })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => w.as('ada').post('/api/asset', declared(noise(1_000), { collectionIds: [w.collection.id] }))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), ...Array(20).fill(413)])
    expect(await own(w, 'ada')).toMatchObject({ bytes: 10_000, items: 10 })
  })

  test('Its number of items is limited as well, posts included', async () => {
    const w = await world()
    await allow(w, w.as('ada').id, { items: 2 })
    await note(w, 'ada')
    await begin(w.as('ada'), noise(10))
    expectFull(await note(w, 'ada'), '2 posts and files')
  })

  test('Editing, trashing and deleting still work above a quota that was lowered', async () => {
    const w = await world()
    const { id } = await upload(w.as('ada'), jpegLike(900), { collectionIds: [w.collection.id] })
    await allow(w, w.as('ada').id, { bytes: 10 })
    expect((await w.as('ada').put(`/api/asset/${id}`, { alt: 'A lake' })).status).toBe(200)
    expect((await w.as('ada').delete(`/api/asset/${id}`)).status).toBe(200)
    expect((await w.as('ada').post('/api/trash/restore', { assetIds: [id] })).status).toBe(200)
  })

  test('A copy counts, and is refused when it does not fit', async () => {
    const w = await world({ bob: 'write' })
    const { id } = await upload(w.as('bob'), jpegLike(900), { collectionIds: [w.collection.id] })
    const { body } = await w
      .as('bob')
      .post('/api/post', { type: 'note', title: 'Hi', collectionIds: [w.collection.id], existingAssetIds: [id] })
    await w.sql`delete from members where collection_id = ${w.collection.id} and user_id = ${w.as('bob').id}`
    await allow(w, w.as('bob').id, { bytes: 1_000 })
    expectFull(await w.as('bob').post(`/api/asset/${id}/copy`, {}), 'your account may hold 1 KB')
    expectFull(await w.as('bob').post(`/api/post/${body.post.id}/copy`, {}), 'your account may hold 1 KB')
    expect(await own(w, 'bob')).toMatchObject({ bytes: 900, items: 2 })
  })
})

describe('a full collection', () => {
  const full = async () => {
    const w = await world({ bob: 'admin', cy: 'write' })
    await allow(w, w.collection.id, { bytes: 2_000, items: 4 })
    return w
  }

  test('Uploads by several members fill it to the byte, and never beyond', async () => {
    const w = await full()
    await allow(w, w.collection.id, { bytes: 2_000 })
    const answers = await Promise.all(
      Array.from({ length: 18 }, (_, n) =>
        w.as(['ada', 'bob', 'cy'][n % 3] ?? 'ada').post('/api/asset', declared(noise(200), { collectionIds: [w.collection.id] })),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    for (const answer of answers) if (answer.status !== 201) expectFull(answer, '“Kyoto” may hold 2 KB')
    expect(await usageOf(w)).toMatchObject({ bytes: 2_000, items: 10 })
  })

  /** Each way to put an item into a collection, tried with one that does not fit. */
  const WAYS: [string, (w: World, asset: string, post: string) => Promise<Answer>][] = [
    ['link an asset', (w, asset) => w.as('ada').post(`/api/asset/${asset}/collections`, { collectionIds: [w.collection.id] })],
    [
      'link assets in bulk',
      (w, asset) => w.as('ada').put('/api/asset/bulk.collections.add', { ids: [asset], collectionIds: [w.collection.id] }),
    ],
    ['link a post with assets', (w, _, post) => w.as('ada').post(`/api/post/${post}/collections`, { collectionIds: [w.collection.id] })],
    [
      'link posts in bulk',
      (w, _, post) => w.as('ada').put('/api/post/bulk.collections.add', { ids: [post], collectionIds: [w.collection.id] }),
    ],
    ['edit a post into it', (w, _, post) => w.as('ada').patch(`/api/post/${post}`, { collectionIds: [w.collection.id] })],
    [
      'add a post with assets',
      (w, asset) =>
        w.as('ada').post('/api/post', { type: 'note', title: 'Hi', collectionIds: [w.collection.id], existingAssetIds: [asset] }),
    ],
    ['upload a file', (w) => w.as('ada').post('/api/asset', declared(noise(1_500), { collectionIds: [w.collection.id] }))],
  ]

  test.each(WAYS)('Nobody can %s once it is full', async (_, put) => {
    const w = await full()
    await begin(w.as('bob'), noise(1_000), { collectionIds: [w.collection.id] })
    const asset = (await upload(w.as('ada'), jpegLike(1_001))).id
    const post = (await w.as('ada').post('/api/post', { type: 'note', title: 'Hi', existingAssetIds: [asset] })).body.post.id
    const before = await w.changes()
    expectFull(await put(w, asset, post), '“Kyoto” may hold 2 KB')
    expect(await w.changes()).toEqual(before)
    expect(await usageOf(w)).toMatchObject({ bytes: 1_000, items: 1 })
  })

  test('Undoing the removal of an item is refused if it does not fit any more', async () => {
    const w = await full()
    const { id } = await upload(w.as('ada'), jpegLike(1_500), { collectionIds: [w.collection.id] })
    const { changeId } = (await w.as('ada').delete(`/api/asset/${id}/collections/${w.collection.id}`)).body
    await begin(w.as('bob'), noise(1_000), { collectionIds: [w.collection.id] })
    expectFull(await w.as('ada').post(`/api/undo/${changeId}`), '“Kyoto” may hold 2 KB')
    expect(await usageOf(w)).toMatchObject({ bytes: 1_000 })
  })

  test('An upload of a file that its author has in it already completes in a full collection', async () => {
    const w = await full()
    const bytes = jpegLike(1_000)
    const [first, second] = [
      await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] }),
      await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] }),
    ]
    for (const { id } of [first, second]) {
      await sendParts(w.as('ada'), id, bytes)
      expect((await w.as('ada').post(`/api/asset/${id}/complete`)).status).toBe(200)
    }
    expect(await usageOf(w)).toMatchObject({ bytes: 1_000, items: 1 })
  })

  test('An upload completes in a full collection although the same file has become ready in another one', async () => {
    const [w, bytes] = [await full(), jpegLike(2_000)]
    const first = await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
    await sendParts(w.as('ada'), first.id, bytes)
    await upload(w.as('ada'), bytes, { collectionIds: [await collectionOf(w, 'ada')] })
    expect((await w.as('ada').post(`/api/asset/${first.id}/complete`)).body).toMatchObject({ duplicate: true, linked: [w.collection.id] })
    expect([await usageOf(w), await own(w, 'ada')]).toMatchObject([
      { bytes: 2_000, items: 1 },
      { bytes: 2_000, items: 1 },
    ])
  })

  test('Uploads of a file complete while the same file is edited', async () => {
    const [w, bytes] = [await world(), jpegLike(300)]
    const uploads = await Promise.all(Array.from({ length: 8 }, () => begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] })))
    for (const { id } of uploads) await sendParts(w.as('ada'), id, bytes)
    const [first = { id: '' }, ...others] = uploads
    await w.as('ada').post(`/api/asset/${first.id}/complete`)
    const edit = (n: number) => w.as('ada').post('/api/asset/bulk.location', { ids: [first.id], location: { lat: n, lon: 2 } })
    const answers = await Promise.all([
      ...others.map(({ id }) => w.as('ada').post(`/api/asset/${id}/complete`)),
      ...others.map((_, n) => edit(n)),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(14).fill(200))
  })

  test('Permanent deletion and restoring of the same items do not wait for each other for ever', async () => {
    const w = await world()
    const items = await Promise.all(Array.from({ length: 40 }, async () => (await note(w, 'ada')).body.post.id as string))
    await w.as('ada').delete('/api/post/bulk', { ids: items })
    const answers = await Promise.all([
      ...[0, 1].map(() => w.as('ada').delete('/api/trash', { postIds: items })),
      ...[0, 1].map(() => w.as('ada').post('/api/trash/restore', { postIds: items.toReversed() })),
    ])
    for (const { status } of answers) expect([200, 404]).toContain(status)
  })

  test('Uploads that begin, complete, merge and are discarded all at once do not wait for each other for ever', async () => {
    const w = await world()
    const other = await collectionOf(w, 'ada')
    const bytes = jpegLike(500)
    const run = async (n: number) => {
      const collectionIds = n % 2 ? [w.collection.id, other] : [other, w.collection.id]
      const file = n % 3 ? bytes : jpegLike(500)
      const { status, body } = await w.as('ada').post('/api/asset', declared(file, { collectionIds }))
      if (body.duplicate) return status
      if (n % 4 === 0) return (await w.as('ada').delete(`/api/asset/${body.asset.id}`)).status
      await sendParts(w.as('ada'), body.asset.id, file)
      await note(w, 'ada', collectionIds)
      return (await w.as('ada').post(`/api/asset/${body.asset.id}/complete`)).status
    }
    expect(await Promise.all(Array.from({ length: 24 }, (_, n) => run(n)))).toEqual(Array(24).fill(200))
  })
})

describe('limits of a day and of a minute', () => {
  const exhaust = async (w: World, action: LimitedAction, subject: string, number: number) => {
    const key = await attemptKey(action, subject)
    await w.sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${number * 1000}, now() + interval '20 hours')
      on conflict (key) do update set tries = excluded.tries, resets_at = excluded.resets_at`
  }
  const expectLimited = ({ status, body, headers }: Answer, words: string) => {
    expect([status, body.error.code]).toEqual([429, 'rate_limited'])
    expect(body.error.message).toBe(`Too many ${words}. Try again in 20 hours`)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3600)
  }

  test('Collections of a day are limited', async () => {
    const w = await world()
    await exhaust(w, 'collectionsOfDay', `user:${w.as('ada').id}`, ATTEMPTS.collectionsOfDay.perUser)
    expectLimited(await w.as('ada').post('/api/collections', { name: 'One more' }), 'new collections for one day')
  })

  test.each(['creating', 'editing', 'editing many', 'editing as a guest'])('What a person writes in a day is limited: %s', async (how) => {
    const w = await world()
    const ada = w.as('ada')
    const id = (await note(w, 'ada')).body.post.id
    const guest = await guestOf(ada, w.collection.id, { allows: 'add' })
    const sent = (await sendWhole(guest, jpegLike())).body.asset.id
    const write = {
      creating: () => note(w, 'ada'),
      editing: () => ada.patch(`/api/post/${id}`, { title: 'Again' }),
      'editing many': () => ada.post('/api/post/bulk.location', { ids: [id], location: { lat: 1, lon: 2 } }),
      'editing as a guest': () => guest.put(`/api/asset/${sent}`, { alt: newId() }),
    }[how] as () => Promise<Answer>
    expect((await write()).status).toBeLessThan(300)
    const who = how.endsWith('guest') ? `link:${guest.link}` : ada.id
    const key = createHash('sha256').update(`written:${who}`).digest('hex')
    const [{ count } = {}] = await w.sql`update rate_limits set tries = 1048576, resets_at = now() + interval '20 hours'
      where key = ${key} returning 1 as count`
    expect(count).toBe(1)
    const before = await w.changes()
    expectLimited(await write(), 'attempts')
    expect(await w.changes()).toEqual(before)
    if (how.endsWith('guest')) expect((await note(w, 'ada')).status).toBe(201)
  })

  test('Uploads of a day are limited, copies included', async () => {
    const w = await world()
    const { id } = await upload(w.as('ada'), jpegLike())
    const { body } = await note(w, 'ada')
    await exhaust(w, 'uploadsOfDay', `user:${w.as('ada').id}`, ATTEMPTS.uploadsOfDay.perUser)
    for (const answer of [
      await w.as('ada').post('/api/asset', declared(noise(10))),
      await w.as('ada').post(`/api/asset/${id}/copy`, {}),
      await w.as('ada').post(`/api/post/${body.post.id}/copy`, {}),
    ])
      expectLimited(answer, 'files for now')
  })
})
