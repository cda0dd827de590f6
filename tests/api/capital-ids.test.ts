import { beforeAll, expect, test } from 'vitest'
import { guestOf } from '../support/guests.ts'
import { assetRow } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

let w: World
let person: string
beforeAll(async () => {
  w = await world()
  person = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Oma' })).body.person.id
})

const capital = (id: string) => id.toUpperCase()

test('A link to what a person is tagged in takes their id in capitals', async () => {
  const tagged = { type: 'note', title: 'With Oma', collectionIds: [w.collection.id], peopleIds: [person] }
  const { post } = (await w.as('ada').post('/api/post', tagged)).body
  const filters = { contentTypes: [], postTypes: [], eventTypes: [], noteTypes: [], people: [capital(person)] }
  const guest = await guestOf(w.as('ada'), w.collection.id, { kind: 'filter', filters })
  const { posts } = (await guest.get(`/api/post?collection_id=${w.collection.id}`)).body
  expect(posts.map(({ id }: { id: string }) => id)).toEqual([post.id])
})

test('A group takes its cover in capitals, and one photo in two spellings is no group', async () => {
  const [one, two] = [await assetRow(w, 'ada', [w.collection.id]), await assetRow(w, 'ada', [w.collection.id])]
  const group = (assetIds: string[], cover: string) => w.as('ada').post(`/api/collections/${w.collection.id}/groups`, { assetIds, cover })
  expect((await group([one, capital(one)], one)).status).toBe(400)
  const { status, body } = await group([one, two], capital(two))
  expect([status, body.group?.cover]).toEqual([201, two])
})

test('A person cannot be added and removed at once, in two spellings of their id', async () => {
  const asset = await assetRow(w, 'ada', [w.collection.id])
  const call = { ids: [asset], add: [capital(person)], remove: [person] }
  expect((await w.as('ada').post('/api/asset/bulk.people', call)).status).toBe(400)
})
