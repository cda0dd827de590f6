import type { Locator, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { PHONE } from '../support/people.ts'
import { spoken } from '../support/spoken.ts'
import { worldWith } from '../support/world.ts'

/** The layout from right to left, on small screens, with long names and on paper. */

const test = app
  .extend('kyoto', { scope: 'file' }, () => worldWith(30))
  .extend('enter', ({ kyoto, openPage }) => async (language: string, options: Parameters<typeof openPage>[0] = {}) => {
    const person = await openPage({ as: kyoto.as('ada'), reducedMotion: 'reduce', ...options })
    await person.context.addCookies([{ name: 'language', value: language, url: inject('stack').origin }])
    await person.page.goto(`/collections/media?c=${kyoto.collection.id}`)
    await photos(person.page).first().waitFor()
    return person.page
  })

const FINGER = { hasTouch: true, isMobile: true }

const photos = (page: Page) => page.locator('[data-index] img, button[data-index]')
const lightbox = (page: Page) => page.locator('.yarl__portal')

/** Names of buttons of which something else, or the edge of the screen, covers the middle. */
const covered = (buttons: Locator) =>
  buttons.evaluateAll((all) =>
    all.flatMap((button) => {
      if (!button.checkVisibility()) return []
      const { x, y, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2)) ? [] : [button.textContent]
    }),
  )

/** Classes of the elements of a dialog that scroll sideways. */
const tooWide = (dialog: Locator) =>
  dialog.evaluate((root) =>
    [root, ...root.querySelectorAll('*')].flatMap((one) =>
      one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX) ? [one.className] : [],
    ),
  )

async function openLightbox(page: Page): Promise<void> {
  await photos(page).first().click()
  await lightbox(page).locator('.yarl__toolbar').waitFor()
}

test('In Arabic, the checkbox under the mouse lies on its photo', async ({ enter }) => {
  const page = await enter('ar')
  const say = await spoken('ar')
  const tile = page.locator('[data-index="2"]')
  await tile.hover()
  const box = await tile.boundingBox()
  const check = await page.getByRole('button', { name: say('Select'), exact: true }).boundingBox()
  if (!box || !check) throw new Error('There is no tile or checkbox')
  expect(check.x).toBeGreaterThanOrEqual(box.x)
  expect(check.x + check.width).toBeLessThanOrEqual(box.x + box.width)
})

test('In Arabic, the panel beside a photo covers no button, and the left arrow leads on', async ({ enter }) => {
  const page = await enter('ar')
  await openLightbox(page)
  const buttons = lightbox(page).locator('button, a')
  expect(await covered(buttons)).toEqual([])
  const shown = () => lightbox(page).locator('.yarl__slide_current').getByRole('img').first().getAttribute('alt')
  const first = await shown()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(shown).not.toBe(first)
  const second = await shown()
  // Also where nothing in the lightbox has the focus.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('ArrowLeft')
  await expect.poll(shown).not.toBe(second)
  expect(await shown()).not.toBe(first)
  await page.keyboard.press('i')
  await page.locator('.lightbox-with-info').waitFor()
  expect(await covered(lightbox(page).locator('.yarl__toolbar button, .yarl__toolbar a, .yarl__navigation_next'))).toEqual([])
})

test.for(['en', 'de'])('In %s, a narrow phone has all buttons of a photo, and none to zoom', async (language, { enter }) => {
  const page = await enter(language, { ...FINGER, viewport: { width: 320, height: 640 } })
  const say = await spoken(language)
  await openLightbox(page)
  expect(await covered(lightbox(page).locator('.yarl__toolbar button, .yarl__toolbar a'))).toEqual([])
  const zoom = lightbox(page).getByRole('button', { name: say('Zoom in'), includeHidden: true })
  expect(await zoom.evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(0)
})

test('On a low screen, all of the menu of collections can be reached', async ({ enter }) => {
  const page = await enter('en', { ...FINGER, viewport: { width: 667, height: 300 } })
  await page.getByRole('button', { name: /^Collection:/ }).click()
  const last = page.getByRole('dialog', { name: 'Collections' }).getByRole('button', { name: 'New collection' })
  await last.scrollIntoViewIfNeeded()
  expect(await covered(last)).toEqual([])
})

test('On a screen enlarged to 400 %, a question can be answered', async ({ enter, kyoto }) => {
  const page = await enter('en', { viewport: { width: 320, height: 256 } })
  await page.goto(`/collections/settings?c=${kyoto.collection.id}`)
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Delete/ })
  await dialog.getByRole('textbox').fill('Kyoto')
  const buttons = dialog.getByRole('button', { name: /^(Cancel|Delete.*)$/ })
  await buttons.last().scrollIntoViewIfNeeded()
  expect(await covered(buttons)).toEqual([])
})

test('On a phone, a post with a long place and a person with a long name is as wide as the screen, also while it is edited', async ({
  enter,
  kyoto,
}) => {
  const ada = kyoto.as('ada')
  const { body } = await ada.post(`/api/collections/${kyoto.collection.id}/people`, {
    name: 'Wilhelmine '.repeat(2) + 'Donaudampfschifffahrtsgesellschaft'.repeat(2),
  })
  const post = {
    ...{ type: 'event', title: 'Fiesta', date: '2026-05-01T10:00:00Z', datePrecision: 'minute', collectionIds: [kyoto.collection.id] },
    location: { lat: -28.47, lon: -65.78, name: 'San Fernando del Valle de Catamarca, Departamento Capital, Argentina' },
    peopleIds: [body.person.id],
  }
  expect((await ada.post('/api/post', post)).status).toBe(201)
  const page = await enter('en', { ...FINGER, viewport: PHONE })
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await page
    .getByRole('button', { name: /Fiesta/ })
    .first()
    .click()
  const reader = page.getByRole('dialog', { name: 'Fiesta' })
  await reader
    .getByText(/Wilhelmine/)
    .first()
    .waitFor()
  expect(await tooWide(reader)).toEqual([])
  await reader.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByText(/San Fernando/).waitFor()
  expect(await tooWide(form)).toEqual([])
})

test('On a phone, what is offered for a typed name or town is above the buttons of the form', async ({ enter }) => {
  const page = await enter('en', { ...FINGER, viewport: { width: 390, height: 480 } })
  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Event' }).tap()
  const form = page.getByRole('dialog', { name: 'New event' })
  for (const [field, text, offered] of [
    ['Add a person', 'Grandma Rosa', /^Add “Grandma Rosa”/],
    ['Search for a place', 'Kyoto', /^Kyoto, Japan/],
  ] as const) {
    await form.getByRole('combobox', { name: field }).fill(text)
    const option = form.getByRole('option', { name: offered }).first()
    await option.waitFor()
    await expect.poll(() => covered(option)).toEqual([])
  }
})

test('A post that is printed has its pages for itself', async ({ enter, kyoto }) => {
  const body = `<p>Kombu</p>${'<p>Simmer</p>'.repeat(80)}<p>Serve</p>`
  const post = { type: 'note', title: 'Dashi', body, date: '2026-05-02T10:00:00Z', collectionIds: [kyoto.collection.id] }
  expect((await kyoto.as('ada').post('/api/post', post)).status).toBe(201)
  const page = await enter('en')
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await page.getByRole('button', { name: /Dashi/ }).first().click()
  const reader = page.getByRole('dialog', { name: 'Dashi' })
  await reader.getByText('Serve').waitFor()
  await page.emulateMedia({ media: 'print' })
  const [first, last] = await Promise.all(['Kombu', 'Serve'].map((text) => reader.getByText(text).boundingBox()))
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan((last?.y ?? 0) - (first?.y ?? 0))
  expect(
    await page.getByRole('navigation', { includeHidden: true }).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length),
  ).toBe(0)
  expect(await reader.getByRole('button', { name: 'Close', includeHidden: true }).isVisible()).toBe(false)
})
