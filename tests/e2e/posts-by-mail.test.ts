import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { send } from '../support/mail-in.ts'
import { axeViolations, DESKTOP, PHONE } from '../support/people.ts'
import { pictureBytes } from '../support/pictures.ts'
import { SOON } from '../support/viewer.ts'
import { world } from '../support/world.ts'

/** A collection takes posts by mail. */

const test = app.extend('kyoto', () => world({ wes: 'write', rita: 'read' }))

test('The owner turns posts by mail on, a writer sends a photo, and a reader sees the post at once', async ({ kyoto, openPage }) => {
  const settings = `/collections/settings?c=${kyoto.collection.id}`
  const { page: hers } = await openPage({ as: kyoto.as('ada'), at: settings, viewport: DESKTOP })
  const section = hers.getByRole('region', { name: 'Post by mail' })
  await section.getByRole('button', { name: 'Turn on' }).click()
  const first = await section.getByRole('textbox', { name: 'Address' }).inputValue()
  expect(first).toMatch(/^[a-z2-7]{26}@in\.cairn\./)

  await section.getByRole('button', { name: 'Replace address' }).click()
  await hers.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await expect.poll(() => section.getByRole('textbox', { name: 'Address' }).inputValue()).not.toBe(first)
  for (const colorScheme of ['light', 'dark'] as const) {
    await hers.emulateMedia({ colorScheme })
    expect(await axeViolations(hers)).toEqual([])
  }

  const { page: his } = await openPage({ as: kyoto.as('wes'), at: settings, viewport: PHONE })
  const shown = his.getByRole('region', { name: 'Post by mail' })
  const to = await shown.getByRole('textbox', { name: 'Address' }).inputValue()
  expect(await shown.getByRole('button').allTextContents()).toEqual(['Copy'])
  expect(await axeViolations(his)).toEqual([])

  const { page } = await openPage({ as: kyoto.as('rita'), at: `/collections/timeline?c=${kyoto.collection.id}` })
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  const photo = await pictureBytes('kingfisher-on-a-branch', 1600)
  const mail = {
    from: kyoto.as('wes').email,
    subject: 'At the pond',
    text: 'It waited for us.',
    parts: [{ type: 'image/jpeg', name: 'kingfisher.jpg', bytes: photo }],
  }
  expect(await send({ ...mail, to: first })).toMatch(/takes no mail from you/)
  expect(await send({ ...mail, to })).toBeNull()
  const post = page.getByRole('article', { name: /At the pond/ })
  await post.waitFor(SOON)
  await post.getByText('It waited for us.').waitFor()

  await section.getByRole('button', { name: 'Turn off' }).click()
  await hers.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  const turnOn = section.getByRole('button', { name: 'Turn on' })
  await turnOn.waitFor()
  await expect.poll(() => turnOn.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await send({ ...mail, to })).toMatch(/takes no mail from you/)
  await his.evaluate(() => dispatchEvent(new Event('focus')))
  await shown.waitFor({ state: 'hidden' })
})
