import { describe, expect, inject, test } from 'vitest'
import { listAccess } from '../../contract/access.ts'
import { newId } from '../../contract/ids.ts'
import { Client } from '../../dev/http-client.ts'
import { jpegLike, upload } from '../support/files.ts'
import { mailedToken } from '../support/mail.ts'
import { assetRow } from '../support/rows.ts'
import { reseal, sessionCookies } from '../support/sessions.ts'
import { objectsOf, runMinutesTask } from '../support/storage.ts'
import { scriptOf } from '../support/tokens.ts'
import { type Actor, PASSWORD, register, world } from '../support/world.ts'

const TOKEN = { name: 'Backup', scope: 'read' }
const NEXT = 'another good password'

/** The same user in another browser. */
async function another(actor: Actor, password = PASSWORD): Promise<Client> {
  const client = new Client(actor.origin)
  const { status } = await client.post(
    '/api/auth/sign-in',
    { email: actor.email, password },
    { headers: { 'user-agent': 'Firefox/150 (X11; Linux)' } },
  )
  expect(status).toBe(200)
  return client
}

describe('re-authentication', () => {
  test('Creating a token requires a sign-in or password within the last minutes', async () => {
    const ada = await register('ada')
    await reseal(ada, { provenAt: Date.now() - 11 * 60_000 })
    const refused = await ada.post('/api/users/tokens', TOKEN)
    expect([refused.status, refused.body.error.code, Object.keys(refused.body.error.fields)]).toEqual([403, 'forbidden', ['password']])
    expect((await ada.post('/api/auth/confirm', { password: 'wrong password' })).body.error.fields).toEqual({
      password: 'The password is wrong',
    })
    expect((await ada.post('/api/users/tokens', TOKEN)).status).toBe(403)
    expect((await ada.post('/api/auth/confirm', { password: PASSWORD })).status).toBe(200)
    expect((await ada.post('/api/users/tokens', TOKEN)).status).toBe(201)
    // Renewing the session keeps a re-authentication, and does not create one.
    expect((await ada.post('/api/auth/refresh')).status).toBe(200)
    expect((await ada.post('/api/users/tokens', TOKEN)).status).toBe(201)
  })

  test('A session from before re-authentication existed requires one', async () => {
    const ada = await register('ada')
    await reseal(ada, { provenAt: undefined })
    expect((await ada.post('/api/users/tokens', TOKEN)).status).toBe(403)
    expect((await ada.post('/api/auth/change-email', { email: `new-${ada.email}` })).status).toBe(403)
    const end = { email: ada.email, items: 'leave', deleteCollections: [] }
    expect((await ada.delete('/api/users/profile', end)).status).toBe(403)
    expect((await ada.get('/api/users/profile')).status).toBe(200)
  })

  test('A session that has ended cannot create a token, however recent it is', async () => {
    const ada = await register('ada')
    const thief = await another(ada)
    await ada.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: NEXT })
    expect((await thief.post('/api/users/tokens', TOKEN)).status).toBe(401)
    expect((await ada.post('/api/users/tokens', TOKEN)).status).toBe(201)
  })
})

describe('changing the password', () => {
  test('Changing the password requires the old one and signs out all other sessions', async () => {
    const ada = await register('ada')
    const phone = await another(ada)
    const wrong = await ada.post('/api/auth/change-password', { currentPassword: 'not it', newPassword: NEXT })
    expect([wrong.status, wrong.body.error.fields]).toEqual([400, { currentPassword: 'The password is wrong' }])
    expect((await ada.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: 'short' })).status).toBe(400)
    expect((await ada.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: NEXT })).status).toBe(200)
    expect((await ada.post('/api/auth/refresh')).status).toBe(200)
    expect((await phone.post('/api/auth/refresh')).status).toBe(401)
    expect((await new Client(ada.origin).post('/api/auth/sign-in', { email: ada.email, password: PASSWORD })).status).toBe(401)
    await another(ada, NEXT)
  })
})

describe('changing the address', () => {
  test('The address changes when the link mailed to the new address is confirmed, in another browser with the password', async () => {
    const ada = await register('ada')
    const next = `next-${ada.email}`
    expect((await ada.post('/api/auth/change-email', { email: next })).status).toBe(200)
    expect((await ada.get('/api/users/profile')).body.email).toBe(ada.email)
    const token = await mailedToken(next, 'Confirm')
    const link = await new Client(ada.origin).get(`/api/auth/verify-email?${new URLSearchParams({ token })}`)
    expect(link.body).toEqual({ success: true, address: next, account: ada.email, needsPassword: true })
    expect((await new Client(ada.origin).post('/api/auth/verify-email', { token })).status).toBe(403)
    expect((await ada.get('/api/users/profile')).body.email).toBe(ada.email)
    expect((await new Client(ada.origin).post('/api/auth/verify-email', { token, password: PASSWORD })).status).toBe(200)
    // No session confirmed it, so none stays.
    expect((await ada.get('/api/users/profile')).status).toBe(401)
    const phone = new Client(ada.origin)
    const { body } = await phone.post('/api/auth/sign-in', { email: next, password: PASSWORD })
    expect(body.user).toMatchObject({ id: ada.id, email: next, emailVerified: true })
    expect((await phone.get('/api/access')).body.sessions).toHaveLength(1)
  })

  test('An address of another account gets the same answer, and nothing changes', async () => {
    const [ada, bob] = [await register('ada'), await register('bob')]
    expect((await ada.post('/api/auth/change-email', { email: bob.email })).status).toBe(200)
    expect((await ada.post('/api/auth/change-email', { email: ada.email })).status).toBe(400)
    expect((await ada.get('/api/auth/session')).body.user.email).toBe(ada.email)
  })
})

describe('devices', () => {
  test('Devices are listed by their name and can be ended one by one', async () => {
    const ada = await register('ada')
    const phone = await another(ada)
    const { sessions } = listAccess.response.parse((await ada.get('/api/access')).body)
    expect(sessions.map(({ current }) => current)).toEqual([true, false])
    expect(sessions[1]?.agent).toBe('Firefox/150 (X11; Linux)')
    const eve = await register('eve')
    expect((await eve.delete(`/api/access/session/${sessions[1]?.id}`)).status).toBe(404)
    expect((await ada.delete(`/api/access/session/${sessions[1]?.id}`)).status).toBe(200)
    expect((await phone.post('/api/auth/refresh')).status).toBe(401)
    expect((await ada.get('/api/access')).body.sessions).toHaveLength(1)
  })

  test('A re-authentication leaves no extra device behind', async () => {
    const ada = await register('ada')
    expect((await ada.post('/api/auth/confirm', { password: PASSWORD })).status).toBe(200)
    expect((await ada.get('/api/access')).body.sessions).toHaveLength(1)
  })
})

describe('deleting the account', () => {
  const end = (who: Actor, more: object = {}) =>
    who.delete('/api/users/profile', { email: who.email, items: 'leave', deleteCollections: [], ...more })

  test('Deleting an account leaves its shared items to others without its name, and deletes everything else', async () => {
    const w = await world({ bob: 'write', cy: 'admin' })
    const [bob, cy] = [w.as('bob'), w.as('cy')]
    const script = await scriptOf(bob, 'write')
    const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Bobby' })).body
    await w.as('ada').put(`/api/collections/${w.collection.id}/people/${person.id}`, { userId: bob.id })
    const { post } = (await bob.post('/api/post', { type: 'note', title: 'Stays', collectionIds: [w.collection.id] })).body
    await bob.put('/api/users/profile', { region: 'AT', timeZone: 'Europe/Vienna' })
    const before = (await w.changes()).length
    expect((await end(bob)).status).toBe(200)
    expect(bob.cookies.size).toBe(0)

    expect((await script.get('/api/collections')).status).toBe(401)
    expect((await cy.get(`/api/post/${post.id}`)).status).toBe(200)
    const { members } = (await cy.get(`/api/collections/${w.collection.id}/members`)).body
    expect(members.map(({ user_id }: { user_id: string }) => user_id)).not.toContain(bob.id)
    expect((await cy.get(`/api/collections/${w.collection.id}/people`)).body.people).toEqual([person])
    expect((await w.changes()).slice(before).map(({ table_name, event }) => `${table_name} ${event}`)).toContain('members DELETE')
    const [row] = await w.sql`select email, first_name, last_name, region, time_zone from users where id = ${bob.id}`
    const nothing = { region: null, time_zone: null }
    expect(row).toEqual({ email: `${bob.id}@deleted.invalid`, first_name: 'Former', last_name: 'member', ...nothing })
    expect((await new Client(w.origin).post('/api/auth/sign-in', { email: bob.email, password: PASSWORD })).status).toBe(401)
  })

  test('Nothing is kept for a deleted account of how its items were before others changed them', async () => {
    const w = await world({ bob: 'write' })
    const bob = w.as('bob')
    const { post } = (await bob.post('/api/post', { type: 'note', title: 'First', collectionIds: [w.collection.id] })).body
    const asset = await assetRow(w, 'bob', [w.collection.id])
    expect((await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${bob.id}`)).status).toBe(200)
    const kept = () => w.sql`select fields ->> 'title' as title from author_snapshots where user_id = ${bob.id}`
    await w.as('ada').patch(`/api/post/${post.id}`, { title: 'Second' })
    expect(await kept()).toEqual([{ title: 'First' }])
    expect((await end(bob)).status).toBe(200)
    expect(await kept()).toEqual([])
    await w.as('ada').patch(`/api/post/${post.id}`, { title: 'Third' })
    await w.as('ada').put(`/api/asset/${asset}`, { alt: 'Other' })
    expect(await kept()).toEqual([])
  })

  test('Deleting an account with its items deletes their files too', async () => {
    const w = await world({ bob: 'write' })
    const bob = w.as('bob')
    const { post } = (await bob.post('/api/post', { type: 'note', title: 'Goes', collectionIds: [w.collection.id] })).body
    const asset = await upload(bob, new TextEncoder().encode(newId()), { collectionIds: [w.collection.id] })
    expect((await end(bob, { items: 'remove' })).status).toBe(200)
    expect((await w.as('ada').get(`/api/post/${post.id}`)).status).toBe(404)
    expect((await w.as('ada').get('/api/trash')).body.items ?? []).toEqual([])
    await runMinutesTask()
    await expect.poll(async () => (await w.sql`select from assets where id = ${asset.id}`).length).toBe(0)
    expect(await w.sql`select from posts where id = ${post.id}`).toEqual([])
  })

  test('A photo of a former member that is taken out of its collection is in the trash, and comes back by Undo', async () => {
    const w = await world({ bob: 'write' })
    const [ada, bob] = [w.as('ada'), w.as('bob')]
    const collectionIds = [w.collection.id]
    const photo = await upload(bob, jpegLike(), { collectionIds })
    const { post } = (await bob.post('/api/post', { type: 'note', title: 'Stays', collectionIds })).body
    expect((await end(bob)).status).toBe(200)
    const remove = async (kind: string, id: string) =>
      (await ada.put(`/api/${kind}/bulk.collections.remove`, { ids: [id], collectionId: w.collection.id })).body.changeId
    const changes = [await remove('asset', photo.id), await remove('post', post.id)]
    const trashed = () => w.sql`select id from assets where id = ${photo.id} and deleted_at is not null
      union all select id from posts where id = ${post.id} and deleted_at is not null`
    await expect.poll(() => runMinutesTask().then(trashed)).toHaveLength(2)
    for (const change of changes) expect((await ada.post(`/api/undo/${change}`)).status).toBe(200)
    expect((await ada.get(`/api/asset/${photo.id}/file`)).status).toBe(200)
    expect((await ada.get(`/api/post/${post.id}`)).body.post.title).toBe('Stays')
    expect(await trashed()).toEqual([])
  })

  test('Items of a former member go with the last collection that has them, however long ago the account was deleted', async () => {
    const w = await world({ bob: 'write' })
    const bob = w.as('bob')
    const photo = await upload(bob, jpegLike(), { collectionIds: [w.collection.id] })
    expect((await end(bob)).status).toBe(200)
    await w.sql`update users set deleted_at = now() - interval '40 days' where id = ${bob.id}`
    expect((await w.as('ada').delete(`/api/collections/${w.collection.id}`)).status).toBe(200)
    const left = () => w.sql`select deleted_at is not null as trashed from assets where id = ${photo.id}`
    await expect.poll(() => runMinutesTask().then(left)).toEqual([{ trashed: true }])
    await w.sql`update assets set deleted_at = now() - interval '30 days 1 minute' where id = ${photo.id}`
    await expect.poll(() => runMinutesTask().then(left)).toEqual([])
    expect(await objectsOf(photo.id)).toEqual([])
  })

  test('An account that owns a collection is deleted only together with the collection, which then ends for everyone', async () => {
    const w = await world({ bob: 'read' })
    const ada = w.as('ada')
    const refused = await end(ada)
    expect([refused.status, refused.body.error.fields]).toEqual([409, { deleteCollections: '“Kyoto”' }])
    expect((await ada.get(`/api/collections/${w.collection.id}`)).status).toBe(200)
    expect((await end(ada, { deleteCollections: [w.collection.id] })).status).toBe(200)
    expect((await w.as('bob').get(`/api/collections/${w.collection.id}`)).status).toBe(404)
  })

  test('Deleting an account requires typing its own address', async () => {
    const ada = await register('ada')
    expect((await end(ada, { email: 'else@example.org' })).status).toBe(400)
    expect((await ada.get('/api/users/profile')).status).toBe(200)
  })

  test('Deleting an account ends access from other devices at once', async () => {
    const w = await world({ bob: 'write' })
    const phone = await another(w.as('bob'))
    expect((await end(w.as('bob'))).status).toBe(200)
    const note = { type: 'note', title: 'Ghost', collectionIds: [w.collection.id] }
    expect((await phone.post('/api/post', note)).status).toBe(401)
    expect((await phone.post('/api/post', { type: 'note', title: 'Ghost' })).status).toBe(401)
    expect((await phone.post('/api/collections', { name: 'Ghost' })).status).toBe(401)
    expect((await phone.get('/api/users/profile')).status).toBe(401)
    expect((await phone.put('/api/users/profile', { firstName: 'Ghost' })).status).toBe(401)
    expect((await phone.get('/api/auth/session')).body.user).toBeNull()
    expect(sessionCookies(phone)).toEqual([])
  })

  test('An account that joins a collection and becomes its owner while being deleted is either in no collection or not deleted', async () => {
    for (let round = 0; round < 3; round++) {
      const w = await world({ bob: 'admin' })
      const bob = w.as('bob')
      const other = (await w.as('ada').post('/api/collections', { name: 'Nara' })).body.collection
      await w.as('ada').post(`/api/collections/${other.id}/invites/invite`, { email: bob.email, role: 'read' })
      const phone = await another(bob)
      const [gone, given] = await Promise.all([
        end(bob),
        w.as('ada').post(`/api/collections/${w.collection.id}/transfer`, { userId: bob.id }),
        phone.post(`/api/collections/${other.id}/invites/accept`),
      ])
      expect([200, 409, 503]).toContain(gone.status)
      const [row] = await w.sql`select deleted_at is not null as deleted from users where id = ${bob.id}`
      expect(row?.deleted).toBe(gone.status === 200)
      const memberships = await w.sql`select from members where user_id = ${bob.id}`
      if (gone.status === 200) expect([memberships.length, given.status === 200]).toEqual([0, false])
      const owners = await w.sql`select user_id from members where collection_id = ${w.collection.id} and role = 'owner'`
      expect(owners).toHaveLength(1)
    }
  })

  test('The address of a deleted account can register again and starts empty', async () => {
    const ada = await register('ada')
    expect((await end(ada)).status).toBe(200)
    const again = new Client(inject('stack').origin)
    const { status, body } = await again.post('/api/auth/sign-up', { email: ada.email, password: PASSWORD, firstName: 'Ada' })
    expect([status, body.user?.email]).toEqual([201, ada.email])
    expect(body.user.id).not.toBe(ada.id)
    expect((await again.get('/api/collections')).body.collections).toEqual([])
  })
})
