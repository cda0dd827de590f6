import { describe, expect, test } from 'vitest'
import * as contract from '../../contract/members.ts'
import { assetRow } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const path = (w: World, name = '') => `/api/collections/${w.collection.id}/members${name && `/${w.as(name).id}`}`

describe('the list of members', () => {
  test('The list starts with the owner, and has addresses only for admins and the owner', async () => {
    const w = await world({ bob: 'read', cleo: 'write', dan: 'admin' })
    for (const [viewer, sees] of [
      ['ada', true],
      ['dan', true],
      ['cleo', false],
      ['bob', false],
    ] as const) {
      const { body } = await w.as(viewer).get(path(w))
      const { members } = contract.listMembers.response.parse(body)
      expect(members.map(({ name, role }) => `${name} ${role}`)).toEqual([
        'Ada Test owner',
        'Dan Test admin',
        'Cleo Test write',
        'Bob Test read',
      ])
      expect(members.map(({ email }) => email)).toEqual(['ada', 'dan', 'cleo', 'bob'].map((name) => (sees ? w.as(name).email : undefined)))
      if (!sees) expect(JSON.stringify(body)).not.toContain('@')
    }
  })

  test('A member with one name is shown by it, and one without a name by the part of the address before the @', async () => {
    const w = await world({ bob: 'read' })
    const nameOfAda = async () => (await w.as('bob').get(path(w))).body.members[0].name
    await w.sql`update users set last_name = null where id = ${w.as('ada').id}`
    expect(await nameOfAda()).toBe('Ada')
    await w.sql`update users set first_name = null where id = ${w.as('ada').id}`
    expect(await nameOfAda()).toBe(w.as('ada').email.split('@')[0])
    expect((await w.changes()).map(({ table_name, event, ids }) => [table_name, event, ids])).toEqual([
      ['users', 'UPDATE', [w.as('ada').id]],
      ['users', 'UPDATE', [w.as('ada').id]],
    ])
  })
})

describe('changing a role', () => {
  test('A new role applies to the next request and is published to the member', async () => {
    const w = await world({ bob: 'read' })
    const note = { type: 'note', title: 'Hi', collectionIds: [w.collection.id] }
    expect((await w.as('bob').post('/api/post', note)).status).toBe(403)
    const { member } = contract.updateMember.response.parse((await w.as('ada').put(path(w, 'bob'), { role: 'write' })).body)
    expect(member).toMatchObject({ user_id: w.as('bob').id, role: 'write', email: w.as('bob').email })
    expect((await w.as('bob').post('/api/post', note)).status).toBe(201)
    expect((await w.changes())[0]).toMatchObject({ table_name: 'members', event: 'UPDATE', user_ids: [w.as('bob').id] })
    expect((await w.as('ada').put(path(w, 'bob'), { role: 'write' })).status).toBe(200)
    expect((await w.changes()).filter(({ table_name }) => table_name === 'members')).toHaveLength(1)
  })

  test.each([
    ['an admin makes an admin', 'dan', 'bob', 'admin'],
    ['an admin lowers an admin', 'dan', 'eli', 'read'],
    ['an admin raises themselves', 'dan', 'dan', 'admin'],
    ['a writer raises themselves', 'cleo', 'cleo', 'admin'],
    ['a reader raises themselves', 'bob', 'bob', 'write'],
    ['an admin lowers the owner', 'dan', 'ada', 'read'],
    ['the owner lowers themselves', 'ada', 'ada', 'admin'],
    ['a writer lowers a reader', 'cleo', 'bob', 'read'],
  ])('Changing a role is refused if %s', async (_what, actor, target, role) => {
    const w = await world({ bob: 'read', cleo: 'write', dan: 'admin', eli: 'admin' })
    expect((await w.as(actor).put(path(w, target), { role })).status).toBe(403)
    expect(await w.changes()).toEqual([])
  })

  test.each(['owner', 'Read', '', null])('Changing a role refuses the role %j', async (role) => {
    const w = await world({ bob: 'read' })
    expect((await w.as('ada').put(path(w, 'bob'), { role })).status).toBe(400)
  })

  test('Changing the role of a user who is not a member gets 404', async () => {
    const w = await world({ eve: null })
    expect((await w.as('ada').put(path(w, 'eve'), { role: 'read' })).status).toBe(404)
    expect((await w.as('ada').put(`${path(w)}/a%00b`, { role: 'read' })).status).toBe(404)
    expect((await w.as('ada').delete(path(w, 'eve'))).status).toBe(404)
  })
})

describe('removing a member', () => {
  test('A removed member’s next request is refused, and their posts stay but cannot be changed by them', async () => {
    const w = await world({ bob: 'write', dan: 'admin' })
    const { post } = (await w.as('bob').post('/api/post', { type: 'note', title: 'Mine', collectionIds: [w.collection.id] })).body
    expect((await w.as('dan').delete(path(w, 'bob'))).status).toBe(200)
    expect((await w.as('bob').get(`/api/post?collection_id=${w.collection.id}`)).status).toBe(404)
    expect((await w.as('bob').patch(`/api/post/${post.id}`, { title: 'Late' })).status).toBe(403)
    expect((await w.as('bob').delete(`/api/post/${post.id}`)).status).toBe(403)
    expect((await w.as('bob').get(`/api/post/${post.id}`)).body.post).toMatchObject({ title: 'Mine', collections: [] })
    expect((await w.as('dan').get(`/api/post/${post.id}`)).body.post).toMatchObject({ title: 'Mine', user_name: 'Bob Test' })
    expect((await w.changes()).at(-1)).toMatchObject({ table_name: 'members', event: 'DELETE', user_ids: [w.as('bob').id] })
  })

  test.each([
    ['an admin removes an admin', 'dan', 'eli'],
    ['an admin removes the owner', 'dan', 'ada'],
    ['the owner removes themselves', 'ada', 'ada'],
    ['an admin removes themselves', 'dan', 'dan'],
    ['a writer removes a reader', 'cleo', 'bob'],
  ])('Removing is refused if %s', async (_what, actor, target) => {
    const w = await world({ bob: 'read', cleo: 'write', dan: 'admin', eli: 'admin' })
    expect((await w.as(actor).delete(path(w, target))).status).toBe(403)
    expect(await w.changes()).toEqual([])
  })

  test('Removing a member while they are made an admin leaves one owner, in either order', async () => {
    const w = await world({ bob: 'write', dan: 'admin' })
    const [raised, removed] = await Promise.all([w.as('ada').put(path(w, 'bob'), { role: 'admin' }), w.as('dan').delete(path(w, 'bob'))])
    expect(['200 403', '404 200']).toContain(`${raised.status} ${removed.status}`)
  })
})

describe('what a removed member added', () => {
  const addedBy = async (w: World, who: string) => {
    const { body } = await w.as(who).post('/api/post', { type: 'note', title: `By ${who}`, collectionIds: [w.collection.id] })
    return { post: body.post.id as string, asset: await assetRow(w, who, [w.collection.id]) }
  }
  const shown = async (w: World) => {
    const query = `collection_id=${w.collection.id}`
    const posts: { id: string }[] = (await w.as('ada').get(`/api/post?${query}`)).body.posts
    const assets: { id: string }[] = (await w.as('ada').get(`/api/asset?${query}`)).body.assets
    return [...posts, ...assets].map(({ id }) => id).toSorted()
  }
  const remove = (w: World, by: string, items: string) =>
    w.as(by).delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}?items=${items}`)

  test('It stays or goes as the remover chooses, and undoing brings it back without the member', async () => {
    const w = await world({ bob: 'write', cleo: 'write' })
    const [bobs, cleos] = [await addedBy(w, 'bob'), await addedBy(w, 'cleo')]
    const all = [bobs, cleos].flatMap(({ post, asset }) => [post, asset]).toSorted()
    const { status, body } = await remove(w, 'ada', 'remove')
    expect([status, body]).toEqual([200, { success: true, changeId: expect.any(String) }])
    expect(await shown(w)).toEqual([cleos.post, cleos.asset].toSorted())
    expect((await w.as('bob').get(`/api/post/${bobs.post}`)).body.post).toMatchObject({ title: 'By bob', collections: [] })
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect(await shown(w)).toEqual(all)
    expect((await w.as('bob').get(`/api/collections/${w.collection.id}`)).status).toBe(404)
  })

  test('It stays unless told otherwise, and a refused removal takes nothing out', async () => {
    const w = await world({ bob: 'admin', cleo: 'admin' })
    const { post, asset } = await addedBy(w, 'bob')
    expect((await remove(w, 'cleo', 'remove')).status).toBe(403)
    expect((await remove(w, 'ada', 'keep')).status).toBe(400)
    expect((await remove(w, 'ada', 'leave')).body).toEqual({ success: true })
    expect(await shown(w)).toEqual([post, asset].toSorted())
  })
})
