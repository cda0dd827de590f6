import { describe, expect, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import * as contract from '../../contract/invites.ts'
import { LIMITS } from '../../contract/limits.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { collectionOf } from '../support/rows.ts'
import { register, type World, world } from '../support/world.ts'

const base = (w: World) => `/api/collections/${w.collection.id}`
const person = async (w: World, name: string, path = base(w)): Promise<string> =>
  (await w.as('ada').post(`${path}/people`, { name })).body.person.id
const invitePeople = (w: World, by: string, invites: unknown) => w.as(by).post(`${base(w)}/invites/people`, { invites })
const address = () => `${newId()}@example.org`
const pending = async (w: World): Promise<contract.Invite[]> => (await w.as('ada').get(`${base(w)}/invites`)).body.invites

describe('inviting a list of people', () => {
  test('Each person on a list is invited as a reader, with one result per line in order', async () => {
    const w = await world({ bob: 'admin' })
    const people = [await person(w, 'Ana'), await person(w, 'Ben'), await person(w, 'Cleo')]
    const lines = people.map((personId) => ({ personId, email: address() }))
    const { status, body } = await invitePeople(w, 'bob', lines)
    expect(status).toBe(200)
    const { results } = contract.invitePeople.response.parse(body)
    expect(results).toMatchObject(lines.map(({ personId, email }) => ({ personId, invite: { person_id: personId, email, role: 'read' } })))
    expect((await pending(w)).map(({ email }) => email).toSorted()).toEqual(lines.map(({ email }) => email).toSorted())
  })

  test('A person invited by a list keeps their tags on accepting', async () => {
    const w = await world()
    const eve = await register('eve')
    const personId = await person(w, 'Grandma')
    await invitePeople(w, 'ada', [{ personId, email: eve.email.toUpperCase(), role: 'admin' }])
    expect((await eve.post(`${base(w)}/invites/accept`)).body.member).toMatchObject({ role: 'read' })
    expect((await eve.get(`${base(w)}/people`)).body.people).toMatchObject([{ id: personId, user_id: eve.id }])
  })

  test('Lines that are refused say why, and the others are invited', async () => {
    const w = await world({ bob: 'read' })
    const [ana, ben, linked] = [await person(w, 'Ana'), await person(w, 'Ben'), await person(w, 'Bob')]
    await w.as('ada').put(`${base(w)}/people/${linked}`, { userId: w.as('bob').id })
    const foreign = await person(w, 'X', `/api/collections/${await collectionOf(w, 'ada')}`)
    const email = address()
    const { results } = (
      await invitePeople(w, 'ada', [
        { personId: ana, email: 'Grandma' },
        { personId: ana, email },
        { personId: ben, email: email.toUpperCase() },
        { personId: ben, email: w.as('bob').email },
        { personId: ben, email: w.as('ada').email },
        { personId: linked, email: address() },
        { personId: foreign, email: address() },
        { personId: ben, email: address() },
      ])
    ).body
    const told = (results as contract.PersonInviteResult[]).map((result) =>
      'invite' in result ? 'invited' : `${result.error.code}: ${result.error.fields?.email ?? result.error.message}`,
    )
    expect(told).toEqual([
      'invalid: This does not look like an e-mail address',
      'invited',
      'invalid: This address is in the list twice',
      'conflict: A member has this address',
      'invalid: This is your own address',
      'conflict: This person already has an account',
      'not_found: The person was not found',
      'invited',
    ])
    expect(await pending(w)).toHaveLength(2)
  })

  test('A list does not reveal which addresses have accounts', async () => {
    const w = await world({ eve: null })
    const lines = [
      { personId: await person(w, 'Ana'), email: w.as('eve').email },
      { personId: await person(w, 'Ben'), email: address() },
    ]
    const { results } = (await invitePeople(w, 'ada', lines)).body
    expect(results.map(({ invite }: { invite: contract.Invite }) => invite.user_id)).toEqual([null, null])
  })

  test.each([['none'], ['101']])('A list of %s lines is refused', async (count) => {
    const w = await world()
    const line = { personId: newId(), email: address() }
    const { status, body } = await invitePeople(w, 'ada', count === 'none' ? [] : Array(LIMITS.invitesPerCall + 1).fill(line))
    expect([status, Object.keys(body.error.fields)]).toEqual([400, ['invites']])
  })

  test('A list of 100 people is one call', async () => {
    const w = await world()
    await w.sql`insert into people (id, collection_id, name) select gen_random_uuid(), ${w.collection.id}, 'P' || n from generate_series(1, 100) n`
    const { people } = (await w.as('ada').get(`${base(w)}/people`)).body
    const { results } = (
      await invitePeople(
        w,
        'ada',
        people.map(({ id }: { id: string }) => ({ personId: id, email: address() })),
      )
    ).body
    expect(results.filter((result: object) => 'invite' in result)).toHaveLength(100)
  })

  test('Writers, readers and strangers cannot invite a list, whatever is in it', async () => {
    const w = await world({ bob: 'write', cleo: 'read', eve: null })
    const line = { personId: await person(w, 'Ana'), email: address() }
    for (const lines of [[line], [{ ...line, email: 'none' }]]) {
      const statuses = await Promise.all(['bob', 'cleo', 'eve'].map(async (name) => (await invitePeople(w, name, lines)).status))
      expect(statuses).toEqual([403, 403, 404])
    }
    expect(await pending(w)).toEqual([])
  })

  test('The lines of a list count as invitations for the rate limit', async () => {
    const w = await world()
    const lines = [await person(w, 'Ana'), await person(w, 'Ben')].map((personId) => ({ personId, email: address() }))
    const key = await attemptKey('invite', `user:${w.as('ada').id}`)
    // The tests' stack allows a thousand times as many.
    const allowed = ATTEMPTS.invite.perUser * 1000
    await w.sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${allowed - 3}, now() + interval '5 minutes')`
    expect((await invitePeople(w, 'ada', lines)).status).toBe(200)
    expect((await invitePeople(w, 'ada', lines)).status).toBe(429)
  })
})

test('A person is invited without a role, and an address alone needs one', async () => {
  const w = await world()
  const send = (body: unknown) => w.as('ada').post(`${base(w)}/invites/invite`, body)
  const personId = await person(w, 'Ana')
  expect((await send({ email: address(), personId })).body.invite).toMatchObject({ role: 'read', person_id: personId })
  const alone = await send({ email: address() })
  expect([alone.status, alone.body.error.fields]).toEqual([400, { role: 'Choose read, write or admin' }])
})

test('Only the invitee learns the account of an invitation until it is accepted; then admins do', async () => {
  const w = await world({ bob: 'admin', cleo: 'write', eve: null })
  const eve = w.as('eve')
  await w.as('ada').post(`${base(w)}/invites/invite`, { email: eve.email, role: 'read' })
  expect((await w.as('bob').get(`${base(w)}/invites`)).body.invites).toMatchObject([{ state: 'pending', user_id: null }])
  expect((await eve.get('/api/collections/invited')).body.invitedCollections).toMatchObject([{ user_id: eve.id }])
  await eve.post(`${base(w)}/invites/accept`)
  expect((await w.as('bob').get(`${base(w)}/invites`)).body.invites).toEqual([])
  const accepted = await w.as('bob').get(`${base(w)}/invites?state=accepted`)
  expect(accepted.body.invites).toMatchObject([{ email: eve.email, state: 'accepted', user_id: eve.id }])
  expect((await w.as('cleo').get(`${base(w)}/invites?state=accepted`)).status).toBe(403)
})
