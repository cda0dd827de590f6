import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { dropFiles } from '../support/people.ts'
import { world } from '../support/world.ts'

/**
 * Films that few browsers play, added by Ada and watched by Bob. Chromium decodes no HEVC without a decoder of the system, so AV1 stands in for a codec that few
 * browsers know, and VP9 in Matroska for a container. Whether the version is an MP4 or a WebM depends on whether this Chromium encodes H.264.
 */

const test = app
  .extend('kyoto', () => world({ bob: 'read' }))
  .extend('address', ({ kyoto }) => `/collections/media?c=${kyoto.collection.id}`)
  .extend('ada', ({ address, kyoto, openPage }) => openPage({ as: kyoto.as('ada'), at: address }))
  .extend(
    'bob',
    ({ address, kyoto, openPage }) =>
      () =>
        openPage({ as: kyoto.as('bob'), at: address }),
  )

const FILMS = path.resolve(import.meta.dirname, '../fixtures/films')

async function add(page: Page, ...names: string[]): Promise<void> {
  await page.getByText('No photos yet').waitFor()
  await dropFiles(
    page,
    names.map((name) => path.join(FILMS, name)),
  )
}

/** Opens a film and watches it. */
async function watch(page: Page, name: string) {
  await page.getByRole('button', { name: `Video ${name}` }).click()
  const video = page.locator('.yarl__slide_current video')
  await video.evaluate((element: HTMLVideoElement) => {
    element.muted = true
    return element.play()
  })
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2)
  return video.evaluate(({ currentSrc, videoWidth, videoHeight, duration }: HTMLVideoElement) => ({
    source: new URL(currentSrc).pathname.replace(/[0-9a-f-]{36}/, ''),
    size: [videoWidth, videoHeight],
    duration: Math.round(duration),
  }))
}

const FILM = '/api/asset//renditions/film'

test('A film in a codec that few browsers know plays for another member, with its sound', async ({ ada, bob, kyoto }) => {
  await add(ada.page, 'av1.mp4')
  await expect.poll(async () => (await assets(kyoto))[0]?.renditions, { timeout: 90_000 }).toContain('film')
  const { page } = await bob()
  expect(await watch(page, 'av1.mp4')).toEqual({ source: FILM, size: [160, 96], duration: 2 })
  const [asset] = await assets(kyoto)
  const { bytes, headers } = await kyoto.as('bob').get(`/api/asset/${asset?.id}/renditions/film`)
  expect(headers.get('content-type')).toMatch(/^video\/(?:mp4|webm)$/)
  expect(bytes.length).toBeLessThanOrEqual(2 * (asset?.size ?? 0))
  expect(Buffer.from(bytes).toString('latin1')).toMatch(/A_OPUS|Opus|mp4a/)
  const original = page.getByRole('link', { name: 'Download the original' })
  expect(await original.getAttribute('href')).toContain('/file')
})

test('A film whose container is the obstacle is put into another one', async ({ ada, bob, kyoto }) => {
  await add(ada.page, 'vp9.mkv', 'camcorder.m2ts')
  const renditions = async () => (await assets(kyoto)).map((asset) => asset.renditions.includes('film'))
  await expect.poll(renditions, { timeout: 90_000 }).toEqual([true, true])
  const { page } = await bob()
  for (const name of ['vp9.mkv', 'camcorder.m2ts']) {
    expect(await watch(page, name)).toEqual({ source: FILM, size: [96, 64], duration: 2 })
    await page.keyboard.press('Escape')
    await page.locator('.yarl__slide_current').waitFor({ state: 'detached' })
  }
  // Nothing of it tells where it was made.
  for (const { id } of await assets(kyoto)) {
    const { bytes } = await kyoto.as('bob').get(`/api/asset/${id}/renditions/film`)
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('47.5')
  }
})

test('The version is removed from the information of the video, for the others as well, and the video stays', async ({
  ada,
  bob,
  kyoto,
}) => {
  const { page } = ada
  await add(page, 'av1.mp4')
  await expect.poll(async () => (await assets(kyoto))[0]?.renditions, { timeout: 90_000 }).toContain('film')
  const other = await bob()
  for (const person of [ada, other]) {
    await person.page.getByRole('button', { name: 'Video av1.mp4' }).click()
    await person.page.getByRole('button', { name: 'Information' }).click()
  }
  const source = () => other.page.locator('.yarl__slide_current source[src*="/renditions/film"]').count()
  await expect.poll(source).toBe(1)
  expect(await other.page.getByRole('region', { name: 'Playable version' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Remove the playable version' }).click()
  await page.getByRole('dialog', { name: 'Remove the playable version?' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Playable version removed').first().waitFor()
  await page.getByRole('region', { name: 'Playable version' }).waitFor({ state: 'detached' })
  expect((await assets(kyoto))[0]?.renditions).toEqual(['thumb', 'preview'])
  await expect.poll(source).toBe(0)
  // The folder of films that were made here goes with the session, so that its name does not tell who was signed in.
  const folders = () =>
    page.evaluate(async () => {
      const root = await navigator.storage.getDirectory()
      const names: string[] = []
      for await (const name of (await root.getDirectoryHandle('films', { create: true })).keys()) names.push(name)
      return names
    })
  expect(await folders()).toHaveLength(1)
  await page.keyboard.press('Escape')
  await page.locator('.yarl__slide_current').waitFor({ state: 'detached' })
  await page
    .getByRole('button', { name: /Ada Test/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect.poll(folders).toEqual([])
})

test('The switch in the settings turns it off, and the upload says that most browsers cannot play it', async ({ ada, kyoto }) => {
  const { page } = ada
  await page.goto('/profile/settings#videos')
  await page.getByRole('switch', { name: 'Make videos playable for everyone' }).click()
  await page.goto(`/collections/media?c=${kyoto.collection.id}`)
  await add(page, 'av1.mp4')
  await page.getByText('1 video added').first().waitFor({ timeout: 90_000 })
  expect((await assets(kyoto))[0]?.renditions).toEqual(['thumb', 'preview'])
  expect(await page.getByText('plays everywhere').count()).toBe(0)
})

async function assets({
  as,
  collection,
}: {
  as: (name: string) => { get: (path: string) => Promise<{ body: unknown }> }
  collection: { id: string }
}) {
  const { body } = await as('ada').get(`/api/asset?collection_id=${collection.id}`)
  return (body as { assets: { id: string; size: number; renditions: string[] }[] }).assets
}
