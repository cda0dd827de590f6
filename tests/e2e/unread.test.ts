import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { countCalls } from '../support/counted-calls.ts'
import { sendWhole } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { type World, world } from '../support/world.ts'

/** Files that a script has sent, which the server cannot read: a device of their author does, when she has the app open. */

const SOON = { timeout: 60_000 }
const FIXTURES = path.resolve(import.meta.dirname, '../fixtures')

const test = app
  .extend('kyoto', () => world({ bob: 'read' }))
  .extend('address', ({ kyoto }) => `/collections/media?c=${kyoto.collection.id}`)
  .extend('sent', ({ kyoto }) => async (file: string, more: object = {}): Promise<Asset> => {
    const asset = { name: path.basename(file), collectionIds: [kyoto.collection.id], ...more }
    return (await sendWhole(kyoto.as('ada'), new Uint8Array(await readFile(path.join(FIXTURES, file))), { asset })).body.asset
  })
  .extend(
    'found',
    ({ kyoto }) =>
      async (id: string): Promise<Asset> =>
        (await kyoto.as('bob').get(`/api/asset/${id}`)).body.asset,
  )
  .extend('ada', async ({ kyoto, openPage }) => {
    const ada = await openPage({ as: kyoto.as('ada'), timezoneId: 'Europe/Zurich' })
    await ada.page.clock.install()
    return { ...ada, calls: countCalls(ada.page) }
  })
  /** Ada opens the app, and has it open for a minute. */
  .extend(
    'visit',
    ({ ada, address }) =>
      () =>
        stay(ada.page, () => ada.page.goto(address)),
  )
  .extend('bob', ({ address, kyoto, openPage }) => openPage({ as: kyoto.as('bob'), at: address }))

/** Loads the app, and has it open for a minute on the clock of the page. */
async function stay(page: Page, load: () => Promise<unknown>): Promise<void> {
  const follows = page.waitForResponse(/follow-background/, SOON)
  await load()
  await (await follows).finished()
  await page
    .getByRole('main')
    .getByRole('button', { name: /^(Photo|Video) / })
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle')
  await page.clock.fastForward(61_000)
}

const isRead = async ({ sql }: World, id: string) => (await sql`select metadata_read from assets where id = ${id}`)[0]?.metadata_read === 2

/** As after the minute's task, which tries this file in vain where nothing decodes HEIC. */
const giveUp = ({ sql }: World, id: string) => sql`update missing_renditions set attempts = 5 where asset_id = ${id}`

test('Bob sees a HEIC and a film of a script once Ada has the app open, and the film has date, place and length', async ({
  bob,
  found,
  kyoto,
  sent,
  visit,
}) => {
  const photo = await sent('photos/phone.heic')
  await giveUp(kyoto, photo.id)
  const film = await sent('films/iphone.mov')
  const shown = (name: RegExp) => bob.page.getByRole('button', { name }).locator('img')
  await bob.page.getByRole('button', { name: /^Video iphone\.mov/ }).waitFor(SOON)
  expect(await shown(/^Video iphone\.mov/).count()).toBe(0)
  await visit()
  await shown(/^Photo phone\.heic/).waitFor(SOON)
  const tile = /^Video iphone\.mov, Fog over the lake, \d:\d\d, 20 December 2020/
  await shown(tile).waitFor(SOON)
  await bob.page.getByRole('button', { name: tile }).getByText('0:02').waitFor()
  expect(await found(photo.id)).toMatchObject({
    ...{ renditions: ['thumb', 'preview'], width: 320, height: 240 },
    ...{ date: '2024-10-01T07:00:00+00:00', location: { lat: 47.5, lon: 9.25 } },
  })
  const { version, file_version, ...rest } = await found(film.id)
  expect(rest).toMatchObject({
    ...{ renditions: ['thumb', 'preview'], width: 96, height: 64, duration: 2, content_id: '7A1C8E0B-5A0E-4D2C-9C55-0A6B5B1E2F3D' },
    ...{ date: '2020-12-19T23:14:27+00:00', date_zone: '+01:00', location: { lat: 47.5, lon: 9.25 }, alt: 'Fog over the lake' },
  })
  expect(rest.thumbhash).not.toBeNull()
  expect(await kyoto.sql`select from edits where user_id = ${kyoto.as('ada').id}`).toEqual([])
})

test('What is read is read once: the next visit asks for nothing, and one a day later only whether there is something', async ({
  ada,
  found,
  kyoto,
  sent,
  visit,
}) => {
  const film = await sent('films/phone.mp4')
  const broken = await sent('films/hevc.mov')
  await visit()
  for (const { id } of [film, broken]) await expect.poll(() => isRead(kyoto, id), SOON).toBe(true)
  expect(await found(broken.id)).toMatchObject({ duration: 2, renditions: [] })
  const asked = () => ada.page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('unread-asked')))
  await expect.poll(asked, SOON).toBe(true)
  const after = await found(film.id)

  ada.calls.reset()
  await stay(ada.page, () => ada.page.reload())
  await ada.calls.settled()
  expect(ada.calls.counts('GET /api/asset/unread')).toEqual({ 'GET /api/asset/unread': 0 })

  await ada.page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('unread-asked')) localStorage.setItem(key, '1')
  })
  await stay(ada.page, () => ada.page.reload())
  await expect.poll(() => ada.calls.counts('GET /api/asset/unread'), SOON).toEqual({ 'GET /api/asset/unread': 1 })
  await ada.calls.settled()
  expect(ada.calls.made().filter((call) => call.includes(film.id) && !call.startsWith('GET'))).toEqual([])
  expect(await found(film.id)).toEqual(after)
})

test('Of two tabs one reads', async ({ ada, address, kyoto, sent, visit }) => {
  const { id } = await sent('films/phone.mp4')
  const second = await ada.context.newPage()
  const calls = countCalls(second)
  await second.clock.install()
  await stay(second, () => second.goto(address))
  await visit()
  await expect.poll(() => isRead(kyoto, id), SOON).toBe(true)
  await ada.calls.settled()
  const sentBy = [...ada.calls.made(), ...calls.made()].filter((call) => call.includes(id) && !call.startsWith('GET'))
  expect(sentBy).toEqual([
    `PUT /api/asset/${id}/renditions/thumb`,
    `PUT /api/asset/${id}/renditions/preview`,
    `POST /api/asset/${id}/metadata`,
  ])
})

test('What Ada has removed of a film stays away, and the film gets its picture', async ({ found, kyoto, sent, visit }) => {
  const { id } = await sent('films/phone.mp4', { date: '2001-02-03T04:05:06Z' })
  await kyoto.as('ada').put(`/api/asset/${id}`, { name: 'phone.mp4' })
  await visit()
  await expect.poll(() => isRead(kyoto, id), SOON).toBe(true)
  expect(await found(id)).toMatchObject({ date: null, location: null, alt: null, duration: 2, renditions: ['thumb', 'preview'] })
})

test('A photo whose decoder cannot be loaded is read on another day', async ({ ada, expectedErrors, found, kyoto, sent, visit }) => {
  expectedErrors.push(/ERR_FAILED|Failed to fetch/)
  const photo = await sent('photos/phone.heic')
  await giveUp(kyoto, photo.id)
  const film = await sent('films/phone.mp4')
  await ada.context.route(/\.wasm$/, (route) => route.abort())
  await visit()
  await expect.poll(() => isRead(kyoto, film.id), SOON).toBe(true)
  const asked = () => ada.page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('unread-asked')))
  await expect.poll(asked, SOON).toBe(true)
  expect([await isRead(kyoto, photo.id), (await found(photo.id)).renditions]).toEqual([false, []])
})

test('Nothing is read where the browser is asked to save data', async ({ ada, kyoto, sent, visit }) => {
  const { id } = await sent('films/phone.mp4')
  await ada.page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await visit()
  await ada.calls.settled()
  expect(ada.calls.counts('GET /api/asset/unread')).toEqual({ 'GET /api/asset/unread': 0 })
  expect(await isRead(kyoto, id)).toBe(false)
})
