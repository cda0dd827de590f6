import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { unconfirmed } from '../support/accounts.ts'
import { countCalls } from '../support/counted-calls.ts'
import { test as app } from '../support/fixtures.ts'
import { makeLink } from '../support/guests.ts'
import { reseal } from '../support/sessions.ts'
import { register, world } from '../support/world.ts'

const WEB = path.resolve(import.meta.dirname, '../../web')

/** The forms of the app: how to reach each one, and the button that sends it. */
interface Form {
  file: string
  who: 'nobody' | 'ada' | 'lapsed'
  at: string
  open?: (page: Page) => Promise<unknown>
  button: string
  /** Why the button does nothing, where it says so itself. */
  reason?: string
  /** The message of the empty field. */
  says?: string
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()
const choose = (button: string, item: string) => async (page: Page) => {
  await press(button)(page)
  await page.getByRole('menuitem', { name: item }).click()
}
const SETTINGS = '/collections/settings?c='
/** Address of a link by which guests answer. */
let forGuests = ''
const FORMS: readonly Form[] = [
  { file: 'pages/login.tsx', who: 'nobody', at: '/login', button: 'Sign in', says: 'Enter an e-mail address' },
  { file: 'pages/register.tsx', who: 'nobody', at: '/register', button: 'Create account', says: 'Enter a password' },
  { file: 'pages/forgot-password.tsx', who: 'nobody', at: '/forgot-password', button: 'Send link', says: 'Enter an e-mail address' },
  {
    file: 'pages/reset-password.tsx',
    who: 'nobody',
    at: '/reset-password?token=one&asked=two',
    button: 'Change password',
    says: 'Enter a password',
  },
  {
    file: 'pages/verify-email.tsx',
    who: 'nobody',
    at: '/login',
    open: async (page) => page.goto(`/verify-email?${new URLSearchParams({ token: (await unconfirmed()).token })}`),
    button: 'Confirm address',
    says: 'Enter your password',
  },
  {
    file: 'components/collections/new-collection-dialog.tsx',
    who: 'ada',
    at: '/collections',
    open: press('New collection'),
    button: 'Create collection',
    says: 'The name must not be empty',
  },
  {
    file: 'components/members/invite-dialog.tsx',
    who: 'ada',
    at: SETTINGS,
    open: press('Invite someone'),
    button: 'Send invitation',
    says: 'Enter an e-mail address',
  },
  {
    file: 'components/posts/form.tsx',
    who: 'ada',
    at: '/collections/timeline?c=',
    open: choose('New', 'Note'),
    button: 'Post',
    says: 'The title must not be empty',
  },
  {
    file: 'components/posts/link-post-dialog.tsx',
    who: 'ada',
    at: '/collections/timeline?c=',
    open: async (page) => {
      await page.getByRole('button', { name: 'Picnic', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Add to another collection…' }).click()
    },
    button: 'Add',
    reason: 'Choose a collection first',
  },
  {
    file: 'views/calendar/move-dialog.tsx',
    who: 'ada',
    at: '/collections/calendar?view=month&on=2026-05&day=2026-05-01&c=',
    open: async (page) => {
      await choose('More for Picnic', 'Move to another day…')(page)
      await page.getByLabel('Day', { exact: true }).fill('')
    },
    button: 'Move',
    says: 'Choose a day between the years 1 and 9999',
  },
  {
    file: 'components/session/reauthentication-dialog.tsx',
    who: 'lapsed',
    at: '/profile/settings',
    open: async (page) => {
      await press('New token')(page)
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Backup')
      await press('Create token')(page)
      await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
    },
    button: 'Continue',
    says: 'Enter your password',
  },
  {
    file: 'pages/profile/token-dialog.tsx',
    who: 'ada',
    at: '/profile/settings',
    open: press('New token'),
    button: 'Create token',
    says: 'The name must not be empty',
  },
  {
    file: 'pages/profile/delete-dialog.tsx',
    who: 'ada',
    at: '/profile/settings',
    open: press('Delete account…'),
    button: 'Delete account',
    reason: 'Choose first what happens to your collections',
  },
  {
    file: 'pages/profile/sign-in.tsx',
    who: 'ada',
    at: '/profile/settings',
    open: (page) => page.getByRole('textbox', { name: 'E-mail' }).fill(''),
    button: 'Change e-mail',
    says: 'Enter an e-mail address',
  },
  { file: 'pages/profile/you.tsx', who: 'ada', at: '/profile/settings', button: 'Save changes', reason: 'No changes to save' },
  {
    file: 'components/sharing/share-dialog.tsx',
    who: 'ada',
    at: '/collections/timeline?c=',
    open: async (page) => {
      await press('Share')(page)
      await page.getByRole('switch', { name: 'Password' }).click()
    },
    button: 'Create link',
    says: 'Enter a password',
  },
  {
    file: 'components/sharing/change-link-dialog.tsx',
    who: 'ada',
    at: SETTINGS,
    open: async (page) => {
      await press('Change the link For grandmother')(page)
      await page.getByRole('switch', { name: 'Password' }).click()
    },
    button: 'Save',
    says: 'Enter a password',
  },
  {
    file: 'components/shell/guest-name-dialog.tsx',
    who: 'nobody',
    at: '/login',
    open: async (page) => {
      await page.goto(forGuests)
      await page.getByRole('link', { name: 'Media' }).click()
      await press('Your name')(page)
    },
    button: 'Save',
    says: 'Your name must not be empty',
  },
  {
    file: 'views/settings/look-section.tsx',
    who: 'ada',
    at: SETTINGS,
    open: (page) => page.getByRole('textbox', { name: 'Name', exact: true }).fill(''),
    button: 'Save changes',
    says: 'The name must not be empty',
  },
  { file: 'views/settings/people-section.tsx', who: 'ada', at: SETTINGS, button: 'Add', says: 'The name must not be empty' },
  {
    file: 'views/settings/person-row.tsx',
    who: 'ada',
    at: SETTINGS,
    open: async (page) => {
      await choose('More for Mizuki', 'Rename')(page)
      await page.getByRole('textbox', { name: 'New name of Mizuki' }).fill('')
    },
    button: 'Save',
    says: 'The name must not be empty',
  },
  {
    file: 'views/settings/invite-people-dialog.tsx',
    who: 'ada',
    at: SETTINGS,
    open: press('Invite people…'),
    button: 'Send invitations',
    reason: 'Select at least one person',
  },
  {
    file: 'views/settings/link-dialog.tsx',
    who: 'ada',
    at: SETTINGS,
    open: choose('More for Mizuki', 'Link to a member…'),
    button: 'Link',
    reason: 'Choose a member',
  },
  {
    file: 'views/settings/merge-dialog.tsx',
    who: 'ada',
    at: SETTINGS,
    open: choose('More for Mizuki', 'Merge into…'),
    button: 'Merge',
    reason: 'Choose a person to keep',
  },
]

/** Forms that have no field that may not be empty: sent untouched they say that nothing changes, or close (tests/e2e/bulk, media, avatars). */
const WITHOUT_REQUIRED = ['components/bulk/dialog.tsx', 'components/photos/lightbox-edit.tsx', 'pages/profile/picture-dialog.tsx']

const test = app.extend('kyoto', { scope: 'file' }, async () => {
  const kyoto = await world({ bob: 'write' })
  for (const name of ['Mizuki', 'Haru']) await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name })
  await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/links`, { kind: 'collection', name: 'For grandmother' })
  await kyoto.as('ada').post('/api/collections', { name: 'Nara' })
  const picnic = { type: 'event', title: 'Picnic', date: '2026-05-01T12:00:00Z', datePrecision: 'day' }
  await kyoto.as('ada').post('/api/post', { ...picnic, collectionIds: [kyoto.collection.id] })
  forGuests = (await makeLink(kyoto.as('ada'), kyoto.collection.id, { name: 'For guests', allows: 'answer' })).url
  return kyoto
})

test('Every form of the app is among those that are sent empty', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const forms = files.filter((file) => /\buseSubmit\(/.test(readFileSync(path.join(WEB, file), 'utf8')))
  expect([...new Set([...FORMS.map(({ file }) => file), ...WITHOUT_REQUIRED])].toSorted()).toEqual(forms.toSorted())
})

test.for(FORMS)('The empty form of $file says what is missing and sends nothing', async (form, { kyoto, openPage }) => {
  const lapsed = form.who === 'lapsed' ? await register('lapsed') : null
  if (lapsed) await reseal(lapsed, { provenAt: 0 })
  const as = lapsed ?? (form.who === 'ada' ? kyoto.as('ada') : undefined)
  const { page } = await openPage({ ...(as && { as }), reducedMotion: 'reduce' })
  await page.goto(form.at.endsWith('c=') ? form.at + kyoto.collection.id : form.at)
  await form.open?.(page)
  const button = page.getByRole('button', { name: form.button, exact: true }).last()
  await button.waitFor()
  const calls = countCalls(page)
  if (form.reason) {
    await button.hover()
    await page.getByText(form.reason).filter({ visible: true }).first().waitFor()
    await button.focus()
    await page.keyboard.press('Enter')
  } else {
    await button.click()
    await page
      .getByText(form.says ?? '')
      .first()
      .waitFor()
    expect(await page.locator('[aria-invalid=true]').first().isVisible()).toBe(true)
  }
  const sent = calls.made().filter((call) => !call.startsWith('GET ') && !call.endsWith('/live/ticket'))
  expect(sent).toEqual([])
})
