import { describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LinkFilters } from '../../contract/links.ts'
import * as contract from '../../contract/people.ts'
import type { Client } from '../../dev/http-client.ts'
import { guestOf, makeLink } from '../support/guests.ts'
import { type World, world } from '../support/world.ts'

const path = (w: World, id = '') => `/api/collections/${w.collection.id}/people${id && `/${id}`}`
const add = async (w: World, name: string) => (await w.as('ada').post(path(w), { name })).body.person as contract.Person
const linksOf = (w: World) => `/api/collections/${w.collection.id}/links`
/** Ids of the posts that the guest of a link sees, oldest first. */
const postsOf = async (w: World, guest: Client): Promise<string[]> =>
  (await guest.get(`/api/post?collection_id=${w.collection.id}`)).body.posts.map(({ id }: { id: string }) => id).toSorted()

describe('the list of people', () => {
  test('The list is sorted by name and shows which people have no account', async () => {
    const w = await world({ bob: 'read' })
    const zoe = await add(w, 'Zoë')
    const ann = await add(w, 'ann')
    await w.as('ada').put(path(w, ann.id), { userId: w.as('bob').id })
    const { people } = contract.listPeople.response.parse((await w.as('bob').get(path(w))).body)
    expect(people).toEqual([{ ...ann, user_id: w.as('bob').id }, zoe])
    const unlinked = contract.listUnlinkedPeople.response.parse((await w.as('bob').get(`${path(w)}/unlinked`)).body)
    expect(unlinked.people).toEqual([zoe])
  })
})

describe('adding a person', () => {
  test('Adding the same id again returns the same person, and conflicts in another collection', async () => {
    const w = await world({ bob: 'write' })
    const draft = { id: newId(), name: 'Grandma' }
    const first = await w.as('bob').post(path(w), draft)
    expect(first.status).toBe(201)
    expect(contract.createPerson.response.parse(first.body).person).toEqual({ ...draft, collection_id: w.collection.id, user_id: null })
    expect((await w.as('bob').post(path(w), draft)).status).toBe(200)
    const other = (await w.as('bob').post('/api/collections', { name: 'Other' })).body.collection
    expect((await w.as('bob').post(`/api/collections/${other.id}/people`, draft)).status).toBe(409)
    expect((await w.changes()).map(({ table_name, event }) => `${table_name} ${event}`)).toEqual(['collections UPDATE'])
  })

  test('Adding stops at 200 people, even for two at once', async () => {
    const w = await world()
    await w.sql`insert into people (id, collection_id, name) select gen_random_uuid(), ${w.collection.id}, 'P' || n from generate_series(1, 199) n`
    const two = await Promise.all([1, 2].map(() => w.as('ada').post(path(w), { name: 'Last' })))
    expect(two.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  test.each([{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'A', userId: 'x' }, { name: 'A', user_id: 'x' }, { name: 'A', id: '1' }])(
    'Adding refuses %j',
    async (body) => {
      const w = await world()
      expect((await w.as('ada').post(path(w), body)).status).toBe(400)
    },
  )
})

describe('changing a person', () => {
  test('A person can be renamed, linked to a member and unlinked', async () => {
    const w = await world({ bob: 'write' })
    const person = await add(w, 'Grandpa')
    const put = async (body: unknown) => (await w.as('bob').put(path(w, person.id), body)).body.person
    expect(await put({ name: 'Opa' })).toEqual({ ...person, name: 'Opa' })
    expect(await put({ userId: w.as('ada').id })).toEqual({ ...person, name: 'Opa', user_id: w.as('ada').id })
    expect(await put({})).toMatchObject({ name: 'Opa', user_id: w.as('ada').id })
    expect(await put({ userId: null })).toEqual({ ...person, name: 'Opa' })
  })

  test('A person can be linked only to a member, and a member to only one person', async () => {
    const w = await world({ bob: 'write', eve: null })
    const [one, two] = [await add(w, 'One'), await add(w, 'Two')]
    expect((await w.as('ada').put(path(w, one.id), { userId: w.as('eve').id })).status).toBe(400)
    const both = await Promise.all([one, two].map(({ id }) => w.as('ada').put(path(w, id), { userId: w.as('bob').id })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('A person of another collection is not found', async () => {
    const w = await world()
    const other = (await w.as('ada').post('/api/collections', { name: 'Other' })).body.collection
    const { person } = (await w.as('ada').post(`/api/collections/${other.id}/people`, { name: 'X' })).body
    expect((await w.as('ada').put(path(w, person.id), { name: 'Y' })).status).toBe(404)
    expect((await w.as('ada').delete(path(w, person.id))).status).toBe(404)
  })
})

describe('removing a person', () => {
  test('Removing a person removes their tags, even during tagging', async () => {
    const w = await world({ bob: 'write' })
    const person = await add(w, 'Gone')
    const { post } = (
      await w.as('bob').post('/api/post', { type: 'note', title: 'A', collectionIds: [w.collection.id], peopleIds: [person.id] })
    ).body
    const [removed, ...tagged] = await Promise.all([
      w.as('ada').delete(path(w, person.id)),
      ...['B', 'C', 'D'].map((title) =>
        w.as('bob').post('/api/post', { type: 'note', title, collectionIds: [w.collection.id], peopleIds: [person.id] }),
      ),
    ])
    expect(removed.status).toBe(200)
    for (const { status } of tagged) expect([201, 404]).toContain(status)
    expect((await w.as('bob').get(`/api/post/${post.id}`)).body.post.people).toEqual([])
    expect(await w.sql`select from post_people where person_id = ${person.id}`).toEqual([])
    expect((await w.as('ada').delete(path(w, person.id))).status).toBe(404)
  })

  test('A link to what a removed person was tagged in shows nothing, can be changed, and shows it again when that is undone', async () => {
    const w = await world()
    const [ana, eve] = [await add(w, 'Ana'), await add(w, 'Eve')]
    const tagged = { type: 'note', title: 'A', collectionIds: [w.collection.id], peopleIds: [ana.id] }
    const { post } = (await w.as('ada').post('/api/post', tagged)).body
    const guest = await guestOf(w.as('ada'), w.collection.id, { kind: 'filter', filters: LinkFilters.parse({ people: [ana.id] }) })
    const { changeId } = (await w.as('ada').delete(path(w, ana.id))).body
    expect(await postsOf(w, guest)).toEqual([])
    const patch = (people: string[]) =>
      w.as('ada').patch(`${linksOf(w)}/${guest.link}`, { filters: LinkFilters.parse({ people }), name: 'Ana' })
    expect((await patch([ana.id, newId()])).status).toBe(404)
    for (const people of [[ana.id], [ana.id, eve.id]]) expect((await patch(people)).body.link?.filters.people).toEqual(people)
    expect(await postsOf(w, guest)).toEqual([])
    expect((await w.as('ada').post(`/api/undo/${changeId}`)).status).toBe(200)
    expect(await postsOf(w, guest)).toEqual([post.id])
  })
})

describe('merging two people', () => {
  const merge = (w: World, id: string, intoId: string) => w.as('ada').post(`${path(w, id)}/merge`, { intoId })
  const note = async (w: World, title: string, people: string[]) =>
    (await w.as('ada').post('/api/post', { type: 'note', title, collectionIds: [w.collection.id], peopleIds: people })).body.post
      .id as string
  const tagged = async (w: World, id: string) => (await w.as('ada').get(`/api/post/${id}`)).body.post.people as string[]

  test('Merging unites tags without duplicates, is published, and can be undone completely', async () => {
    const w = await world({ bob: 'write' })
    const [ana, anna] = [await add(w, 'Ana'), await add(w, 'Anna')]
    const [one, two, three] = [await note(w, 'One', [ana.id]), await note(w, 'Two', [anna.id]), await note(w, 'Three', [ana.id, anna.id])]
    const { body, status } = await merge(w, anna.id, ana.id)
    expect(status).toBe(200)
    expect(contract.mergePerson.response.parse(body).person).toEqual(ana)
    for (const id of [one, two, three]) expect(await tagged(w, id)).toEqual([ana.id])
    expect((await w.as('bob').get(path(w))).body.people).toEqual([ana])
    const published = (await w.changes()).flatMap(({ table_name, ids }) => (table_name === 'post_collections' ? ids : []))
    expect(published).toEqual(expect.arrayContaining([two, three]))

    expect((await w.as('bob').post(`/api/undo/${body.changeId}`)).status).toBe(404)
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect((await w.as('bob').get(path(w))).body.people).toEqual([ana, anna])
    expect(await tagged(w, one)).toEqual([ana.id])
    expect(await tagged(w, two)).toEqual([anna.id])
    expect((await tagged(w, three)).toSorted()).toEqual([ana.id, anna.id].toSorted())
  })

  test('Undo of a merge leaves untagged what somebody has untagged since', async () => {
    const w = await world({ bob: 'write' })
    const [ana, anna] = [await add(w, 'Ana'), await add(w, 'Anna')]
    const [one, two] = [await note(w, 'One', [anna.id]), await note(w, 'Two', [anna.id])]
    const { body } = await merge(w, anna.id, ana.id)
    expect((await w.as('ada').patch(`/api/post/${one}`, { peopleIds: [] })).status).toBe(200)
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect([await tagged(w, one), await tagged(w, two)]).toEqual([[], [anna.id]])
  })

  test('Merges are undone from the last to the first', async () => {
    const w = await world()
    const [ana, anna, anne] = [await add(w, 'Ana'), await add(w, 'Anna'), await add(w, 'Anne')]
    const one = await note(w, 'One', [ana.id])
    const [first, second] = [(await merge(w, ana.id, anna.id)).body.changeId, (await merge(w, anna.id, anne.id)).body.changeId]
    expect((await w.as('ada').post(`/api/undo/${first}`)).status).toBe(409)
    expect((await w.as('ada').get(path(w))).body.people).toEqual([anne])
    expect(await tagged(w, one)).toEqual([anne.id])
    for (const changeId of [second, first]) expect((await w.as('ada').post(`/api/undo/${changeId}`)).status).toBe(200)
    expect((await w.as('ada').get(path(w))).body.people).toEqual([ana, anna, anne])
    expect(await tagged(w, one)).toEqual([ana.id])
  })

  test('Merging keeps the account, and undo returns it', async () => {
    const w = await world({ bob: 'write' })
    const [ana, anna] = [await add(w, 'Ana'), await add(w, 'Anna')]
    await w.as('ada').put(path(w, anna.id), { userId: w.as('bob').id })
    const { body } = await merge(w, anna.id, ana.id)
    expect(body.person).toEqual({ ...ana, user_id: w.as('bob').id })
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect((await w.as('ada').get(path(w))).body.people).toEqual([ana, { ...anna, user_id: w.as('bob').id }])
  })

  test('Merging keeps the invitation: accepting it links the remaining person', async () => {
    const w = await world({ bob: null })
    const [ana, anna] = [await add(w, 'Ana'), await add(w, 'Anna')]
    const invites = `/api/collections/${w.collection.id}/invites`
    await w.as('ada').post(`${invites}/invite`, { email: w.as('bob').email, role: 'read', personId: anna.id })
    await merge(w, anna.id, ana.id)
    expect((await w.as('ada').get(invites)).body.invites[0].person_id).toBe(ana.id)
    expect((await w.as('bob').post(`${invites}/accept`)).status).toBe(200)
    expect((await w.as('ada').get(path(w))).body.people).toEqual([{ ...ana, user_id: w.as('bob').id }])
  })

  test('Merging a person with an invitation into one with an account leaves an invitation for no person', async () => {
    const w = await world({ bob: 'read' })
    const [ana, anna] = [await add(w, 'Ana'), await add(w, 'Anna')]
    const invites = `/api/collections/${w.collection.id}/invites`
    await w.as('ada').put(path(w, ana.id), { userId: w.as('bob').id })
    await w.as('ada').post(`${invites}/invite`, { email: 'else@example.org', role: 'read', personId: anna.id })
    const { body } = await merge(w, anna.id, ana.id)
    expect((await w.as('ada').get(invites)).body.invites[0].person_id).toBeNull()
    await w.as('ada').post(`/api/undo/${body.changeId}`)
    expect((await w.as('ada').get(invites)).body.invites[0].person_id).toBe(anna.id)
  })

  test('A link to what a person is tagged in follows them when they are merged, and back when that is undone', async () => {
    const w = await world()
    const [ana, anna] = [await add(w, 'Ana'), await add(w, 'Anna')]
    const [one, two] = [await note(w, 'One', [ana.id]), await note(w, 'Two', [anna.id])]
    const guests = await Promise.all(
      [[anna.id], [anna.id, ana.id], [ana.id]].map((people) =>
        guestOf(w.as('ada'), w.collection.id, { kind: 'filter', filters: LinkFilters.parse({ people }) }),
      ),
    )
    const seen = () => Promise.all(guests.map((guest) => postsOf(w, guest)))
    expect(await seen()).toEqual([[two], [one, two], [one]])
    const { body } = await merge(w, anna.id, ana.id)
    expect(await seen()).toEqual([
      [one, two],
      [one, two],
      [one, two],
    ])
    const { links } = (await w.as('ada').get(linksOf(w))).body
    for (const { id, filters } of links) {
      expect(filters.people).toEqual([ana.id])
      const again = await w.as('ada').patch(`${linksOf(w)}/${id}`, { filters })
      expect([again.status, again.body.link.filters]).toEqual([200, filters])
    }
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect(await seen()).toEqual([[two], [one, two], [one]])
  })

  test('Undo of a merge leaves a link alone whose people were changed since', async () => {
    const w = await world()
    const [ana, anna, eve] = [await add(w, 'Ana'), await add(w, 'Anna'), await add(w, 'Eve')]
    const { id, filters } = await makeLink(w.as('ada'), w.collection.id, {
      kind: 'filter',
      filters: LinkFilters.parse({ people: [anna.id] }),
    })
    const { body } = await merge(w, anna.id, ana.id)
    const changed = { ...filters, people: [ana.id, eve.id] }
    expect((await w.as('ada').patch(`${linksOf(w)}/${id}`, { filters: changed })).status).toBe(200)
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect((await w.as('ada').get(linksOf(w))).body.links[0].filters).toEqual(changed)
  })

  test('Merging two people with accounts is refused and changes nothing', async () => {
    const w = await world({ bob: 'read', cy: 'read' })
    const [ana, anna] = [await add(w, 'Ana'), await add(w, 'Anna')]
    await w.as('ada').put(path(w, ana.id), { userId: w.as('bob').id })
    await w.as('ada').put(path(w, anna.id), { userId: w.as('cy').id })
    const before = (await w.changes()).length
    expect((await merge(w, anna.id, ana.id)).status).toBe(409)
    expect((await w.changes()).length).toBe(before)
  })

  test('Merging with the same person, an unknown person or one of another collection is refused', async () => {
    const w = await world()
    const ana = await add(w, 'Ana')
    const other = (await w.as('ada').post('/api/collections', { name: 'Other' })).body.collection
    const { person } = (await w.as('ada').post(`/api/collections/${other.id}/people`, { name: 'X' })).body
    for (const into of [ana.id, ana.id.toUpperCase(), newId(), person.id]) expect((await merge(w, ana.id, into)).status).toBe(400)
    expect((await w.as('ada').get(path(w))).body.people).toEqual([ana])
    expect((await merge(w, person.id, ana.id)).status).toBe(404)
    expect((await w.as('ada').post(`/api/undo/${newId()}`)).status).toBe(404)
  })

  test('Concurrent merging in both directions and tagging leave one person with all accepted tags', async () => {
    const w = await world({ bob: 'write' })
    const [ana, anna] = [await add(w, 'Ana'), await add(w, 'Anna')]
    const bob = w.as('bob')
    const tag = (person: string, title: string) =>
      bob.post('/api/post', { type: 'note', title, collectionIds: [w.collection.id], peopleIds: [person] })
    const [there, back, ...posts] = await Promise.all([
      merge(w, anna.id, ana.id),
      merge(w, ana.id, anna.id),
      ...[ana.id, anna.id, ana.id, anna.id].map((id, n) => tag(id, `Post ${n}`)),
    ])
    expect([there.status, back.status].filter((status) => status === 200)).toHaveLength(1)
    const [left, ...others] = (await bob.get(path(w))).body.people as contract.Person[]
    expect(others).toEqual([])
    for (const { status, body } of posts) {
      expect([201, 404]).toContain(status)
      if (status === 201) expect(await tagged(w, body.post.id)).toEqual([left?.id])
    }
  })
})
