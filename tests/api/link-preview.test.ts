import sharp from 'sharp'
import { test as base, expect } from 'vitest'
import { makeLink, secretOf } from '../support/guests.ts'
import { uploadPicture } from '../support/pictures.ts'
import { world } from '../support/world.ts'

/** Chat apps fetch the page of a link, and its picture, without a cookie. */

const test = base.extend('w', () => world())

/** The tags of the page, and the answer to the picture, as an app without cookies gets them. */
async function previewed(origin: string, url: string) {
  const page = await (await fetch(url)).text()
  const tags = Object.fromEntries(
    [...page.matchAll(/<meta property="(og:\w+)" content="([^"]*)">/g)].map(([, name, value]) => [name, value]),
  )
  const picture = await fetch(`${origin}/s/${secretOf(url)}/picture`)
  return { tags, status: picture.status, headers: picture.headers, bytes: Buffer.from(await picture.arrayBuffer()) }
}

test('An app shows the title and the newest picture of a link, without taking part in it', async ({ w }) => {
  const collectionIds = [w.collection.id]
  await uploadPicture(w.as('ada'), 'bowls-of-spices', 1600, { collectionIds, date: '2024-05-01T10:00:00Z' })
  await uploadPicture(w.as('ada'), 'kingfisher-on-a-branch', 1600, { collectionIds, date: '2025-05-01T10:00:00Z' })
  const { url, id } = await makeLink(w.as('ada'), w.collection.id, { name: 'Birds <b>&</b> spices' })
  const { tags, status, headers, bytes } = await previewed(w.origin, url)
  expect(tags).toMatchObject({ 'og:title': 'Birds &lt;b&gt;&amp;&lt;/b&gt; spices', 'og:image': `${w.origin}/s/${secretOf(url)}/picture` })
  expect([status, headers.get('content-type'), headers.get('x-robots-tag')]).toEqual([200, 'image/jpeg', 'noindex, nofollow'])
  const { width, height, exif } = await sharp(bytes).metadata()
  expect([width, height, exif]).toEqual([1200, 630, undefined])
  // The picture alone makes no guest.
  const guests = async () => (await w.sql`select from guests where link_id = ${id}`).length
  const before = await guests()
  await fetch(`${w.origin}/s/${secretOf(url)}/picture`)
  expect(await guests()).toBe(before)
})

test.for([
  ['asks for a password', { password: 'three white swans' }],
  ['asks for a name', { askName: true }],
  ['is to have no preview', { preview: false }],
] as const)('Nothing is shown of a link that %s', async ([, link], { w }) => {
  await uploadPicture(w.as('ada'), 'bowls-of-spices', 640, { collectionIds: [w.collection.id] })
  const { url } = await makeLink(w.as('ada'), w.collection.id, { name: 'Ours', ...link })
  const { tags, status } = await previewed(w.origin, url)
  expect([tags['og:title'] ?? 'Shared with you', tags['og:image'], status]).toEqual(['Shared with you', undefined, 404])
})

test('The picture is one that the link shows, and there is none once it has ended', async ({ w }) => {
  const collectionIds = [w.collection.id]
  const shown = await uploadPicture(w.as('ada'), 'bowls-of-spices', 640, { collectionIds, date: '2024-05-01T10:00:00Z' })
  const [chosen, posts] = [
    await makeLink(w.as('ada'), w.collection.id, { kind: 'items', itemIds: [shown.id] }),
    await makeLink(w.as('ada'), w.collection.id, {
      kind: 'filter',
      filters: { contentTypes: ['post'], postTypes: [], eventTypes: [], noteTypes: [], people: [] },
    }),
  ]
  await uploadPicture(w.as('ada'), 'kingfisher-on-a-branch', 640, { collectionIds, date: '2025-05-01T10:00:00Z' })
  const whole = await makeLink(w.as('ada'), w.collection.id)
  expect((await previewed(w.origin, posts.url)).status).toBe(404)
  const [first, all] = [await previewed(w.origin, chosen.url), await previewed(w.origin, whole.url)]
  expect([first.status, all.status]).toEqual([200, 200])
  expect(first.bytes.equals(all.bytes)).toBe(false)
  await w.as('ada').delete(`/api/collections/${w.collection.id}/links/${chosen.id}`)
  expect((await previewed(w.origin, chosen.url)).status).toBe(410)
  expect((await fetch(`${w.origin}/s/${'A'.repeat(22)}/picture`)).status).toBe(404)
})
