import { expect, test } from 'vitest'
import { register, type World, world } from '../support/world.ts'

const path = (w: World) => `/api/collections/${w.collection.id}`

/** Ways in which bob, who sent invitations, can no longer send them. */
const WAYS: [what: string, lose: (w: World) => Promise<unknown>][] = [
  ['is removed', (w) => w.as('ada').delete(`${path(w)}/members/${w.as('bob').id}`)],
  ['becomes a writer', (w) => w.as('ada').put(`${path(w)}/members/${w.as('bob').id}`, { role: 'write' })],
  ['becomes a reader', (w) => w.as('ada').put(`${path(w)}/members/${w.as('bob').id}`, { role: 'read' })],
  ['leaves', (w) => w.as('bob').delete(`${path(w)}/invites/leave`)],
  [
    'deletes their account',
    (w) => w.as('bob').delete('/api/users/profile', { email: w.as('bob').email, items: 'leave', deleteCollections: [] }),
  ],
]

test.each(WAYS)('The pending invitations of an admin who %s end, and those of others stay', async (_what, lose) => {
  const w = await world({ bob: 'admin', cleo: 'admin' })
  const [eve, ivy] = [await register('eve'), await register('ivy')]
  await w.as('bob').post(`${path(w)}/invites/invite`, { email: eve.email, role: 'write' })
  await w.as('cleo').post(`${path(w)}/invites/invite`, { email: ivy.email, role: 'read' })
  await lose(w)
  const { invites } = (await w.as('ada').get(`${path(w)}/invites`)).body
  expect(invites).toMatchObject([{ email: ivy.email }])
  expect((await eve.get('/api/collections/invited')).body.invitedCollections).toEqual([])
  expect((await eve.post(`${path(w)}/invites/accept`)).status).toBe(410)
  expect((await ivy.post(`${path(w)}/invites/accept`)).status).toBe(200)
})

test('An owner who hands the collection over keeps the invitations that an admin may send', async () => {
  const w = await world({ bob: 'admin' })
  const [eve, ivy] = [await register('eve'), await register('ivy')]
  await w.as('ada').post(`${path(w)}/invites/invite`, { email: eve.email, role: 'admin' })
  await w.as('ada').post(`${path(w)}/invites/invite`, { email: ivy.email, role: 'write' })
  expect((await w.as('ada').post(`${path(w)}/transfer`, { userId: w.as('bob').id })).status).toBe(200)
  expect((await eve.post(`${path(w)}/invites/accept`)).status).toBe(410)
  expect((await ivy.post(`${path(w)}/invites/accept`)).status).toBe(200)
})
