import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { jpegLike, upload } from '../support/files.ts'
import { PHONE } from '../support/people.ts'
import { chooseFromMenu, focusedName, middleOf } from '../support/reach.ts'
import { test as app, goTo, SOON, type Viewer } from '../support/viewer.ts'
import { type World, world } from '../support/world.ts'

/** A selection survives a change of view, is changed in one go, and every change can be undone. */

const test = app
  .extend('kyoto', async () => {
    const kyoto = await world({ bob: 'write', cy: 'read' })
    for (const [index, name] of ['one', 'two', 'three'].entries()) await photo(kyoto, name, `2019-05-03T1${index}:00:00+02:00`)
    await note(kyoto, 'First snow', '2019-05-02T12:00:00+02:00')
    await note(kyoto, 'Second snow', '2019-05-01T12:00:00+02:00')
    return kyoto
  })
  .extend('open', ({ kyoto, watch }) => async (name: string, view = 'timeline', options = {}): Promise<Viewer> => {
    const who = await watch(kyoto, name, view, options)
    await who.page.getByRole('button', { name: /(Photo|Open) one\.jpg/ }).waitFor(SOON)
    return who
  })
  /** An item of the collection, as the server has it. */
  .extend('item', ({ kyoto }) => async (name: string, id = kyoto.collection.id) => {
    const answers = await Promise.all(['post', 'asset'].map((kind) => kyoto.as('ada').get(`/api/${kind}?collection_id=${id}`)))
    return answers.flatMap(({ body }) => body.posts ?? body.assets).find((row) => (row.title ?? row.name) === name)
  })
  .extend(
    'day',
    ({ item }) =>
      async (name: string) =>
        (await item(name))?.date.slice(0, 10),
  )

async function photo(kyoto: World, name: string, date: string, as = 'ada'): Promise<void> {
  const more = { name: `${name}.jpg`, width: 40, height: 30, date, dateZone: 'Europe/Vienna', datePrecision: 'minute' as const }
  await upload(kyoto.as(as), jpegLike(), { ...more, collectionIds: [kyoto.collection.id] })
}

async function note(kyoto: World, title: string, date: string): Promise<void> {
  const when = { date, dateZone: 'Europe/Vienna', datePrecision: 'day' }
  await kyoto.as('ada').post('/api/post', { type: 'note', title, body: '', ...when, collectionIds: [kyoto.collection.id] })
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected items' })
const action = (page: Page, name: string | RegExp) => bar(page).getByRole('button', { name })
const selected = (page: Page, text: string) => bar(page).getByText(text, { exact: true }).waitFor()
const dialog = (page: Page) => page.getByRole('dialog').last()
const check = (page: Page, name: string) => page.getByRole('button', { name: `Select ${name}`, exact: true })
const toast = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor(SOON)

async function apply(page: Page, preview: string): Promise<void> {
  await dialog(page).getByText(preview, { exact: true }).waitFor()
  await dialog(page).getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** The newest toast's way back. */
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).first().click()

test('A selected range survives a change of view and gets another date, and one Undo restores all dates', async ({ day, open }) => {
  const { page } = await open('ada')
  await page.getByRole('button', { name: 'Open three.jpg' }).hover()
  await check(page, 'three.jpg').click()
  await selected(page, '1 photo selected')
  await page.getByRole('article', { name: 'First snow' }).click({ modifiers: ['Shift'] })
  await selected(page, '3 photos, 1 post selected')
  await goTo({ page } as Viewer, 'Media')
  await selected(page, '3 photos, 1 post selected')
  await expect.poll(() => page.getByRole('button', { name: /^Photo /, pressed: true }).count()).toBe(3)

  await action(page, 'Date').click()
  await dialog(page).getByLabel('Day').fill('2019-06-01')
  await apply(page, '4 items: 2 May 2019 – 3 May 2019, 12:00 → 1 June 2019')
  await toast(page, '3 photos and 1 post moved to 1 June 2019')
  // A toast stays as long as it has the focus.
  await page.getByRole('button', { name: 'Undo' }).first().focus()
  await expect.poll(() => day('First snow'), SOON).toBe('2019-06-01')
  await expect.poll(() => day('one.jpg'), SOON).toBe('2019-06-01')
  await undo(page)
  await expect.poll(() => day('First snow'), SOON).toBe('2019-05-02')
  await expect.poll(() => day('one.jpg'), SOON).toBe('2019-05-03')

  await action(page, 'Date').click()
  await dialog(page).getByRole('radio', { name: 'Shift' }).click()
  await dialog(page).getByRole('radio', { name: '− Earlier' }).click()
  await dialog(page).getByLabel('Days').fill('2')
  await apply(page, '4 items: 2 May 2019 – 3 May 2019, 12:00 → 30 April 2019 – 1 May 2019, 12:00')
  await expect.poll(() => day('three.jpg'), SOON).toBe('2019-05-01')
  await page.keyboard.press('Control+z')
  await expect.poll(() => day('three.jpg'), SOON).toBe('2019-05-03')
})

test('Keys alone select items, tag a new person, set a location and clear the selection', async ({ item, open }) => {
  const { page } = await open('ada')
  await page.keyboard.press('j')
  await page.locator('[data-row] :focus').waitFor()
  await page.keyboard.press('x')
  await selected(page, '1 photo selected')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  await selected(page, '3 photos, 1 post selected')
  await page.keyboard.press('b')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog(page).getByLabel('Find or add a person').focus()
  await page.keyboard.type('Grandmother')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('4 items: + Grandmother', { exact: true }).waitFor(SOON)
  await dialog(page).getByRole('button', { name: 'Apply' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await item('First snow'))?.people.length, SOON).toBe(1)
  await expect.poll(async () => (await item('two.jpg'))?.people.length, SOON).toBe(1)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await item('two.jpg'))?.people.length, SOON).toBe(0)
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+a')
  await selected(page, '3 photos, 2 posts selected')
  await page.keyboard.press('Delete')
  await toast(page, '3 photos and 2 posts moved to the trash')
  await expect.poll(() => item('one.jpg'), SOON).toBeUndefined()
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await item('one.jpg'))?.name, SOON).toBe('one.jpg')
})

test('After items are trashed, the next one has the focus', async ({ open }) => {
  const { page } = await open('ada', 'media')
  await page.getByRole('button', { name: /^Photo three/ }).focus()
  await page.keyboard.press('x')
  await selected(page, '1 photo selected')
  await page.keyboard.press('Delete')
  await expect.poll(() => focusedName(page), SOON).toMatch(/^Photo two/)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => focusedName(page), SOON).toMatch(/^Photo one/)

  await goTo({ page } as Viewer, 'Timeline')
  await page.getByRole('article', { name: 'First snow' }).getByRole('button', { name: 'More' }).focus()
  await chooseFromMenu(page, /^Move to trash$/)
  await expect.poll(() => focusedName(page), SOON).toBe('Second snow')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Second snow' }).getByRole('button', { name: 'More' }).focus()
  await chooseFromMenu(page, /^Move to trash$/)
  await expect.poll(() => focusedName(page), SOON).toMatch(/^Open one/)
})

test('After selected photos are stacked or leave the collection, the next one has the focus', async ({ open }) => {
  const { page } = await open('ada', 'media')
  await page.getByRole('button', { name: /^Photo one/ }).focus()
  await page.keyboard.press('x')
  await action(page, 'Collections').focus()
  await chooseFromMenu(page, /^Remove from Kyoto/)
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await toast(page, '1 photo removed from Kyoto')
  await expect.poll(() => focusedName(page), SOON).toMatch(/^Photo two/)
  await page.keyboard.press('Control+a')
  await action(page, 'Stack').press('Enter')
  await toast(page, '2 items stacked')
  await expect.poll(() => focusedName(page), SOON).toMatch(/^Photo three/)
})

test('Back closes a question about the selection with its collection', async ({ item, kyoto, open }) => {
  const ada = kyoto.as('ada')
  const nara = (await ada.post('/api/collections', { name: 'Nara' })).body.collection
  await ada.post(`/api/asset/${(await item('one.jpg')).id}/collections`, { collectionIds: [nara.id] })
  const { page } = await open('ada', 'media')
  await page.getByRole('button', { name: /^Collection:/ }).click()
  await page.getByRole('option', { name: 'Nara' }).click()
  await page.waitForURL(`**c=${nara.id}*`)
  await expect.poll(() => page.getByRole('button', { name: /^Photo / }).count(), SOON).toBe(1)
  await page.getByRole('button', { name: /^Photo one/ }).focus()
  await page.keyboard.press('x')
  await action(page, 'Collections').click()
  await page.getByRole('menuitem', { name: 'Remove from Nara…' }).click()
  await page.getByRole('dialog', { name: 'Remove 1 photo from Nara?' }).waitFor()
  await page.goBack()
  await page.waitForURL(`**c=${kyoto.collection.id}*`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('Selected items get a location, lose it, join a new collection and leave this one', async ({ item, kyoto, open }) => {
  const { page } = await open('ada', 'media')
  await page.getByRole('button', { name: /^Photo one/ }).focus()
  await page.keyboard.press('Control+a')
  await action(page, 'Place').click()
  await dialog(page).getByRole('combobox', { name: 'Search for a place' }).fill('Vienna')
  await page
    .getByRole('option', { name: /Vienna/ })
    .first()
    .click(SOON)
  await dialog(page)
    .getByText(/^3 items: no place → Vienna/)
    .waitFor()
  await dialog(page).getByRole('button', { name: 'Apply' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).first().focus()
  await expect.poll(async () => (await item('one.jpg'))?.location?.name, SOON).toMatch(/Vienna/)
  await undo(page)
  await expect.poll(async () => (await item('one.jpg'))?.location, SOON).toBeNull()

  await action(page, 'Collections').click()
  await page.getByRole('menuitem', { name: 'Add to collections…' }).click()
  await dialog(page).getByRole('button', { name: 'New collection…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Family')
  await page.getByRole('button', { name: 'Create collection' }).click()
  await page.getByRole('checkbox', { name: /Family/, checked: true }).waitFor()
  await apply(page, '3 items: into Family')
  await toast(page, '3 photos added to Family')
  const { body } = await kyoto.as('ada').get('/api/collections')
  const family = body.collections.find(({ name }: { name: string }) => name === 'Family')
  await expect.poll(async () => (await item('two.jpg', family.id))?.name, SOON).toBe('two.jpg')

  await action(page, 'Collections').click()
  await page.getByRole('menuitem', { name: 'Remove from Kyoto…' }).click()
  await dialog(page).getByText('They stay in the other collections.').waitFor()
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await toast(page, '3 photos removed from Kyoto')
  await expect.poll(() => item('two.jpg'), SOON).toBeUndefined()
  await dialog(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await item('two.jpg'))?.name, SOON).toBe('two.jpg')
})

test('A long press on a phone selects, a tap selects more, and the bar covers nothing', async ({ item, open }) => {
  const { page, context } = await open('ada', 'timeline', { viewport: PHONE, hasTouch: true, isMobile: true })
  const cdp = await context.newCDPSession(page)
  const point = await middleOf(page.getByRole('button', { name: 'Open three.jpg' }))
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await selected(page, '1 photo selected')
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.getByRole('article', { name: 'First snow' }).tap()
  await selected(page, '1 photo, 1 post selected')
  for (const button of await bar(page).getByRole('button').all()) {
    // The bar rises and grows a little as it comes.
    const shorterSide = async () => {
      const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
      return Math.min(width, height)
    }
    await expect.poll(shorterSide, { message: (await button.textContent()) ?? '' }).toBeGreaterThanOrEqual(44)
  }
  const covered = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const [last, foot] = await Promise.all([page.getByRole('article', { name: 'Second snow' }).boundingBox(), bar(page).boundingBox()])
    return (last?.y ?? Number.NaN) + (last?.height ?? 0) - (foot?.y ?? 0)
  }
  await expect.poll(covered).toBeLessThanOrEqual(0)
  await action(page, /Move to trash/).tap()
  await toast(page, '1 photo and 1 post moved to the trash')
  await expect.poll(() => item('First snow'), SOON).toBeUndefined()
})

test('A reader is told why the selection cannot be changed, and a writer changes only their own items', async ({ day, kyoto, open }) => {
  await photo(kyoto, 'theirs', '2019-05-03T18:00:00+02:00', 'bob')
  const cy = await open('cy', 'media')
  await cy.page.getByRole('button', { name: /^Photo one/ }).focus()
  await cy.page.keyboard.press('x')
  for (const name of ['Date', 'Place', 'People', 'Move to trash (Delete)']) {
    await expect.poll(() => action(cy.page, name).getAttribute('aria-disabled'), { message: name }).toBe('true')
  }
  await action(cy.page, 'Date').click({ force: true })
  await toast(cy.page, /Your role here is to look/)

  const { page } = await open('bob', 'media')
  await page.getByRole('button', { name: /^Photo one/ }).focus()
  await page.keyboard.press('Control+a')
  await action(page, 'Date').click()
  await dialog(page).getByLabel('Day').fill('2019-05-04')
  await apply(page, '1 item: 3 May 2019, 18:00 → 4 May 2019; 3 cannot be changed by you – they stay as they are')
  await toast(page, '3 cannot be changed by you – they stay as they are.')
  await expect.poll(() => day('theirs.jpg'), SOON).toBe('2019-05-04')
  expect(await day('one.jpg')).toBe('2019-05-03')
})

test('Trashing items of other members asks first', async ({ kyoto, open }) => {
  await photo(kyoto, 'theirs', '2019-05-03T18:00:00+02:00', 'bob')
  const { page } = await open('ada', 'media')
  await page.getByRole('button', { name: /^Photo theirs/ }).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Delete')
  await dialog(page)
    .getByText(/Another person added it/)
    .waitFor()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await selected(page, '1 photo selected')
})

test('The trash lists items with their days left, and a restored item returns for every member', async ({ open }) => {
  const { page } = await open('ada', 'media')
  const bob = await open('bob', 'media')
  await page.getByRole('button', { name: /^Photo one/ }).focus()
  await page.keyboard.press('Control+a')
  await action(page, /Move to trash/).click()
  await expect.poll(() => bob.page.getByRole('button', { name: /^Photo / }).count(), SOON).toBe(0)

  await page.getByRole('button', { name: /^Collection:/ }).click()
  await page.getByRole('link', { name: 'Trash' }).click()
  const list = page.getByRole('list', { name: 'Deleted items' })
  await expect.poll(() => list.getByRole('listitem').count(), SOON).toBe(3)
  expect(await list.getByText('30 days left · Kyoto').count()).toBe(3)
  expect(new URL(page.url()).searchParams.get('trash')).toBe('open')
  await list.getByRole('button', { name: 'Restore two.jpg' }).click()
  await toast(page, '1 photo restored')
  await bob.page.getByRole('button', { name: /^Photo two/ }).waitFor(SOON)
  await page.getByRole('button', { name: 'Restore all' }).click()
  await page.getByText('The trash is empty').waitFor()
  await expect.poll(() => bob.page.getByRole('button', { name: /^Photo / }).count(), SOON).toBe(3)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await expect.poll(() => bob.page.getByRole('button', { name: /^Photo / }).count(), SOON).toBe(1)
})

test('Back after the trash was closed does not open it again', async ({ kyoto, open }) => {
  const { page } = await open('ada', 'media')
  await goTo({ page } as Viewer, 'Timeline')
  await page.getByRole('button', { name: /^Collection:/ }).click()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('dialog', { name: 'Trash' }).waitFor(SOON)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForURL(`**/timeline?c=${kyoto.collection.id}`)
  await page.goBack()
  await page.waitForURL(`**/media?c=${kyoto.collection.id}`)
})

test('Items are selected from a calendar’s day and a map’s list', async ({ item, kyoto, open }) => {
  const place = { lat: 35.0116, lon: 135.7681, name: 'Kyoto' }
  const { id } = await item('one.jpg')
  await kyoto.as('ada').post('/api/asset/bulk.location', { ids: [id], location: place })
  const { page } = await open('ada')
  await page.goto(`/collections/calendar?c=${kyoto.collection.id}&on=2019-05&day=2019-05-03`)
  await page.getByRole('button', { name: /^Photo two/ }).hover()
  await check(page, 'two.jpg').click()
  await selected(page, '1 photo selected')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Map' }).click()
  await page
    .getByRole('button', { name: /^Kyoto/ })
    .first()
    .click(SOON)
  await page
    .getByRole('list', { name: 'Items here' })
    .getByRole('button', { name: /^Photo one/ })
    .click({ modifiers: ['Control'] })
  await selected(page, '2 photos selected')
})
