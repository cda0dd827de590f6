import { test as base, expect } from 'vitest'
import type { Client } from '../../dev/http-client.ts'
import { jpegLike, upload } from '../support/files.ts'
import { type GuestClient, guestOf, makeLink, secretOf } from '../support/guests.ts'
import { type Actor, register, type World, world } from '../support/world.ts'

/** A guest who has an account now claims what they wrote. */

const HEART = encodeURIComponent('❤️')

const test = base
  .extend('w', () => world({ rita: 'read' }))
  .extend('post', async ({ w }) => {
    const { body } = await w.as('ada').post('/api/post', { type: 'note', title: 'Snow', collectionIds: [w.collection.id] })
    return body.post.id as string
  })

async function writes(who: Client, { collection }: World, post: string, text: string) {
  const said = await who.post(`/api/post/${post}/comments`, { collection_id: collection.id, text })
  await who.put(`/api/post/${post}/reactions/${HEART}?collection_id=${collection.id}`)
  return said.body.comment
}

/** An account in the browser of this guest. */
async function accountOf(guest: GuestClient): Promise<Actor> {
  const eve = await register('eve')
  for (const [name, value] of guest.cookies) eve.cookies.set(name, value)
  return eve
}

const commentsOf = async (w: World, post: string) =>
  (await w.as('ada').get(`/api/post/${post}/comments?collection_id=${w.collection.id}`)).body.comments

test('What a guest wrote becomes theirs, with their name, for everybody who has it open, once', async ({ post, w }) => {
  const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'answer' }, { name: 'Oma' })
  const comment = await writes(guest, w, post, 'How white!')
  const before = (await w.as('ada').get(`/api/post/${post}/comments?collection_id=${w.collection.id}`)).body
  const eve = await accountOf(guest)
  const { status, body } = await eve.post('/api/links/claim')
  expect([status, body]).toEqual([200, { success: true, comments: 1, reactions: 1, assets: 0 }])
  expect(await commentsOf(w, post)).toMatchObject([
    { id: comment.id, text: 'How white!', version: comment.version, author: { id: eve.id } },
  ])
  const { comments } = (await w.as('ada').get(`/api/post/${post}/comments?collection_id=${w.collection.id}&since=${before.revision}`)).body
  expect(comments).toMatchObject([{ author: { id: eve.id } }])
  const { answers } = (await w.as('ada').get(`/api/post/${post}?collection_id=${w.collection.id}`)).body.post
  expect(answers.reactions).toMatchObject([{ count: 1, who: [{ id: eve.id }] }])
  expect((await eve.post('/api/links/claim')).body).toMatchObject({ comments: 0, reactions: 0 })
})

test('The same reaction by the account and by two guests of one browser is one', async ({ post, w }) => {
  const first = await guestOf(w.as('ada'), w.collection.id, { allows: 'answer' })
  const second = await guestOf(w.as('ada'), w.collection.id, { allows: 'answer' })
  for (const guest of [first, second]) await writes(guest, w, post, 'Oh')
  const rita = w.as('rita')
  await rita.put(`/api/post/${post}/reactions/${HEART}?collection_id=${w.collection.id}`)
  for (const guest of [first, second]) for (const [name, value] of guest.cookies) rita.cookies.set(name, value)
  expect((await rita.post('/api/links/claim')).body).toMatchObject({ comments: 2, reactions: 2 })
  const { answers } = (await w.as('ada').get(`/api/post/${post}?collection_id=${w.collection.id}`)).body.post
  expect(answers.reactions).toMatchObject([{ count: 1, who: [{ id: rita.id }] }])
})

test('Nobody claims what others wrote: not without their cookie, by a forged one, or after the password was changed', async ({
  post,
  w,
}) => {
  const link = await makeLink(w.as('ada'), w.collection.id, { allows: 'answer', password: 'three white swans' })
  const guest = await guestOf(w.as('ada'), w.collection.id, { password: 'three white swans' }, {}, link)
  await writes(guest, w, post, 'Mine')
  const eve = await register('eve')
  expect((await eve.post('/api/links/claim')).body).toMatchObject({ comments: 0, reactions: 0 })
  eve.cookies.set(`link-${link.id}`, 'forged')
  expect((await eve.post('/api/links/claim')).body).toMatchObject({ comments: 0, reactions: 0 })
  const other = await guestOf(w.as('ada'), w.collection.id)
  eve.cookies.set(`link-${link.id}`, other.cookies.get(`link-${other.link}`) ?? '')
  expect((await eve.post('/api/links/claim')).body).toMatchObject({ comments: 0, reactions: 0 })

  await w.as('ada').patch(`/api/collections/${w.collection.id}/links/${link.id}`, { password: 'four black swans' })
  const late = await accountOf(guest)
  expect((await late.post('/api/links/claim')).body).toMatchObject({ comments: 0, reactions: 0 })
  await late.post(`/api/links/${secretOf(link.url)}/enter`, { password: 'four black swans' })
  expect((await late.post('/api/links/claim')).body).toMatchObject({ comments: 1, reactions: 1 })
  expect((await guest.post('/api/links/claim')).status).toBe(401)
})

test('What was written stays claimable after the link has ended', async ({ post, w }) => {
  const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'answer' })
  await writes(guest, w, post, 'Still mine')
  await w.as('ada').delete(`/api/collections/${w.collection.id}/links/${guest.link}`)
  const eve = await accountOf(guest)
  expect((await eve.post('/api/links/claim')).body).toMatchObject({ comments: 1, reactions: 1 })
})

const WHERE = {
  location: { lat: 47.123456, lon: 8.765432, name: 'Atlantis-9' },
  date: '2024-05-03T12:00:00Z',
  dateZone: 'Atlantic/Reykjavik',
}
const asSent = { location: WHERE.location, date_zone: WHERE.dateZone }

test.for([
  ['hidden', false, { location: null, date_zone: '+00:00', place: { seen: 'nothing' } }],
  ['town', false, { location: { lat: 47.15, lon: 8.75 }, date_zone: '+00:00', place: { seen: 'town' } }],
  ['exact', true, { location: null, date_zone: '+00:00', place: { seen: 'nothing' } }],
  ['exact', false, { ...asSent, place: null }],
] as const)(
  'Who claims a photo, and is no member, sees of its place what the link showed: %s (hidden: %s)',
  async ([location, placeHidden, shown], { w }) => {
    const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'add', approve: false, location })
    const { id } = await upload(guest, jpegLike(), { alt: 'At sea' })
    const path = `/api/asset/${id}`
    await w.as('ada').put(path, { alt: 'At sea', ...WHERE, placeHidden })
    const eve = await accountOf(guest)
    expect((await eve.post('/api/links/claim')).body).toMatchObject({ assets: 1 })
    const seen = async () => (await eve.get(path)).body.asset
    expect(await seen()).toMatchObject({ alt: 'At sea', user_id: eve.id, ...shown })
    const { assets } = (await eve.get('/api/asset')).body
    expect(assets).toMatchObject([{ id, ...shown }])
    await w.as('ada').put(path, { alt: 'Later', location: { lat: 1, lon: 2, name: 'Elsewhere' } })
    expect(await seen()).toMatchObject({ alt: 'At sea', ...shown })
    // A member sees their own as it is.
    await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${eve.id}, 'read')`
    expect(await seen()).toMatchObject({ alt: 'Later', location: { name: 'Elsewhere' } })
  },
)

test('Who is a member already sees the photos that they claim as they are, also after they leave', async ({ w }) => {
  const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'add', approve: false, location: 'hidden' })
  const { id } = await upload(guest, jpegLike())
  await w.as('ada').put(`/api/asset/${id}`, { ...WHERE, placeHidden: true })
  const rita = w.as('rita')
  for (const [name, value] of guest.cookies) rita.cookies.set(name, value)
  await rita.post('/api/links/claim')
  expect((await rita.get(`/api/asset/${id}`)).body.asset).toMatchObject(asSent)
  await rita.delete(`/api/collections/${w.collection.id}/invites/leave`)
  expect((await rita.get(`/api/asset/${id}`)).body.asset).toMatchObject(asSent)
})
