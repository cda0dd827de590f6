import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import { collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ bob: 'admin', eve: null })
})

/** Fields that no body has, though their rows do, or every object seems to. */
const FIELDS = [
  'user_id',
  'userId_',
  'owner',
  'emailVerified',
  'revision',
  'version',
  'deleted_at',
  'constructor',
  'toString',
  'isAdmin',
  'a.b',
  '',
]
const withBody = ENDPOINTS.flatMap((endpoint) => (endpoint.body ? [[`${endpoint.method} ${endpoint.path}`, endpoint] as const] : []))
/** These keep fields that they do not know; users.test.ts shows which they refuse. */
const KEEPS_FIELDS = /\/theme$/

describe.each(withBody)('the body of %s', (_name, { method, path }) => {
  const send = (text: string) =>
    w.as('bob').call(
      method,
      path.replaceAll('{id}', w.collection.id).replace(/\{\w+\}/g, () => newId()),
      text,
      { type: 'application/json' },
    )

  test.skipIf(KEEPS_FIELDS.test(path))('Unknown fields are refused by name', async () => {
    const before = await everything()
    for (const field of FIELDS) {
      const { status, body } = await send(JSON.stringify({ [field]: 'owner' }))
      expect([status, body.error.code], field).toEqual([400, 'invalid'])
      expect(Object.entries(body.error.fields), field).toContainEqual([field, 'This field is not known'])
    }
    expect(await everything()).toEqual(before)
  })

  test('Prototype fields and the role of an owner are refused', async () => {
    const before = await everything()
    for (const text of ['{"__proto__":{"role":"owner"}}', '{"constructor":{"prototype":{"role":"owner"}}}', '{"role":"owner"}']) {
      const { status, body } = await send(text)
      expect([status, body.error.code], text).toEqual([400, 'invalid'])
    }
    expect(await everything()).toEqual(before)
  })

  test.each(['null', '[]', '"x"', '1', 'true', '[{}]'])('The body %s is refused in place of an object', async (text) => {
    expect((await send(text)).status).toBe(400)
  })
})

describe('the id of another user’s row', () => {
  test.each<[string, (id: string) => [path: string, body: object], table: string]>([
    ['collection', (id) => ['/api/collections', { id, name: 'Mine' }], 'collections'],
    ['post', (id) => ['/api/post', { id, type: 'note', title: 'Mine' }], 'posts'],
    ['asset', (id) => ['/api/asset', { id, name: 'a', type: 'image/jpeg', size: 1, checksum: '0'.repeat(64) }], 'assets'],
    ['access token', (id) => ['/api/users/tokens', { id, name: 'Mine', scope: 'write' }], 'tokens'],
  ])('The id of another user’s row cannot be used for a new %s', async (_what, request, table) => {
    const id = newId()
    const [path, body] = request(id)
    expect((await w.as('ada').post(path, body)).status).toBe(201)
    const answer = await w.as('eve').post(path, body)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
    const rows = await w.sql.query(`select user_id from ${table} where id = $1`, [id])
    expect(rows).toEqual([{ user_id: w.as('ada').id }])
  })

  test('The id of a person cannot be used for a new person in another collection', async () => {
    const id = newId()
    expect((await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { id, name: 'P' })).status).toBe(201)
    const other = await collectionOf(w, 'eve')
    expect((await w.as('eve').post(`/api/collections/${other}/people`, { id, name: 'Q' })).status).toBe(409)
  })
})

/** Everything that bob could have created or become. */
async function everything() {
  const bob = w.as('bob').id
  return w.sql`select
    (select json_agg(u) from users u where id = ${bob}) as account,
    (select json_agg(m order by collection_id) from members m where user_id = ${bob}) as roles,
    (select count(*) from collections where user_id = ${bob}) as collections, (select count(*) from posts where user_id = ${bob}) as posts,
    (select count(*) from assets where user_id = ${bob}) as assets, (select count(*) from tokens where user_id = ${bob}) as tokens,
    (select count(*) from invites where invited_by = ${bob}) as invites,
    (select revision from collections where id = ${w.collection.id}) as revision`
}
