import { describe, expect, test } from 'vitest'
import { listInvitedCollections } from '../../contract/collections.ts'
import { newId } from '../../contract/ids.ts'
import * as contract from '../../contract/invites.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Client } from '../../dev/http-client.ts'
import { register, type World, world } from '../support/world.ts'

const invitesOf = (w: World) => `/api/collections/${w.collection.id}/invites`
const invite = (w: World, by: string, body: unknown) => w.as(by).post(`${invitesOf(w)}/invite`, body)
const accept = (w: World, who: Client) => who.post(`${invitesOf(w)}/accept`)

describe('inviting', () => {
  test('An invited user sees the invitation, accepts it, and is a member with its role', async () => {
    const w = await world({ bob: 'admin' })
    const eve = await register('eve')
    const sent = await invite(w, 'bob', { email: eve.email, role: 'write' })
    const { invite: row } = contract.createInvite.response.parse(sent.body)
    expect(row).toMatchObject({ email: eve.email, role: 'write', user_id: null, invited_by: w.as('bob').id, person_id: null })
    expect(Date.parse(row.expires_at) - Date.now()).toBeGreaterThan((LIMITS.inviteDays - 0.1) * 86_400_000)

    const { invitedCollections } = listInvitedCollections.response.parse((await eve.get('/api/collections/invited')).body)
    expect(invitedCollections).toMatchObject([
      { id: w.collection.id, invite_id: row.id, name: 'Kyoto', role: 'write', invited_by_name: 'Bob Test' },
    ])
    expect((await eve.get(`/api/collections/${w.collection.id}`)).status).toBe(404)

    const { member } = contract.acceptInvite.response.parse((await accept(w, eve)).body)
    expect(member).toMatchObject({ user_id: eve.id, role: 'write', name: 'Eve Test' })
    expect((await eve.get(`/api/collections/${w.collection.id}`)).body.role).toBe('write')
    expect((await eve.get('/api/collections/invited')).body.invitedCollections).toEqual([])
    expect((await w.as('ada').get(invitesOf(w))).body.invites).toEqual([])
    const published = (await w.changes()).map(({ table_name, event, user_ids }) => [table_name, event, ...user_ids].join(' '))
    expect(published.toSorted()).toEqual([`invites DELETE ${eve.id}`, `invites INSERT ${eve.id}`, `members INSERT ${eve.id}`])
  })

  test('A new account finds the invitation only after confirming its address', async () => {
    const w = await world()
    const email = `late-${newId()}@example.org`
    await invite(w, 'ada', { email, role: 'read' })
    const late = new Client(w.origin)
    await late.post('/api/auth/sign-up', { email: email.toUpperCase(), password: 'correct horse battery' })
    const unconfirmed = await late.get('/api/collections/invited')
    expect([unconfirmed.status, unconfirmed.body.invitedCollections]).toEqual([200, []])
    expect((await accept(w, late)).status).toBe(403)
    expect((await late.delete(`${invitesOf(w)}/decline`)).status).toBe(403)
    await w.sql`update auth."user" set "emailVerified" = true where email = ${email}`
    expect((await late.get('/api/collections/invited')).body.invitedCollections).toMatchObject([{ id: w.collection.id, role: 'read' }])
    expect((await accept(w, late)).status).toBe(200)
  })

  test('Inviting does not reveal whether an address has an account', async () => {
    const w = await world({ eve: null })
    const [known, unknown] = await Promise.all([
      invite(w, 'ada', { email: w.as('eve').email, role: 'read' }),
      invite(w, 'ada', { email: `nobody-${newId()}@example.org`, role: 'read' }),
    ])
    const shapeOf = ({ id: _, email: __, created_at: ___, expires_at: ____, ...rest }: contract.Invite) => rest
    expect(shapeOf(known.body.invite)).toEqual(shapeOf(unknown.body.invite))
    expect(await w.sql`select user_id from invites where id = ${known.body.invite.id}`).toEqual([{ user_id: w.as('eve').id }])
    const { invites } = contract.listInvites.response.parse((await w.as('ada').get(invitesOf(w))).body)
    expect(invites.map(({ user_id }) => user_id)).toEqual([null, null])
  })

  test('Inviting again changes the role, and other spellings are the same address', async () => {
    const w = await world({ eve: null })
    const { email } = w.as('eve')
    const first = (await invite(w, 'ada', { email, role: 'read' })).body.invite
    for (const spelling of [email.toUpperCase(), ` ${email} `, `${email}.`, email.replace('eve', 'ｅｖｅ')]) {
      const again = await invite(w, 'ada', { email: spelling, role: 'write' })
      expect(again.body.invite).toMatchObject({ id: first.id, email, role: 'write' })
    }
    expect((await w.as('ada').get(invitesOf(w))).body.invites).toHaveLength(1)
    expect(await w.sql`select count(*)::int from invites where collection_id = ${w.collection.id}`).toEqual([{ count: 1 }])
  })

  test('Many concurrent invitations create one row', async () => {
    const w = await world({ eve: null })
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(w, 'ada', { email: w.as('eve').email, role: 'read' })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.invite?.id}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
  })

  test('Inviting and registering concurrently happen one after the other, in either order', async () => {
    const w = await world()
    const email = `now-${newId()}@example.org`
    const { id } = (await invite(w, 'ada', { email, role: 'read' })).body.invite
    // Like every write to invitations, locks the collection first. Continues once the sign-up waits for it.
    const writing = w.sql.transaction([
      w.sql`select from collections where id = ${w.collection.id} for no key update`,
      w.sql.query(`do $$ begin
        for look in 1..400 loop
          exit when exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)));
          perform pg_sleep(0.02);
        end loop;
      end $$`),
      w.sql`update invites set role = 'write' where id = ${id}`,
    ])
    const late = new Client(w.origin)
    const [signedUp] = await Promise.all([late.post('/api/auth/sign-up', { email, password: 'correct horse battery' }), writing])
    expect(signedUp.status).toBe(201)
    expect(await w.sql`select role, user_id from invites where id = ${id}`).toEqual([{ role: 'write', user_id: signedUp.body.user.id }])
  })

  test('Inviting an address while it registers never fails', async () => {
    const w = await world()
    for (let round = 0; round < 4; round++) {
      const email = `now-${newId()}@example.org`
      const { id } = (await invite(w, 'ada', { email, role: 'read' })).body.invite
      const answers = await Promise.all([
        new Client(w.origin).post('/api/auth/sign-up', { email, password: 'correct horse battery' }),
        ...Array.from({ length: 12 }, (_, n) =>
          n % 4 === 3 ? w.as('ada').delete(`${invitesOf(w)}/${id}`) : invite(w, 'ada', { email, role: n % 2 ? 'read' : 'write' }),
        ),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(12).fill(200), 201])
    }
  })

  test('The own address, members and the owner cannot be invited', async () => {
    const w = await world({ bob: 'read', cleo: 'admin' })
    expect((await invite(w, 'ada', { email: w.as('ada').email.toUpperCase(), role: 'read' })).status).toBe(400)
    expect((await invite(w, 'ada', { email: w.as('bob').email, role: 'write' })).status).toBe(409)
    expect((await invite(w, 'cleo', { email: w.as('ada').email, role: 'write' })).status).toBe(409)
    expect(await w.changes()).toEqual([])
  })

  test.each(['owner', 'Read', '', null, undefined, 7])('Inviting refuses the role %j', async (role) => {
    const w = await world()
    expect((await invite(w, 'ada', { email: 'x@example.org', role })).status).toBe(400)
  })

  test.each(['', 'x', '@example.org', 'x@', 'x@y', null, 'a b@example.org', 'x@example.org\u0000', { $ne: 1 }])(
    'Inviting refuses the address %j',
    async (email) => {
      const w = await world()
      expect((await invite(w, 'ada', { email, role: 'read' })).status).toBe(400)
    },
  )

  test('Only the owner grants admin and changes an invitation to admin', async () => {
    const w = await world({ bob: 'admin', eve: null })
    const { email } = w.as('eve')
    expect((await invite(w, 'bob', { email, role: 'admin' })).status).toBe(403)
    const { id } = (await invite(w, 'ada', { email, role: 'admin' })).body.invite
    expect((await invite(w, 'bob', { email, role: 'read' })).status).toBe(403)
    expect((await w.as('bob').delete(`${invitesOf(w)}/${id}`)).status).toBe(403)
    expect((await w.as('ada').get(invitesOf(w))).body.invites).toMatchObject([{ role: 'admin' }])
    expect((await w.as('ada').delete(`${invitesOf(w)}/${id}`)).status).toBe(200)
  })

  test('The 501st invitation is refused until one is gone, even for two at once', async () => {
    const w = await world()
    await w.sql`insert into invites (id, collection_id, email, role, invited_by, expires_at)
      select gen_random_uuid(), ${w.collection.id}, n || '@many.example', 'read', ${w.as('ada').id}, now() + interval '1 day' from generate_series(1, 499) n`
    const two = await Promise.all(['a', 'b'].map((n) => invite(w, 'ada', { email: `${n}@last.example`, role: 'read' })))
    expect(two.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await invite(w, 'ada', { email: '1@many.example', role: 'write' })).body.invite.role).toBe('write')
    const { invites } = contract.listInvites.response.parse((await w.as('ada').get(invitesOf(w))).body)
    expect(invites).toHaveLength(500)
    await w.as('ada').delete(`${invitesOf(w)}/${invites[0]?.id}`)
    expect((await invite(w, 'ada', { email: 'c@last.example', role: 'read' })).status).toBe(200)
  })
})

describe('inviting a person', () => {
  test('An invited person starts as a reader, and gets their tags on accepting', async () => {
    const w = await world({ eve: null })
    const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Grandma' })).body
    const post = await w
      .as('ada')
      .post('/api/post', { type: 'event', title: 'Tea', collectionIds: [w.collection.id], peopleIds: [person.id] })
    const sent = await invite(w, 'ada', { email: w.as('eve').email, role: 'write', personId: person.id })
    expect(sent.body.invite).toMatchObject({ role: 'read', person_id: person.id })
    expect((await accept(w, w.as('eve'))).status).toBe(200)
    const { people } = (await w.as('eve').get(`/api/collections/${w.collection.id}/people`)).body
    expect(people).toMatchObject([{ id: person.id, user_id: w.as('eve').id }])
    expect((await w.as('eve').get(`/api/post/${post.body.post.id}`)).body.post.people).toEqual([person.id])
  })

  test('A person of another collection or with an account cannot be invited', async () => {
    const w = await world({ bob: 'read', eve: null })
    const other = (await w.as('ada').post('/api/collections', { name: 'Other' })).body.collection
    const stranger = (await w.as('ada').post(`/api/collections/${other.id}/people`, { name: 'X' })).body.person
    const linked = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Bob' })).body.person
    await w.as('ada').put(`/api/collections/${w.collection.id}/people/${linked.id}`, { userId: w.as('bob').id })
    const { email } = w.as('eve')
    expect((await invite(w, 'ada', { email, role: 'read', personId: stranger.id })).status).toBe(404)
    expect((await invite(w, 'ada', { email, role: 'read', personId: linked.id })).status).toBe(409)
  })

  test('A person invited under two addresses is linked to the first to accept; both become members', async () => {
    const w = await world({ eve: null, fay: null })
    const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'P' })).body
    for (const name of ['eve', 'fay']) await invite(w, 'ada', { email: w.as(name).email, role: 'read', personId: person.id })
    const answers = await Promise.all(['eve', 'fay'].map((name) => accept(w, w.as(name))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [row] = await w.sql`select user_id from people where id = ${person.id}`
    expect([w.as('eve').id, w.as('fay').id]).toContain(row?.user_id)
  })

  test('Removing a person keeps their pending invitation', async () => {
    const w = await world({ eve: null })
    const path = `/api/collections/${w.collection.id}/people`
    const { person } = (await w.as('ada').post(path, { name: 'P' })).body
    await invite(w, 'ada', { email: w.as('eve').email, role: 'read', personId: person.id })
    const [removed, accepted] = await Promise.all([w.as('ada').delete(`${path}/${person.id}`), accept(w, w.as('eve'))])
    expect([removed.status, accepted.status]).toEqual([200, 200])
  })
})

describe('answering an invitation', () => {
  test('Accepting twice, in sequence or concurrently, makes one membership', async () => {
    const w = await world({ eve: null })
    await invite(w, 'ada', { email: w.as('eve').email, role: 'write' })
    const answers = await Promise.all([1, 2, 3].map(() => accept(w, w.as('eve'))))
    answers.push(await accept(w, w.as('eve')))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body.member).toEqual(answers[0]?.body.member)
    }
    expect(await w.sql`select role from members where user_id = ${w.as('eve').id} and collection_id = ${w.collection.id}`).toEqual([
      { role: 'write' },
    ])
    expect((await w.changes()).filter(({ table_name }) => table_name === 'members')).toHaveLength(1)
  })

  test('Of concurrent accepting and cancelling the first one wins', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 4; round++) {
      const w = await world({ eve: null })
      const { id } = (await invite(w, 'ada', { email: w.as('eve').email, role: 'write' })).body.invite
      const [accepted, cancelled] = await Promise.all([accept(w, w.as('eve')), w.as('ada').delete(`${invitesOf(w)}/${id}`)])
      const outcome = `${accepted.status} ${cancelled.status}`
      expect(['200 409', '410 200']).toContain(outcome)
      outcomes.add(outcome)
      const rows = await w.sql`select i.state, (select count(*)::int from members m where m.collection_id = i.collection_id) as members
        from invites i where i.collection_id = ${w.collection.id}`
      expect(rows).toEqual([accepted.status === 200 ? { state: 'accepted', members: 2 } : { state: 'cancelled', members: 1 }])
    }
    expect(outcomes.size).toBeGreaterThan(0)
  })

  test('Cancelled, declined, expired and used invitations are gone until sent again', async () => {
    const w = await world({ eve: null })
    const eve = w.as('eve')
    const { id } = (await invite(w, 'ada', { email: eve.email, role: 'read' })).body.invite
    const cancel = () => w.as('ada').delete(`${invitesOf(w)}/${id}`)
    const decline = () => eve.delete(`${invitesOf(w)}/decline`)

    expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 200])
    expect((await accept(w, eve)).status).toBe(410)

    expect((await invite(w, 'ada', { email: eve.email, role: 'read' })).body.invite.id).toBe(id)
    expect([(await decline()).status, (await decline()).status]).toEqual([200, 200])
    expect((await accept(w, eve)).status).toBe(410)

    await invite(w, 'ada', { email: eve.email, role: 'read' })
    await w.sql`update invites set expires_at = now() - interval '1 second' where id = ${id}`
    expect((await eve.get('/api/collections/invited')).body.invitedCollections).toEqual([])
    expect((await accept(w, eve)).status).toBe(410)

    await invite(w, 'ada', { email: eve.email, role: 'read' })
    expect((await accept(w, eve)).status).toBe(200)
    expect((await cancel()).status).toBe(409)
    expect((await decline()).status).toBe(409)
    expect((await eve.delete(`${invitesOf(w)}/leave`)).status).toBe(200)
    expect((await accept(w, eve)).status).toBe(410)
  })

  test('A stranger, and the invitee of a deleted collection, cannot accept', async () => {
    const w = await world({ eve: null, fay: null })
    await invite(w, 'ada', { email: w.as('eve').email, role: 'read' })
    expect((await accept(w, w.as('fay'))).status).toBe(404)
    expect((await w.as('fay').delete(`${invitesOf(w)}/decline`)).status).toBe(404)
    await w.as('ada').delete(`/api/collections/${w.collection.id}`)
    expect((await accept(w, w.as('eve'))).status).toBe(410)
    expect((await w.as('eve').get('/api/collections/invited')).body.invitedCollections).toEqual([])
  })
})

describe('leaving a collection', () => {
  test('A member can leave and their posts keep their name; the owner must transfer the collection first', async () => {
    const w = await world({ bob: 'write' })
    const { post } = (await w.as('bob').post('/api/post', { type: 'note', title: 'Mine', collectionIds: [w.collection.id] })).body
    expect((await w.as('bob').delete(`${invitesOf(w)}/leave`)).status).toBe(200)
    expect((await w.as('bob').get(`/api/collections/${w.collection.id}`)).status).toBe(404)
    expect((await w.as('ada').get(`/api/post/${post.id}`)).body.post).toMatchObject({ user_name: 'Bob Test' })
    const refused = await w.as('ada').delete(`${invitesOf(w)}/leave`)
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toContain('Transfer the collection first')
    expect((await w.as('bob').delete(`${invitesOf(w)}/leave`)).status).toBe(404)
  })
})
