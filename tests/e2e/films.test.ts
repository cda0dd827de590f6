import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { dropFiles } from '../support/people.ts'
import { world } from '../support/world.ts'

/** Films as devices write them (`tests/fixtures/films`), added by Ada and seen by Bob. */

const test = app
  .extend('kyoto', () => world({ bob: 'read' }))
  .extend('address', ({ kyoto }) => `/collections/media?c=${kyoto.collection.id}`)
  .extend('ada', ({ address, kyoto, openPage }) => openPage({ as: kyoto.as('ada'), at: address, timezoneId: 'Europe/Zurich' }))
  .extend('add', ({ ada }) => async (...names: string[]) => {
    await ada.page.getByText('No photos yet').waitFor()
    await dropFiles(
      ada.page,
      names.map((name) => path.join(FILMS, name)),
    )
    await ada.page
      .getByText(`${names.length} video${names.length > 1 ? 's' : ''} added`)
      .first()
      .waitFor({ timeout: 90_000 })
  })
  .extend(
    'bob',
    ({ address, kyoto, openPage }) =>
      () =>
        openPage({ as: kyoto.as('bob'), at: address, timezoneId: 'Europe/Zurich' }),
  )

const FILMS = path.resolve(import.meta.dirname, '../fixtures/films')

const film = (page: Page, name: string) => page.getByRole('button', { name: `Video ${name}` })

const opened = (page: Page) => page.locator('.yarl__slide_current')

async function open(page: Page, name: string): Promise<void> {
  await film(page, name).click()
  await opened(page).waitFor()
}

test('A film has date, place, length, description and picture for another member', async ({ add, bob }) => {
  await add('iphone.mov', 'phone.mp4', 'rotated.mov')
  const { page } = await bob()
  await film(page, 'iphone.mov, Fog over the lake, 0:02, 20 December 2020, 00:14').getByText('0:02').waitFor()
  await film(page, 'phone.mp4, 0:02, 30 September 2022, 19:20').locator('img').waitFor()
  const upright = await film(page, 'rotated.mov').boundingBox()
  expect(upright?.height).toBeGreaterThan(upright?.width ?? 0)
  await open(page, 'iphone.mov')
  await page.getByRole('button', { name: 'Information' }).click()
  const facts = page.getByRole('complementary', { name: 'Information' })
  await facts.getByText('Fog over the lake').waitFor()
  await facts.getByText(/47\.5/).first().waitFor()
})

test('A container that the browser does not play has a picture, if it decodes the film', async ({ ada, add, bob }) => {
  // No version is made of it that more browsers play (playable-films.test.ts).
  await ada.page.evaluate(() => localStorage.setItem('films-for-everyone', 'off'))
  await add('camcorder.m2ts')
  expect(await film(ada.page, 'camcorder.m2ts').locator('img').count()).toBe(1)
  const { page } = await bob()
  await film(page, 'camcorder.m2ts').getByText('0:02').waitFor()
  await expect
    .poll(() =>
      film(page, 'camcorder.m2ts')
        .locator('img')
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(96)
  await open(page, 'camcorder.m2ts')
  await opened(page).getByText('This browser does not play this video.').waitFor()
})

test('A film that nobody here can play says so, and is there to download', async ({ add, bob }) => {
  await add('hevc.mov', 'mpeg4.mp4')
  const { page } = await bob()
  for (const [name, label] of [
    ['hevc.mov', 'MOV · 0:02'],
    ['mpeg4.mp4', 'MP4 · 0:02'],
  ] as const) {
    await film(page, name).locator(`[data-type="${label}"]`).waitFor()
    await open(page, name)
    await opened(page).getByText('This browser does not play this video.').waitFor()
    const original = opened(page).getByRole('link', { name: /^Download, / })
    expect(await original.getAttribute('download')).toBe(name)
    await page.keyboard.press('Escape')
    await opened(page).waitFor({ state: 'detached' })
  }
})

test('A film at which the page ended twice arrives without being read', async ({ ada, add }) => {
  const { size } = await stat(path.join(FILMS, 'phone.mp4'))
  await ada.page.evaluate((bytes) => localStorage.setItem('files-being-read', `${bytes} ${bytes}`), size)
  await add('phone.mp4')
  await ada.page.getByRole('button', { name: /^Video phone\.mp4/ }).waitFor()
  expect(await ada.page.evaluate(() => localStorage.getItem('files-being-read'))).toBeNull()
})
