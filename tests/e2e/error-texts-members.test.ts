import type { Route } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { signInAs } from '../support/people.ts'
import { world } from '../support/world.ts'

// A failed action on members or invitations names the action and the reason, and changes nothing (docs/decisions/026).

const test = app
  .extend('expectedErrors', () => [/ERR_INTERNET_DISCONNECTED/])
  .extend('kyoto', { scope: 'file' }, async () => {
    const kyoto = await world({ bob: 'write', ivy: null })
    for (const email of [EVE, kyoto.as('ivy').email])
      await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/invites/invite`, { email, role: 'read' })
    return kyoto
  })
  .extend('person', ({ openPage }) => openPage())
  .extend('page', ({ person }) => person.page)
  .extend('enter', ({ kyoto, page, person }) => async (name: string, path: string): Promise<void> => {
    await signInAs(person, kyoto.as(name))
    await page.goto(path)
  })
  .extend(
    'settings',
    ({ kyoto }) =>
      () =>
        `/collections/settings?c=${kyoto.collection.id}`,
  )
  .extend(
    'button',
    ({ page }) =>
      (name: string) =>
        page.getByRole('button', { name, exact: true }),
  )
  .extend(
    'notice',
    ({ page }) =>
      (title: string) =>
        page.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) }),
  )
  /** Lists can be had, and nothing can be changed. */
  .extend('cutWrites', ({ page }) => async (): Promise<void> => {
    const cut = (route: Route) => (route.request().method() === 'GET' ? route.fallback() : route.abort('internetdisconnected'))
    await page.route(/\/api\/collections\//, cut)
  })
  .extend('told', ({ notice }) => async (title: string): Promise<void> => {
    await notice(title).getByText(CUT, { exact: true }).waitFor()
    // It goes by itself, too, and may be quicker.
    await notice(title)
      .getByRole('button', { name: 'Close' })
      .click({ timeout: 3_000 })
      .catch(() => undefined)
    await notice(title).waitFor({ state: 'detached' })
  })

const CUT = 'No connection. Check the network and try again.'
const EVE = 'eve@example.org'

test('A role that cannot be changed and a member who cannot be removed are reported and stay', async ({
  button,
  cutWrites,
  enter,
  page,
  settings,
  told,
}) => {
  await enter('ada', settings())
  await cutWrites()
  const role = page.getByRole('combobox', { name: 'Role of Bob Test' })
  await role.selectOption('read')
  await told('Failed to change the role')
  expect(await role.inputValue()).toBe('write')
  await button('Remove Bob Test').click()
  await button('Remove').click()
  await told('Failed to remove the member')
  await role.waitFor()
})

test('An invitation that cannot be sent or cancelled is reported, and the form stays filled in', async ({
  button,
  cutWrites,
  enter,
  page,
  settings,
  told,
}) => {
  await enter('ada', settings())
  await cutWrites()
  await button(`Send again the invitation to ${EVE}`).click()
  await told('Failed to send the invitation')
  await button(`Cancel the invitation to ${EVE}`).click()
  await told('Failed to cancel the invitation')
  await button(`Cancel the invitation to ${EVE}`).waitFor()
  await button('Invite someone').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('mia@example.org')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByText(`Failed to send the invitation: ${CUT}`, { exact: true }).waitFor()
  expect(await dialog.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('mia@example.org')
})

test('A collection that cannot be transferred is reported and keeps its owner', async ({
  button,
  cutWrites,
  enter,
  page,
  settings,
  told,
}) => {
  await enter('ada', settings())
  await cutWrites()
  await page.getByRole('combobox', { name: 'New owner' }).selectOption('Bob Test')
  await button('Transfer…').click()
  await button('Transfer').click()
  await told('Failed to transfer collection')
  await page.getByRole('heading', { name: 'Ownership' }).waitFor()
})

test('An invitation that cannot be accepted or declined is reported and stays open', async ({ button, cutWrites, enter, page, told }) => {
  await enter('ivy', '/collections')
  await cutWrites()
  await button('Accept the invitation to Kyoto').click()
  await told('Failed to accept the invitation')
  await button('Decline the invitation to Kyoto').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await told('Failed to decline the invitation')
  await button('Accept the invitation to Kyoto').waitFor()
})

test('“Decline” is busy while the invitation is being declined, and not while the question is open', async ({ button, enter, page }) => {
  const answered = Promise.withResolvers<void>()
  await page.route('**/invites/decline', async (route) => {
    await answered.promise
    await route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Try again.' } } })
  })
  await enter('ivy', '/collections')
  const decline = page.getByRole('button', { name: 'Decline the invitation to Kyoto', includeHidden: true })
  await decline.click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await decline.getAttribute('aria-busy')).toBeNull()
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect.poll(() => decline.getAttribute('aria-busy')).toBe('true')
  answered.resolve()
  await expect.poll(() => decline.getAttribute('aria-busy')).toBeNull()
  await button('Accept the invitation to Kyoto').waitFor()
})

test('A collection that cannot be left is reported and stays open', async ({ button, cutWrites, enter, page, settings, told }) => {
  await enter('bob', settings())
  await cutWrites()
  await button('Leave…').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await told('Failed to leave the collection')
  await button('Leave…').waitFor()
})

test('An invitation reports whether the site has sent an e-mail', async ({ button, enter, notice, page, settings }) => {
  await enter('ada', settings())
  const invite = async (email: string) => {
    await button('Invite someone').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
  }
  await invite('mia@example.org')
  await notice('mia@example.org has been invited').getByText('We have sent them an e-mail').waitFor()
  await page.route('**/invites/invite', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), mailed: false } })
  })
  await invite('zoe@example.org')
  await notice('zoe@example.org has been invited')
    .getByText('This site does not send e-mail. Ask them to sign in with this address')
    .waitFor()
  await button('Send again the invitation to zoe@example.org').click()
  await notice('zoe@example.org has been invited again').getByText('This site does not send e-mail.').waitFor()
})
