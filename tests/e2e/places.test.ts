import { expect } from 'vitest'
import { MAP_ARGS } from '../support/browser.ts'
import { upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { world } from '../support/world.ts'

const test = app.extend('browserArgs', { scope: 'file' }, MAP_ARGS).extend('iceland', async () => {
  const iceland = await world({ bob: 'read' })
  await iceland.as('ada').post('/api/post', {
    type: 'note',
    title: 'The cottage',
    location: { lat: 64.14638, lon: -21.94261, name: 'Elfhome' },
    collectionIds: [iceland.collection.id],
  })
  return iceland
})

/** A renderer in software takes its time. */
const DRAWN = { timeout: 30_000 }

test('Once an admin hides places, the pin goes from an open map of a reader, and comes back, without a reload', async ({
  iceland,
  openPage,
}) => {
  const { collection, as } = iceland
  const bob = await openPage({ as: as('bob'), at: `/collections/map?c=${collection.id}&at=64.1,-21.9,7`, reducedMotion: 'reduce' })
  const pin = bob.page.locator('[data-pin=item]')
  await pin.waitFor(DRAWN)
  await bob.page.evaluate('globalThis.loadedOnce = true')
  const heard: string[] = []
  const ada = await openPage({ as: as('ada'), at: `/collections/settings?c=${collection.id}` })
  const places = ada.page.getByRole('region', { name: 'Places' })
  bob.page.on(
    'response',
    (response) =>
      void response.text().then(
        (text) => heard.push(text),
        () => undefined,
      ),
  )

  await places.getByRole('radio', { name: 'No place' }).click()
  await places.getByText('Readers and writers do not see where').waitFor()
  await pin.waitFor({ state: 'detached', ...DRAWN })
  expect(heard.join()).not.toMatch(/64\.146|Elfhome/)

  await places.getByRole('radio', { name: 'Town' }).click()
  await pin.waitFor(DRAWN)
  expect(heard.join()).not.toMatch(/64\.146|Elfhome/)

  await places.getByRole('radio', { name: 'Exact place' }).click()
  await expect.poll(() => heard.join(), DRAWN).toMatch(/Elfhome/)
  expect(await bob.page.evaluate('globalThis.loadedOnce')).toBe(true)
})

test('An author hides the place of one item in its form, and sees that others do not see it', async ({ iceland, openPage }) => {
  const { collection, as } = iceland
  const [post] = (await as('ada').get(`/api/post?collection_id=${collection.id}`)).body.posts
  const { page } = await openPage({ as: as('ada'), at: `/collections/timeline?c=${collection.id}&item=${post.id}` })
  const reader = page.getByRole('article', { name: 'The cottage' }).last()
  await reader.getByText('Elfhome').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('switch', { name: /Only the author and admins/ }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Only you and admins see the exact place').first().waitFor()
  await expect.poll(async () => (await as('bob').get(`/api/post/${post.id}`)).body.post.location).toBeNull()
})

test('A reader who may not download a file because of its place is told so', async ({ iceland, openPage }) => {
  const { collection, as } = iceland
  await upload(as('ada'), new TextEncoder().encode('%PDF-1.4\nA map'), {
    ...{ collectionIds: [collection.id], name: 'map.pdf', type: 'application/pdf' },
  })
  expect((await as('ada').put(`/api/collections/${collection.id}`, { places: 'nothing' })).status).toBe(200)
  const { page } = await openPage({ as: as('bob'), at: `/collections/media?c=${collection.id}` })
  await page
    .getByRole('button', { name: /map\.pdf/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Download the original' }).click()
  await page
    .getByRole('region', { name: /Notifications/ })
    .getByText(/You may not see where this file was made/)
    .waitFor()
})
