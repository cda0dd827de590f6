import { test as base, expect } from 'vitest'
import type { Client } from '../../dev/http-client.ts'
import { unconfirmed } from '../support/accounts.ts'
import { GuestClient, guestOf, makeLink, secretOf } from '../support/guests.ts'
import { countMails, mailTo } from '../support/mail.ts'
import { type Actor, register, type World, world } from '../support/world.ts'

const test = base.extend('w', () => world({ amy: 'admin', wes: 'write', rita: 'read' }))

/** Opens the link in the browser of somebody who has an account. */
async function openAs(person: Client, url: string): Promise<string> {
  const { status, body } = await person.post(`/api/links/${secretOf(url)}/enter`, {})
  if (status !== 200) throw new Error(`The link was refused: ${status}`)
  return body.link.id
}

const at = (w: World) => `/api/collections/${w.collection.id}/join-requests`
const linkTo = (w: World, more = {}) => makeLink(w.as('ada'), w.collection.id, { join: true, role: 'write', ...more })

/** A new account that has opened the link and asked to join. */
async function asker(w: World, url: string): Promise<Actor> {
  const eve = await register('eve')
  const answer = await eve.post(at(w), { link: await openAs(eve, url) })
  if (answer.status !== 201) throw new Error(`The request was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  return eve
}

test('Somebody with a link asks to join, an admin accepts, and both are told', async ({ w }) => {
  const { url } = await linkTo(w)
  const eve = await asker(w, url)
  expect((await eve.get(`/api/collections/${w.collection.id}`)).status).toBe(404)
  const mail = await mailTo(w.as('amy').email, 'wants to join')
  expect(mail.text).toContain(eve.email)
  expect(mail.link).toBe(`${w.origin}/collections/settings?c=${w.collection.id}#requests`)
  await mailTo(w.as('ada').email, 'wants to join')
  expect(await countMails(w.as('wes').email, 'wants to join')).toBe(0)

  const { requests } = (await w.as('amy').get(at(w))).body
  expect(requests).toMatchObject([{ user_id: eve.id, email: eve.email, role: 'write' }])
  expect((await w.as('amy').get(`/api/collections/${w.collection.id}`)).body.collection.join_requests).toBe(1)
  expect((await w.as('wes').get(`/api/collections/${w.collection.id}`)).body.collection.join_requests).toBeNull()

  const accept = () => w.as('amy').post(`${at(w)}/${requests[0].id}/accept`, {})
  const { status, body } = await accept()
  expect([status, body.member]).toMatchObject([200, { user_id: eve.id, role: 'write' }])
  expect((await eve.get(`/api/collections/${w.collection.id}`)).body.role).toBe('write')
  expect((await w.as('amy').get(at(w))).body.requests).toEqual([])
  expect((await mailTo(eve.email, 'You are now a member')).link).toBe(`${w.origin}/collections/timeline?c=${w.collection.id}`)
  expect((await accept()).status).toBe(200)
  expect((await eve.post(at(w), { link: await openAs(eve, url) })).status).toBe(409)
})

test('No mail about a request goes to an address that its owner has not confirmed', async ({ w }) => {
  await w.sql`update users set verified_email = null where id = ${w.as('ada').id}`
  await asker(w, (await linkTo(w)).url)
  await mailTo(w.as('amy').email, 'wants to join')
  expect(await countMails(w.as('ada').email, 'wants to join')).toBe(0)
})

test('Asking again changes nothing while an answer is due, a no stays a no, and whoever left may ask again', async ({ w }) => {
  const { url } = await linkTo(w)
  const eve = await asker(w, url)
  const link = await openAs(eve, url)
  const [{ id }] = (await w.as('ada').get(at(w))).body.requests
  const again = await eve.post(at(w), { link })
  expect([again.status, again.body.request]).toMatchObject([200, { id, state: 'pending' }])
  expect((await w.as('ada').post(`${at(w)}/${id}/accept`, { role: 'read' })).body.member.role).toBe('read')
  expect((await eve.delete(`/api/collections/${w.collection.id}/invites/leave`)).status).toBe(200)
  expect((await eve.post(at(w), { link })).status).toBe(201)

  expect((await w.as('ada').post(`${at(w)}/${id}/decline`)).status).toBe(200)
  expect((await w.as('ada').post(`${at(w)}/${id}/decline`)).status).toBe(200)
  expect((await eve.post(at(w), { link })).status).toBe(403)
  expect((await w.as('ada').post(`${at(w)}/${id}/accept`, {})).status).toBe(409)
  expect((await eve.get(`/api/collections/${w.collection.id}`)).status).toBe(404)
})

test('Nobody asks without a link that lets them, an open one, or a confirmed address', async ({ w }) => {
  const eve = await register('eve')
  const plain = await makeLink(w.as('ada'), w.collection.id)
  expect((await eve.post(at(w), { link: plain.id })).body.error.message).toMatch(/Open the link first/)
  expect((await eve.post(at(w), { link: await openAs(eve, plain.url) })).status).toBe(403)

  const { id, url } = await linkTo(w)
  const link = await openAs(eve, url)
  const other = await world()
  expect((await eve.post(at(other), { link })).status).toBe(404)
  expect((await w.anonymous.post(at(w), { link })).status).toBe(401)
  const guest = await guestOf(w.as('ada'), w.collection.id, {}, {}, { ...plain, id, url })
  expect((await guest.post(at(w), { link })).status).toBe(401)
  const { client } = await unconfirmed()
  await openAs(client, url)
  expect((await client.post(at(w), { link })).body.error.message).toMatch(/Confirm your e-mail address/)

  await w.as('ada').delete(`/api/collections/${w.collection.id}/links/${id}`)
  expect((await eve.post(at(w), { link })).status).toBe(404)
  expect((await w.as('ada').get(at(w))).body.requests).toEqual([])
})

test('A link with a password lets nobody ask who has not entered it since it was changed', async ({ w }) => {
  const { id, url } = await linkTo(w, { password: 'three white swans' })
  const eve = await register('eve')
  await eve.post(`/api/links/${secretOf(url)}/enter`, { password: 'three white swans' })
  await w.as('ada').patch(`/api/collections/${w.collection.id}/links/${id}`, { password: 'four black swans' })
  expect((await eve.post(at(w), { link: id })).status).toBe(404)
})

test('Nobody offers a role that they may not grant, and such a link ends with the right to it', async ({ w }) => {
  const links = `/api/collections/${w.collection.id}/links`
  const make = (who: string, link: object) => w.as(who).post(links, { kind: 'collection', join: true, ...link })
  expect((await make('wes', { role: 'read' })).status).toBe(403)
  expect((await make('amy', { role: 'admin' })).body.error.message).toMatch(/Only the owner/)
  expect((await w.as('amy').post(links, { kind: 'collection', role: 'read' })).body.error.fields.role).toBeDefined()
  const filter = { kind: 'filter', filters: { contentTypes: ['photo'] }, join: true }
  expect((await w.as('amy').post(links, filter)).body.error.fields.join).toBeDefined()
  const { link } = (await make('amy', {})).body
  expect(link).toMatchObject({ join: true, role: 'read' })
  const own = `${links}/${link.id}`
  expect((await w.as('amy').patch(own, { join: true, role: 'admin' })).status).toBe(403)
  // Its maker may not grant this role, whoever changes the link.
  expect((await w.as('ada').patch(own, { join: true, role: 'admin' })).status).toBe(403)
  expect((await w.as('amy').patch(own, { join: true, role: 'write' })).body.link.role).toBe('write')
  expect((await w.as('amy').patch(own, { join: true })).body.link.role).toBe('write')
  expect((await w.as('amy').patch(own, { join: false })).body.link).not.toHaveProperty('role')
  expect((await w.as('amy').patch(own, { join: true })).body.link.role).toBe('read')

  const { url } = (await make('ada', { role: 'admin' })).body.link
  const eve = await asker(w, url)
  const [{ id }] = (await w.as('amy').get(at(w))).body.requests
  expect((await w.as('amy').post(`${at(w)}/${id}/accept`, {})).status).toBe(403)
  expect((await w.as('amy').post(`${at(w)}/${id}/accept`, { role: 'read' })).body.member.user_id).toBe(eve.id)
  await w.as('ada').post(`/api/collections/${w.collection.id}/transfer`, { userId: w.as('amy').id })
  expect((await new GuestClient(w.origin).enter(url)).status).toBe(410)
})

test('Whoever has asked takes it back, which admins see, and may ask again; what an admin has answered stays', async ({ w }) => {
  const { url } = await linkTo(w)
  const eve = await asker(w, url)
  const [{ id }] = (await w.as('amy').get(at(w))).body.requests
  const from = (await w.changes()).length
  expect((await eve.delete(at(w))).status).toBe(200)
  expect((await w.changes()).slice(from)).toMatchObject([{ table_name: 'join_requests', event: 'DELETE', ids: [id] }])
  expect((await w.as('amy').get(at(w))).body.requests).toEqual([])
  expect((await w.as('amy').post(`${at(w)}/${id}/accept`, {})).status).toBe(404)
  expect((await w.as('amy').post(`${at(w)}/${id}/decline`)).status).toBe(404)
  expect((await eve.delete(at(w))).status).toBe(200)

  const ask = async () => (await eve.post(at(w), { link: await openAs(eve, url) })).body.request.id
  const accepted = await ask()
  expect((await w.as('amy').post(`${at(w)}/${accepted}/accept`, {})).status).toBe(200)
  expect((await eve.delete(at(w))).body.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('accepted') })
  expect((await eve.get(`/api/collections/${w.collection.id}`)).status).toBe(200)
  await eve.delete(`/api/collections/${w.collection.id}/invites/leave`)
  await w.as('amy').post(`${at(w)}/${await ask()}/decline`)
  expect((await eve.delete(at(w))).body.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('declined') })
  expect((await eve.post(at(w), { link: await openAs(eve, url) })).status).toBe(403)
  expect((await w.anonymous.delete(at(w))).status).toBe(401)
})

test('A request that is taken back while an admin accepts it has one outcome', async ({ w }) => {
  const { url } = await linkTo(w)
  const eve = await asker(w, url)
  const [{ id }] = (await w.as('ada').get(at(w))).body.requests
  const [accepted, back] = await Promise.all([w.as('ada').post(`${at(w)}/${id}/accept`, {}), eve.delete(at(w))])
  expect([
    [200, 409],
    [404, 200],
  ]).toContainEqual([accepted.status, back.status])
  expect((await eve.get(`/api/collections/${w.collection.id}`)).status).toBe(accepted.status === 200 ? 200 : 404)
})

test('An account that ends takes its request along', async ({ w }) => {
  const { url } = await linkTo(w)
  const eve = await asker(w, url)
  expect((await eve.delete('/api/users/profile', { email: eve.email, items: 'leave', deleteCollections: [] })).status).toBe(200)
  expect((await w.as('ada').get(at(w))).body.requests).toEqual([])
})

test('Two admins who answer at once leave one answer', async ({ w }) => {
  const { url } = await linkTo(w)
  const eve = await asker(w, url)
  const [{ id }] = (await w.as('ada').get(at(w))).body.requests
  const [accepted, declined] = await Promise.all([
    w.as('ada').post(`${at(w)}/${id}/accept`, {}),
    w.as('amy').post(`${at(w)}/${id}/decline`),
  ])
  expect([accepted.status, declined.status].toSorted()).toEqual([200, 409])
  const seen = (await eve.get(`/api/collections/${w.collection.id}`)).status
  expect(seen).toBe(accepted.status === 200 ? 200 : 404)
})

test('An invitation and a request of the same person end together', async ({ w }) => {
  const { url } = await linkTo(w)
  const invites = `/api/collections/${w.collection.id}/invites`
  const eve = await asker(w, url)
  await w.as('ada').post(`${invites}/invite`, { email: eve.email, role: 'read' })
  expect((await eve.post(`${invites}/accept`)).status).toBe(200)
  expect((await w.as('ada').get(at(w))).body.requests).toEqual([])

  const dan = await register('dan')
  await w.as('ada').post(`${invites}/invite`, { email: dan.email, role: 'admin' })
  await dan.post(at(w), { link: await openAs(dan, url) })
  const [{ id }] = (await w.as('ada').get(at(w))).body.requests
  await w.as('ada').post(`${at(w)}/${id}/accept`, {})
  expect((await w.as('ada').get(invites)).body.invites).toEqual([])
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${dan.id}`)
  expect((await dan.post(`${invites}/accept`)).status).toBe(410)
})

test('A no counts no more once an invitation has made its person a member', async ({ w }) => {
  const { url } = await linkTo(w)
  const eve = await asker(w, url)
  const [{ id }] = (await w.as('ada').get(at(w))).body.requests
  await w.as('ada').post(`${at(w)}/${id}/decline`)
  const invites = `/api/collections/${w.collection.id}/invites`
  await w.as('ada').post(`${invites}/invite`, { email: eve.email, role: 'read' })
  await eve.post(`${invites}/accept`)
  await eve.delete(`${invites}/leave`)
  expect((await eve.post(at(w), { link: await openAs(eve, url) })).status).toBe(201)
})

test('Somebody whose session was revoked still sees the page of a link, and is led to signing in', async ({ w }) => {
  const { url } = await linkTo(w)
  const eve = await register('eve')
  const cookie = async () => ({ cookie: [...eve.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  await openAs(eve, url)
  await w.sql`delete from sessions where user_id = ${eve.id}`
  const page = await fetch(url, { headers: await cookie() })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Ask to join')])
  for (const form of ['join', 'withdraw', 'claim']) {
    const headers = { ...(await cookie()), origin: w.origin }
    const asked = await fetch(`${url}/${form}`, { method: 'POST', headers, body: new FormData(), redirect: 'manual' })
    expect([form, asked.status, asked.headers.get('location')]).toEqual([form, 303, '/login'])
    expect(asked.headers.getSetCookie().some((line) => line.startsWith('return-to='))).toBe(true)
  }
  for (const form of ['join', 'withdraw', 'claim'])
    expect((await fetch(`${url}/${form}`, { redirect: 'manual' })).headers.get('location')).toBe(new URL(url).pathname)
})
