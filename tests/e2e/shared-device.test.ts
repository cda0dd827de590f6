import sharp from 'sharp'
import { expect } from 'vitest'
import { upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { type Person, signInAs } from '../support/people.ts'
import { PASSWORD, world } from '../support/world.ts'

const test = app
  .extend('kyoto', () => world({ bob: null }))
  .extend('ada', ({ kyoto, openPage }) => openPage({ as: kyoto.as('ada') }))
  .extend('addresses', async ({ kyoto }): Promise<string[]> => {
    const noisy = sharp({
      create: { width: 900, height: 600, channels: 3, background: '#369', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
    })
    const asset = await upload(kyoto.as('ada'), new Uint8Array(await noisy.jpeg().toBuffer()), { collectionIds: [kyoto.collection.id] })
    const thumb = new Uint8Array(await noisy.resize(512).webp().toBuffer())
    await kyoto.as('ada').put(`/api/asset/${asset.id}/renditions/thumb`, thumb, { type: 'image/webp' })
    const { version } = (await kyoto.as('ada').get(`/api/asset/${asset.id}`)).body.asset
    return [`/api/asset/${asset.id}/renditions/thumb`, `/_image/w_320,f_webp/${asset.id}`, `/api/asset/${asset.id}/file`].map(
      (path) => `${path}?v=${version}`,
    )
  })

/** Statuses of these addresses as a script of the page gets them, from the browser's cache where that has them. */
const statuses = ({ page }: Person, addresses: string[]) =>
  page.evaluate(
    (all) => Promise.all(all.map((address) => fetch(address, { cache: 'force-cache' }).then(({ status }) => status))),
    addresses,
  )

/** Ada looks at her photo, and the browser caches it. */
async function look(ada: Person, addresses: string[]): Promise<void> {
  await ada.page.goto('/collections')
  await ada.page.getByRole('heading', { name: 'Collections' }).first().waitFor()
  expect(await statuses(ada, addresses)).toEqual([200, 200, 200])
}

test('After signing out, the next account of a browser reads no picture or file from its cache', async ({ ada, addresses, kyoto }) => {
  await look(ada, addresses)
  const { page } = ada
  await page
    .getByRole('button', { name: /Ada Test/ })
    .first()
    .click()
  const signedOut = page.waitForResponse('**/api/auth/sign-out')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await (await signedOut).finished()
  expect(await statuses(ada, addresses)).toEqual([401, 401, 401])
  await page.getByRole('textbox', { name: 'E-mail' }).fill(kyoto.as('bob').email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/collections')
  expect(await statuses(ada, addresses)).toEqual([404, 404, 404])
})

test('After a session that ended by itself, the next account of a browser reads no picture or file from its cache', async ({
  ada,
  addresses,
  kyoto,
}) => {
  await look(ada, addresses)
  const session = (await ada.context.cookies()).filter(({ name }) => name.startsWith('session'))
  for (const { name } of session) await ada.context.clearCookies({ name })
  await signInAs(ada, kyoto.as('bob'))
  const asked = ada.page.waitForResponse('**/api/bootstrap*')
  await ada.page.goto('/collections')
  await (await asked).finished()
  expect(await statuses(ada, addresses)).toEqual([404, 404, 404])
})
