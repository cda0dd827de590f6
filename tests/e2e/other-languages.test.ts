import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, inject } from 'vitest'
import { directionOf } from '../../contract/language/languages.ts'
import { localSql } from '../../dev/neon.ts'
import { sendWhole } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { makeLink } from '../support/guests.ts'
import { mailTo } from '../support/mail.ts'
import { axeViolations, dropFiles, PHONE } from '../support/people.ts'
import { spoken } from '../support/spoken.ts'
import { PASSWORD, world } from '../support/world.ts'

/** The ways of most people through Cairn, in languages that differ the most from English: longer words, no letters, from right to left. */

const LANGUAGES = [
  ['de', 'de-AT'],
  ['ja', 'ja-JP'],
  ['ar', 'ar-EG'],
] as const

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const [PICTURE = ''] = await readdir(PICTURES)

const test = app.extend('openIn', ({ openPage }) => async (language: string, options: Parameters<typeof openPage>[0] = {}) => {
  const { at, ...others } = options
  const person = await openPage(others)
  await person.context.addCookies([{ name: 'language', value: language, url: inject('stack').origin }])
  if (at) await person.page.goto(at)
  return person
})

/** Rules of axe whose result depends on the language. The others are checked in English, on every screen. */
const RULES = [
  ...['html-has-lang', 'html-lang-valid', 'valid-lang'],
  ...['button-name', 'link-name', 'label', 'image-alt', 'empty-heading'],
]

/** In the language and its direction, with nothing that axe finds in its words. */
async function expectIn(page: Page, language: string): Promise<void> {
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
    language,
    directionOf(language),
  ])
  expect(await axeViolations(page, RULES)).toEqual([])
}

test.for(LANGUAGES)('In %s, somebody registers, adds photos, writes a post, undoes and invites', async ([language, locale], { openIn }) => {
  const say = await spoken(language)
  const { page } = await openIn(language, { locale })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const sql = localSql(inject('stack').databaseUrl)
  const [email, invited] = ['ada', 'bob'].map((name) => `${name}-${crypto.randomUUID().slice(0, 8)}@example.org`) as [string, string]

  await page.goto('/register')
  await page.getByRole('textbox', { name: say('First name'), exact: true }).fill('Ada')
  await expectIn(page, language)
  await button(say('Create account')).click()
  await page.getByText(say('Enter a password')).waitFor()
  await page.getByRole('textbox', { name: say('Last name'), exact: true }).fill('Lovelace')
  await page.getByRole('textbox', { name: say('E-mail'), exact: true }).fill(email)
  await page.getByLabel(say('Password'), { exact: true }).fill(PASSWORD)
  await button(say('Create account')).click()
  await page.waitForURL('**/collections')
  await mailTo(email, say('Confirm your e-mail address for Cairn'))
  await sql`update auth."user" set "emailVerified" = true where email = ${email}`

  await button(say('New collection')).first().click()
  const creating = page.getByRole('dialog', { name: say('New collection') })
  await creating.getByRole('textbox', { name: say('Name') }).fill('Kyoto')
  await expectIn(page, language)
  await creating.getByRole('button', { name: say('Create collection') }).click()
  await page.getByText(say('No photos yet. Drop some anywhere.')).waitFor()

  await dropFiles(page, [path.join(PICTURES, PICTURE)])
  const photos = say('{count, plural, one {# photo} other {# photos}}', { count: 1 })
  await page
    .getByText(say('{0} added', { 0: photos }))
    .first()
    .waitFor({ timeout: 120_000 })
  await page
    .getByRole('button', { name: say('Photo {name}', { name: '' }).trim() })
    .first()
    .waitFor()
  await expectIn(page, language)

  await button(say('New')).click()
  await page.getByRole('menuitem', { name: say('Note', { context: 'noun' }), exact: true }).click()
  const writing = page.getByRole('dialog', { name: say('New note') })
  await writing.getByRole('textbox', { name: say('Title') }).fill('First snow')
  await expectIn(page, language)
  await writing.getByRole('button', { name: say('Post', { context: 'verb' }), exact: true }).click()
  await writing.waitFor({ state: 'hidden' })
  const posts = () => sql`select title from posts p join users u on u.id = p.user_id where u.email = ${email} and p.deleted_at is null`
  await expect.poll(posts, { timeout: 30_000 }).toEqual([{ title: 'First snow' }])

  await page
    .getByRole('link', { name: say('Timeline'), exact: true })
    .first()
    .click()
  await page
    .getByRole('button', { name: /First snow/ })
    .first()
    .click()
  await page
    .getByRole('dialog', { name: 'First snow' })
    .getByRole('button', { name: say('More'), exact: true })
    .click()
  await page.getByRole('menuitem', { name: say('Move to trash') }).click()
  await expect.poll(posts, { timeout: 30_000 }).toEqual([])
  await page.keyboard.press('Control+z')
  await expect.poll(posts, { timeout: 30_000 }).toEqual([{ title: 'First snow' }])
  await page
    .getByRole('button', { name: /First snow/ })
    .first()
    .waitFor()
  await expectIn(page, language)

  await page
    .getByRole('link', { name: say('Settings'), exact: true })
    .first()
    .click()
  await button(say('Invite someone')).first().click()
  const inviting = page.getByRole('dialog')
  await inviting.getByRole('textbox', { name: say('E-mail') }).fill(invited)
  await inviting.getByRole('button', { name: say('Send invitation') }).click()
  await inviting.waitFor({ state: 'hidden' })
  await expectIn(page, language)
  const mail = await mailTo(invited, say('You are invited to a collection on Cairn'))
  expect(mail.html).toContain(`lang="${language}" dir="${directionOf(language)}"`)
})

test.for([...LANGUAGES, ['fr', 'fr-FR'], ['uk', 'uk-UA']] as const)(
  'In %s, the role of a member fits beside their name',
  async ([language, locale], { openIn }) => {
    const { as, collection } = await world({ bob: 'write' })
    const at = `/collections/settings?c=${collection.id}`
    const { page } = await openIn(language, { as: as('ada'), locale, viewport: PHONE, at })
    const row = page.getByRole('listitem').filter({ hasText: 'Bob Test' })
    const widths = await row.locator('select[aria-label*="Bob Test"]').evaluate((select: HTMLSelectElement) => {
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select)
      const context = Object.assign(document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D, { font })
      const room = select.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
      return [...select.options].map(({ text }) => ({ text, cut: context.measureText(text).width > room }))
    })
    expect(widths.filter(({ cut }) => cut)).toEqual([])
    expect(
      await row
        .getByText('Bob Test')
        .first()
        .evaluate((name) => name.scrollWidth <= name.clientWidth),
    ).toBe(true)
  },
)

test.for(LANGUAGES)('In %s, a guest opens a link, writes and asks for the weekly mail', async ([language, locale], { openIn }) => {
  const say = await spoken(language)
  const { as, collection } = await world()
  const thumb = new Uint8Array(
    await sharp({ create: { width: 300, height: 200, channels: 3, background: '#468' } })
      .webp()
      .toBuffer(),
  )
  await sendWhole(as('ada'), thumb, { asset: { name: 'garden.webp', collectionIds: [collection.id] }, thumb })
  const { url } = await makeLink(as('ada'), collection.id, { allows: 'answer' })

  const { page } = await openIn(language, { locale, viewport: PHONE, at: url })
  await page.getByRole('link', { name: 'garden.webp' }).waitFor()
  await expectIn(page, language)
  const email = `oma-${crypto.randomUUID()}@example.org`
  await page.getByRole('textbox', { name: say('Your e-mail address') }).fill(email)
  await page.getByRole('button', { name: say('Get a weekly mail') }).click()
  await mailTo(email, say('Confirm your weekly mail from Cairn'))

  await page.goto(url)
  await page.getByRole('link', { name: 'garden.webp' }).click()
  await page.getByLabel(say('Your name')).fill('Grandmother')
  await page.getByLabel(say('Your comment')).fill('How it has grown!')
  await page.getByRole('button', { name: say('Send'), exact: true }).click()
  const comment = page.getByRole('listitem').filter({ hasText: 'How it has grown!' })
  await comment.getByText(say('{name} (guest)', { name: 'Grandmother' }), { exact: true }).waitFor()
  await expectIn(page, language)
})

test.for(LANGUAGES)(
  'In %s, the home page is drawn by the build, and a page of the blog says that it is English',
  async ([language, locale], { openIn }) => {
    const say = await spoken(language)
    const { page } = await openIn(language, { locale, javaScriptEnabled: false, at: '/' })
    const html = page.locator('html')
    expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual([language, directionOf(language)])
    await page
      .getByRole('link', { name: say('Sign in'), exact: true })
      .first()
      .waitFor()
    const description = say('Keep posts and photos in collections, together with the people who were there.')
    for (const tag of ['meta[name="description"]', 'meta[property="og:description"]'])
      expect(await page.locator(tag).evaluateAll((all) => all.map((each) => each.getAttribute('content')))).toEqual([description])
    const manifest = await (await page.request.get('/manifest.webmanifest')).json()
    expect(manifest).toMatchObject({
      name: 'Cairn',
      lang: language,
      dir: directionOf(language),
      shortcuts: [{ name: say('What is new') }, {}, {}],
    })
    const { page: reading } = await openIn(language, { locale, at: '/blog' })
    await expect.poll(() => reading.locator('html').getAttribute('lang')).toBe(language)
    expect(await reading.locator('h1').evaluate((heading) => heading.closest('[lang]')?.getAttribute('lang'))).toBe('en')
    await expectIn(reading, language)
  },
)
