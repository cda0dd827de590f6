import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { sendWhole, video } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { makeLink } from '../support/guests.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { world } from '../support/world.ts'

/** Somebody without an account opens a link on a phone whose browser runs no script. */

const test = app
  .extend('kyoto', () => world())
  .extend('page', async ({ openPage }): Promise<Page> => (await openPage({ viewport: PHONE, javaScriptEnabled: false })).page)
  .extend('scripted', async ({ openPage }): Promise<Page> => (await openPage({ viewport: PHONE })).page)

const picture = (hue: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: hue } })
    .webp()
    .toBuffer()

test('A link shows its posts and photos, in no other site’s sight and no search engine', async ({ kyoto, page, scripted }) => {
  const ada = kyoto.as('ada')
  await ada.post('/api/post', {
    type: 'note',
    title: 'First snow',
    body: '<p>Everything is <strong>white</strong>.</p>',
    collectionIds: [kyoto.collection.id],
  })
  const thumb = new Uint8Array(await picture('#468'))
  const sent = await sendWhole(ada, thumb, { asset: { name: 'garden.webp', collectionIds: [kyoto.collection.id] }, thumb })
  expect(sent.status).toBe(201)
  const asset = { name: 'waves.mp4', type: 'video/mp4', collectionIds: [kyoto.collection.id] }
  expect((await sendWhole(ada, video(), { asset, thumb })).status).toBe(201)
  const { url } = await makeLink(ada, kyoto.collection.id, { name: 'For grandma' })

  const answer = await page.goto(url)
  expect(await answer?.allHeaders()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'same-origin' })
  await page.getByRole('heading', { level: 1, name: 'For grandma' }).waitFor()
  await page.getByRole('article').getByText('Everything is white.').waitFor()
  const image = page.getByRole('img', { name: 'garden.webp' })
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(300)
  const markOf = (name: string) =>
    page.getByRole('link', { name }).evaluate((link) => getComputedStyle(link, '::after').backgroundImage.startsWith('url("data:image/svg'))
  expect([await markOf('garden.webp'), await markOf('Video waves.mp4')]).toEqual([false, true])
  expect(await page.locator('script').count()).toBe(0)

  await scripted.goto(url)
  for (const colorScheme of ['light', 'dark'] as const) {
    await scripted.emulateMedia({ colorScheme })
    expect(await axeViolations(scripted)).toEqual([])
  }
})

test('Grandmother looks at a photo, says something about it and likes it, and members see it at once', async ({
  kyoto,
  page,
  openPage,
  scripted,
}) => {
  const ada = kyoto.as('ada')
  const thumb = new Uint8Array(await picture('#864'))
  await sendWhole(ada, thumb, { asset: { name: 'garden.webp', collectionIds: [kyoto.collection.id] }, thumb })
  const { url } = await makeLink(ada, kyoto.collection.id, { allows: 'answer' })
  const hers = await openPage({ as: ada, at: `/collections/media?c=${kyoto.collection.id}` })
  await hers.page.getByRole('button', { name: /^Photo garden\.webp/ }).click()
  await hers.page.getByRole('button', { name: 'Comments', exact: true }).click()

  await page.goto(url)
  await page.getByRole('link', { name: 'garden.webp' }).click()
  await page.getByRole('heading', { level: 1, name: 'garden.webp' }).waitFor()
  await expect.poll(() => page.getByRole('img', { name: 'garden.webp' }).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(300)
  await page.getByLabel('Your name').fill('Grandmother')
  await page.getByLabel('Your comment').fill('How it has grown!')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Grandmother (guest)' }).getByText('How it has grown!').waitFor()
  expect(await page.getByLabel('Your name').count()).toBe(0)
  const thread = hers.page.getByRole('complementary', { name: 'Comments' })
  await thread.getByRole('article').filter({ hasText: 'Grandmother' }).getByText('How it has grown!').waitFor()
  await page.getByRole('button', { name: '❤️' }).click()
  await page.getByRole('button', { name: '❤️ 1', pressed: true }).click()
  await page.getByRole('button', { name: '❤️', exact: true, pressed: false }).waitFor()
  await page.getByRole('link', { name: '← Kyoto' }).click()
  await page.getByRole('link', { name: 'garden.webp, 1 comment' }).waitFor()

  await scripted.goto(url)
  await scripted.getByRole('link', { name: /garden/ }).click()
  for (const colorScheme of ['light', 'dark'] as const) {
    await scripted.emulateMedia({ colorScheme })
    expect(await axeViolations(scripted)).toEqual([])
  }
})

test('The page of a post shows its photos, and those of photos lead to the ones before and after', async ({ kyoto, page, scripted }) => {
  const ada = kyoto.as('ada')
  const collectionIds = [kyoto.collection.id]
  const ids: string[] = []
  for (const [nth, hue] of ['#468', '#864', '#486'].entries()) {
    const thumb = new Uint8Array(await picture(hue))
    const asset = { name: `Photo ${nth + 1}.webp`, date: `2026-05-0${9 - nth}T08:00:00Z`, collectionIds }
    ids.push((await sendWhole(ada, thumb, { asset, thumb })).body.asset.id)
  }
  const [first, second, third] = ids
  await ada.post(`/api/collections/${kyoto.collection.id}/groups`, { assetIds: [second, third], cover: second })
  const post = { type: 'note', title: 'Gardens', collectionIds, existingAssetIds: [first, third] }
  await ada.post('/api/post', post)
  await ada.post('/api/post', { type: 'note', title: 'Lanterns', collectionIds })
  const { url } = await makeLink(ada, kyoto.collection.id, { allows: 'answer' })

  await page.goto(url)
  await page.getByRole('article').filter({ hasText: 'Gardens' }).getByRole('link', { name: 'Say something' }).click()
  await page.getByRole('heading', { level: 1, name: 'Gardens' }).waitFor()
  const photos = page.getByRole('list', { name: 'Photos and files' }).getByRole('link')
  expect(await photos.count()).toBe(2)
  const [before, after] = [page.getByRole('link', { name: '← Previous' }), page.getByRole('link', { name: 'Next →' })]
  expect((await before.count()) + (await after.count())).toBe(1)
  await scripted.goto(page.url())
  for (const colorScheme of ['light', 'dark'] as const) {
    await scripted.emulateMedia({ colorScheme })
    expect(await axeViolations(scripted)).toEqual([])
  }

  await photos.first().click()
  await page.getByRole('heading', { level: 1, name: 'Photo 1.webp' }).waitFor()
  expect(await before.count()).toBe(0)
  await after.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Photo 2.webp' }).waitFor()
  // The third is a part of a group, for which its cover stands.
  expect(await after.count()).toBe(0)
  await before.click()
  await page.getByRole('heading', { level: 1, name: 'Photo 1.webp' }).waitFor()
})

test('A password and a name are asked for once, and the end of the link ends the page', async ({ kyoto, page, expectedErrors }) => {
  expectedErrors.push(/40[34]|410/)
  const ada = kyoto.as('ada')
  await ada.post('/api/post', { type: 'note', title: 'Only for us', collectionIds: [kyoto.collection.id] })
  const link = await makeLink(ada, kyoto.collection.id, { password: 'three white swans', askName: true })
  await page.goto(link.url)
  expect(await page.content()).not.toContain('Kyoto')
  await page.getByLabel('Password').fill('three black swans')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('The password is wrong').waitFor()
  await page.getByLabel('Password').fill('three white swans')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByLabel('Your name').fill('Grandma')
  await page.getByLabel('Password').fill('three white swans')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { name: 'Only for us' }).waitFor()
  await page.goto(link.url)
  await page.getByRole('heading', { name: 'Only for us' }).waitFor()

  await ada.delete(`/api/collections/${kyoto.collection.id}/links/${link.id}`)
  const ended = await page.goto(link.url)
  expect(ended?.status()).toBe(410)
  await page.getByText('This link has ended').waitFor()
  expect((await page.goto(`/s/${'a'.repeat(22)}`))?.status()).toBe(404)
})
