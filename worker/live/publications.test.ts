import { expect, test } from 'vitest'
import { ChangeMessage } from '../../contract/live.ts'
import type { Change } from '../queries/changes.ts'
import { messageOf, publicationsOf, roomsOf } from './publications.ts'

const A = '0198b2c4-0000-7000-8000-00000000000a'
const B = '0198b2c4-0000-7000-8000-00000000000b'

function change(more: Partial<Change>): Change {
  return {
    id: 1,
    collection_id: A,
    collection_ids: [],
    revision: 5,
    table: 'post_collections',
    event: 'INSERT',
    ids: [B],
    user_ids: [],
    roles: null,
    faces: null,
    audience: [],
    ...more,
  }
}

test('a message has an id only if exactly one row changed', () => {
  expect(messageOf(change({}))).toEqual({
    type: 'change',
    table: 'post_collections',
    event: 'INSERT',
    id: B,
    collection_id: A,
    revision: 5,
  })
  expect(messageOf(change({ ids: [A, B] }))).not.toHaveProperty('id')
})

test('a message has a user id only for one member or invitation', () => {
  expect(messageOf(change({ table: 'members', user_ids: ['bob'] }))).toHaveProperty('user_id', 'bob')
  expect(messageOf(change({ table: 'members', user_ids: ['bob', 'ada'] }))).not.toHaveProperty('user_id')
  expect(messageOf(change({ table: 'collections', user_ids: ['bob'] }))).not.toHaveProperty('user_id')
})

test('every message matches the schema of the contract', () => {
  for (const more of [{}, { table: 'members', user_ids: ['bob'], ids: ['bob'] }, { ids: [A, B] }] satisfies Partial<Change>[]) {
    const message = messageOf(change(more))
    expect(ChangeMessage.parse(message)).toEqual(message)
  }
})

test("a profile's change without a collection goes to the person's own room only, and names them", () => {
  const rooms = publicationsOf([
    change({ collection_id: null, revision: 0, table: 'users', event: 'UPDATE', ids: ['bob'], user_ids: ['bob'] }),
  ])
  expect([...rooms]).toEqual([
    [
      'user:bob',
      {
        changes: [{ type: 'change', table: 'users', event: 'UPDATE', id: 'bob', user_id: 'bob', revision: 0 }],
        access: [],
        faces: [],
        ended: [],
      },
    ],
  ])
})

test('the end of a session reaches all rooms of its person, and tells their clients nothing', () => {
  const rooms = publicationsOf([
    change({ collection_id: null, collection_ids: [A], revision: 0, table: 'sessions', event: 'DELETE', ids: [B], user_ids: ['bob'] }),
  ])
  const published = { changes: [], access: [], faces: [], ended: [B] }
  expect([...rooms]).toEqual([
    [`collection:${A}`, published],
    ['user:bob', published],
  ])
})

test("changes are published in order to their collection's room and to the own rooms of the users concerned", () => {
  const changes = [
    change({ revision: 5 }),
    change({ id: 2, revision: 6, table: 'invites', user_ids: ['bob'] }),
    change({ id: 3, collection_id: B, revision: 1 }),
  ]
  const rooms = publicationsOf(changes)
  expect([...rooms.keys()]).toEqual([`collection:${A}`, 'user:bob', `collection:${B}`])
  expect(rooms.get(`collection:${A}`)?.changes.map(({ revision }) => revision)).toEqual([5, 6])
  expect(rooms.get('user:bob')?.changes.map(({ revision }) => revision)).toEqual([6])
  expect(changes.flatMap(roomsOf)).toEqual([`collection:${A}`, `collection:${A}`, 'user:bob', `collection:${B}`])
})

test("a message about an invitation has the user id only in the user's own room", () => {
  const rooms = publicationsOf([change({ table: 'invites', user_ids: ['bob'] })])
  expect(rooms.get(`collection:${A}`)?.changes).toEqual([
    { type: 'change', table: 'invites', event: 'INSERT', id: B, collection_id: A, revision: 5 },
  ])
  expect(rooms.get('user:bob')?.changes[0]).toHaveProperty('user_id', 'bob')
})

test('a change of members is published with their present roles', () => {
  const rooms = publicationsOf([
    change({ table: 'members', event: 'DELETE', user_ids: ['bob', 'cleo'], ids: ['bob', 'cleo'], roles: { cleo: 'read' } }),
  ])
  expect(rooms.get(`collection:${A}`)?.access).toEqual([
    { user: 'bob', role: null, revision: 5 },
    { user: 'cleo', role: 'read', revision: 5 },
  ])
  expect(rooms.get('user:bob')?.access).toEqual([])
})

test('a change that shows on cards is published once to the own room of each user in its audience', () => {
  const rooms = publicationsOf([change({ table: 'members', user_ids: ['bob'], audience: ['ada', 'bob'] })])
  expect([...rooms.keys()]).toEqual([`collection:${A}`, 'user:bob', 'user:ada'])
  expect(rooms.get('user:bob')?.changes).toHaveLength(1)
})

test('a change of name or visibility is published to the room of the collection', () => {
  const face = { name: 'Bob', hidden: true }
  const rooms = publicationsOf([change({ table: 'members', event: 'UPDATE', ids: ['bob'], roles: {}, faces: { bob: face } })])
  expect(rooms.get(`collection:${A}`)?.faces).toEqual([{ user: 'bob', ...face, revision: 5 }])
})

test('a deleted collection closes its own room, not those of its members', () => {
  const rooms = publicationsOf([change({ table: 'collections', event: 'DELETE', ids: [A], user_ids: ['ada'] })])
  expect(rooms.get(`collection:${A}`)?.deletedAt).toBe(5)
  expect(rooms.get('user:ada')).not.toHaveProperty('deletedAt')
})
