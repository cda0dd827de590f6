import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { expect } from 'vitest'
import { jpegLike, upload } from '../support/files.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { test as app, SOON } from '../support/viewer.ts'
import { world } from '../support/world.ts'

/** Ada owns Kyoto, Bob adds to it, Cy reads it; Dee has no account. */
const test = app
  .extend('expectedErrors', () => [/40[34]|410/])
  .extend('kyoto', async () => {
    const kyoto = await world({ bob: 'write', cy: 'read' })
    const collectionIds = [kyoto.collection.id]
    await kyoto.as('ada').post('/api/post', { type: 'note', title: 'What to pack', body: '<p>Less.</p>', collectionIds })
    for (const [name, who] of [
      ['Gate.jpg', 'ada'],
      ['Bridge.jpg', 'bob'],
    ] as const)
      await upload(kyoto.as(who), jpegLike(), { name, width: 40, height: 30, collectionIds })
    return kyoto
  })
  .extend('ada', ({ kyoto, watch }) => watch(kyoto, 'ada', 'media'))
  .extend('dee', async ({ openPage }): Promise<Page> => (await openPage({ viewport: PHONE, javaScriptEnabled: false })).page)

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
async function create(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create link' }).click()
  return dialog(page, 'The link is ready').getByRole('textbox', { name: 'Link' }).inputValue()
}

test('A link to the collection opens by its code, asks for its password, is listed, and can be changed and ended', async ({
  ada,
  dee,
  kyoto,
  openPage,
}) => {
  const { page } = ada
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const form = dialog(page, 'Share “Kyoto”')
  await form.getByRole('textbox', { name: 'Name' }).fill('For grandmother')
  await form.getByRole('switch', { name: 'Password' }).click()
  await form.getByRole('textbox', { name: 'Password' }).fill('short')
  await form.getByRole('button', { name: 'Create link' }).click()
  await form.getByText('A password has at least 8 characters').waitFor()
  await form.getByRole('textbox', { name: 'Password' }).fill('three white swans')
  const url = await create(page)
  // A click beside the dialog does not lose the address, which is shown once.
  await page.mouse.click(5, 5)
  const code = await sharp(await page.getByRole('img', { name: 'QR code of the link' }).screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(decodeQR({ width: code.info.width, height: code.info.height, data: code.data })).toBe(url)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()

  await dee.goto(url)
  await dee.getByLabel('Password').fill('three white swans')
  await dee.getByRole('button', { name: 'Open' }).click()
  await dee.getByRole('heading', { level: 1, name: 'For grandmother' }).waitFor()

  const second = await openPage({ as: kyoto.as('ada'), at: `/collections/settings?c=${kyoto.collection.id}` })
  const row = second.page.getByRole('listitem').filter({ hasText: 'For grandmother' })
  await row.getByText('The whole collection. View · password · no places').waitFor()
  await row.getByText('Opened 1 time in 30 days').waitFor()

  await row.getByRole('button', { name: 'Change the link For grandmother' }).click()
  const change = dialog(second.page, 'Change the link')
  await change.getByRole('switch', { name: 'Password' }).click()
  await change.getByRole('combobox', { name: 'Ends' }).selectOption('In a week')
  await change.getByRole('button', { name: 'Save' }).click()
  await row.getByText(/^The whole collection\. View · no places · until /).waitFor()
  await dee.goto(url)
  await dee.getByRole('heading', { level: 1, name: 'For grandmother' }).waitFor()

  await row.getByRole('button', { name: 'End the link For grandmother' }).click()
  await dialog(second.page, /^End the link/)
    .getByRole('button', { name: 'End link' })
    .click()
  await second.page.getByText('No links.').waitFor()
  expect((await dee.goto(url))?.status()).toBe(410)
})

test('A link to what the filters show has nothing else, and appears in the settings of another window at once, with its visits', async ({
  ada,
  dee,
  kyoto,
  openPage,
}) => {
  const settings = await openPage({ as: kyoto.as('ada'), at: `/collections/settings?c=${kyoto.collection.id}` })
  await settings.page.getByText('No links.').waitFor()
  await ada.page.goto(`/collections/timeline?c=${kyoto.collection.id}&type=post`)
  await ada.page.getByRole('list', { name: 'Active filters' }).waitFor()
  await ada.page.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog(ada.page, 'Share “Kyoto”').getByText('what these filters accept: Posts, also what is added later.').waitFor()
  const url = await create(ada.page)
  const row = settings.page.getByRole('listitem').filter({ hasText: 'Posts' })
  await row.getByText('Not opened yet').waitFor(SOON)
  await dee.goto(url)
  await dee.getByRole('article').getByText('Less.').waitFor()
  await settings.page.evaluate(() => dispatchEvent(new Event('focus')))
  await row.getByText('Opened 1 time in 30 days').waitFor()
  expect(await dee.getByRole('link', { name: 'Gate.jpg' }).count()).toBe(0)
})

test('A writer links to what they added, from the selection and from the photo; a reader to nothing', async ({ dee, kyoto, openPage }) => {
  const at = `/collections/media?c=${kyoto.collection.id}`
  const { page } = await openPage({ as: kyoto.as('bob'), at })
  const share = page.getByRole('button', { name: 'Share', exact: true })
  await page.getByRole('button', { name: /^Photo Bridge\.jpg/ }).click({ modifiers: ['Control'] })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByRole('button', { name: 'Share' }).click()
  await dialog(page, 'Share 1 photo').waitFor()
  const url = await create(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await dee.goto(url)
  await dee.getByRole('link', { name: /Bridge\.jpg/ }).waitFor()
  expect(await dee.getByRole('link', { name: /Gate\.jpg/ }).count()).toBe(0)

  await page.getByRole('button', { name: /^Photo Gate\.jpg/ }).click({ modifiers: ['Control'] })
  await bar.getByRole('button', { name: 'Share' }).hover()
  await page.getByRole('tooltip', { includeHidden: true }).getByText('Others added some of these.').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Photo Gate\.jpg/ }).click()
  await page.getByRole('button', { name: 'Share: Someone else added this. They, an admin or the owner can share it.' }).waitFor()
  expect(await share.count()).toBe(0)

  const reader = await openPage({ as: kyoto.as('cy'), at })
  await reader.page.getByRole('button', { name: /^Photo Gate\.jpg/ }).waitFor()
  expect(await reader.page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0)
})
