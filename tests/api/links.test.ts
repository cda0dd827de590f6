import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { GuestClient, guestOf, makeLink, secretOf } from '../support/guests.ts'
import { assetRow } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ amy: 'admin', wes: 'write', rita: 'read', eve: null })
})

const links = () => `/api/collections/${w.collection.id}/links`
const note = async (who: string, title: string, more: object = {}) =>
  (await w.as(who).post('/api/post', { type: 'note', title, collectionIds: [w.collection.id], ...more })).body.post.id as string

test('A link is made with its address, which is sent once and not stored', async () => {
  const made = await w.as('ada').post(links(), { kind: 'collection', name: ' For  grandma ' })
  expect(made.status).toBe(201)
  expect(made.headers.get('cache-control')).toBe('no-store')
  const { url, ...link } = made.body.link
  expect(url).toMatch(new RegExp(`^${w.origin}/s/[\\w-]{22}$`))
  expect(link).toMatchObject({ name: 'For grandma', kind: 'collection', location: 'hidden', download: false, askName: false, password: false, ended: false })
  const { body } = await w.as('ada').get(links())
  expect(body.links).toContainEqual(link)
  const again = await w.as('ada').post(links(), { id: link.id, kind: 'collection' })
  expect([again.status, again.body.link]).toEqual([200, link])
  const [row] = await w.sql`select to_jsonb(l)::text as text from links l where id = ${link.id}`
  expect(row?.text).not.toContain(secretOf(url))
})

test('A guest sees the collection as the link shows it, and may do nothing more', async () => {
  const [post, asset] = [await note('ada', 'First snow'), await assetRow(w, 'ada', [w.collection.id])]
  const grandma = await guestOf(w.as('ada'), w.collection.id)
  const { body } = await grandma.get(`/api/collections/${w.collection.id}`)
  expect(body).toMatchObject({ role: 'guest', collection: { name: 'Kyoto', role: 'guest', member_count: 0 } })
  expect(Object.entries(body.permissions).filter(([, may]) => may)).toEqual([['collection.see', true]])
  for (const form of ['', '&form=columns']) {
    const posts = await grandma.get(`/api/post?collection_id=${w.collection.id}${form}`)
    expect([posts.status, JSON.stringify(posts.body).includes(post)], JSON.stringify(posts.body)).toEqual([200, true])
    const assets = await grandma.get(`/api/asset?collection_id=${w.collection.id}${form}`)
    expect([assets.status, JSON.stringify(assets.body).includes(asset)], JSON.stringify(assets.body)).toEqual([200, true])
  }
  const calls = [`/api/post/${post}`, `/api/asset/${asset}`, `/api/collections/${w.collection.id}/timeline`, `/api/collections/${w.collection.id}/people`]
  for (const call of calls) expect((await grandma.get(call)).status, call).toBe(200)
  expect((await grandma.get('/api/post')).status).toBe(200)
  expect((await grandma.post('/api/live/ticket', { room: `collection:${w.collection.id}` })).status).toBe(200)
})
