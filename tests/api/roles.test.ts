import { beforeAll, describe, expect, test } from 'vitest'
import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import type { Client } from '../../dev/http-client.ts'
import { guestIn } from '../support/guests.ts'
import { type Cast, gather, type Scene, stage } from '../support/role-scene.ts'
import { endpointsOf, TABLE } from '../support/role-table.ts'
import { scriptOf, type TokenClient } from '../support/tokens.ts'
import type { World } from '../support/world.ts'

const ACTORS = ['rita', 'wes', 'amy', 'ada'] as const
let cast: Cast
let w: World
let scripts: Record<'ada' | 'rita' | 'reading', TokenClient>
beforeAll(async () => {
  cast = await gather()
  w = cast.w
  scripts = {
    ada: await scriptOf(w.as('ada'), 'write'),
    rita: await scriptOf(w.as('rita'), 'write'),
    reading: await scriptOf(w.as('ada'), 'read'),
  }
})

const scenes = new Map<string, Promise<Scene>>()
/** A scene of this actor for calls that are refused or only read: they change nothing, which is checked each time, so they share it. */
function unchanged(name: string): Promise<Scene> {
  const scene = scenes.get(name) ?? stage(cast, name)
  scenes.set(name, scene)
  return scene
}

test('Every call that requires a session has a row in the table', async () => {
  const rows = new Set((await Promise.all(TABLE.map(([, , call]) => endpointsOf(call)))).flat())
  const without = ENDPOINTS.filter((endpoint) => !endpoint.public && !rows.has(endpoint))
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

describe.each(TABLE)('%s', (_what, expected, call, outside = {}) => {
  const onlyReads = async () => (await endpointsOf(call)).every(({ method }) => method === 'GET')

  /** Checks the status, that a refusal has its code, and that it and reading have changed nothing. */
  async function refusedOr(status: number, who: Client, name: string): Promise<void> {
    const changes = status < 400 && !(await onlyReads())
    const scene = await (changes ? stage(cast, name) : unchanged(name))
    const before = await revision(scene)
    const answer = await call(who, scene)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    if (status >= 400) expect(ERROR_STATUS[answer.body.error.code as ErrorCode]).toBe(status)
    if (!changes) expect(await revision(scene)).toBe(before)
  }

  test.each(ACTORS.map((name, n) => [name, ['read', 'write', 'admin', 'owner'][n], expected[n] ?? 0] as const))(
    '%s (%s) gets %i',
    (name, _role, status) => refusedOr(status, w.as(name), name),
  )

  test(`ivy, who is invited, gets ${outside.invited ?? 404}`, () => refusedOr(outside.invited ?? 404, w.as('ivy'), 'ivy'))

  test(`eve, a stranger, gets ${outside.stranger ?? 404}`, () => refusedOr(outside.stranger ?? 404, w.as('eve'), 'eve'))

  test('A guest of a link may look and answer, and nothing else', async () => {
    const endpoints = await endpointsOf(call)
    const permitted = endpoints.every(({ guests }) => guests)
    const changes = permitted && !(await onlyReads())
    const scene = await (changes ? stage(cast, 'eve') : unchanged('eve'))
    const guest = await guestIn(w, scene.adasLink)
    const before = await revision(scene)
    const answer = await call(guest, scene)
    expect(answer.status, JSON.stringify(answer.body)).toBe(outside.guest ?? (permitted ? expected[0] : 401))
    if (!changes) expect(await revision(scene)).toBe(before)
  })

  test('A call without a session gets 401', () => refusedOr(401, w.anonymous, 'eve'))

  test.each(['ada', 'rita'] as const)(
    'A write token of %s has the permissions of its user, except for the account itself',
    async (name) => {
      const sessionOnly = (await endpointsOf(call)).some((endpoint) => endpoint.sessionOnly)
      await refusedOr(sessionOnly ? 403 : name === 'ada' ? expected[3] : expected[0], scripts[name], name)
    },
  )

  test('A read token of the owner may only read', async () => {
    const called = await endpointsOf(call)
    const reads = called.every(({ method, sessionOnly }) => method === 'GET' && !sessionOnly)
    await refusedOr(reads ? expected[3] : 403, scripts.reading, 'ada')
  })
})

async function revision({ collection }: Scene): Promise<string> {
  const [row] = await w.sql`select revision from collections where id = ${collection}`
  return String(row?.revision)
}
