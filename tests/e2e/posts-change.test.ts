import { expect, vi } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { dropFiles, type Person } from '../support/people.ts'
import { pictureFiles, reader, save, test, text } from '../support/post-scene.ts'
import { article, SOON } from '../support/viewer.ts'

/** Posts are edited by two people at once, never by a reader, and beside a photo. */

async function edit(who: Person, title: string) {
  await article(who, title).getByRole('button', { name: 'More' }).click()
  await who.page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = who.page.getByRole('dialog', { name: 'Edit note' })
  await text(dialog).waitFor()
  return dialog
}

test('An editor whose post another member saves first is offered that change and keeps both texts', async ({ at, posts, write }) => {
  await write({ title: 'Menu', body: '<p>Soup</p>' })
  const ada = await at('ada')
  const bob = await at('bob')
  const [mine, theirs] = [await edit(ada, 'Menu'), await edit(bob, 'Menu')]
  await text(mine).fill('Soup and bread')
  await theirs.getByRole('textbox', { name: 'Title' }).fill('Menu for Sunday')
  await text(theirs).fill('Soup and rice')
  await save(theirs, 'Save')

  await mine.getByText(/Another person has changed the title and the text/).waitFor(SOON)
  await mine.getByRole('button', { name: 'Add their changes' }).click()
  expect(await mine.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Menu for Sunday')
  await text(mine).getByText('Soup and bread').waitFor()
  await save(mine, 'Save')
  await ada.page.getByRole('button', { name: 'Compare' }).last().click(SOON)
  const conflict = ada.page.getByRole('dialog', { name: /Two versions of/ })
  await conflict.getByRole('region', { name: 'Theirs' }).getByText('Soup and rice').waitFor()
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(async () => (await posts())[0], SOON).toMatchObject({ title: 'Menu for Sunday', body: '<p>Soup and bread</p>' })
  await article(bob, 'Menu for Sunday').getByText('Soup and bread').waitFor(SOON)
})

test('An editor who adds a title of another member may improve it without a conflict', async ({ at, posts, write }) => {
  await write()
  const ada = await at('ada')
  const bob = await at('bob')
  const [mine, theirs] = [await edit(ada, 'Menu'), await edit(bob, 'Menu')]
  await theirs.getByRole('textbox', { name: 'Title' }).fill('Menu for Sunday')
  await save(theirs, 'Save')
  await mine.getByRole('button', { name: 'Add their changes' }).click(SOON)
  await mine.getByRole('textbox', { name: 'Title' }).fill('Menu for Sunday noon')
  await save(mine, 'Save')
  await expect.poll(async () => (await posts())[0]?.title, SOON).toBe('Menu for Sunday noon')
})

test('A reader reads, turns to the next post and copies the link, and is told why they cannot edit', async ({ kyoto, openPage, write }) => {
  const older = await write({ title: 'Older', date: '2026-05-01T12:00:00Z', datePrecision: 'day' })
  const newer = await write({ title: 'Newer', date: '2026-05-02T12:00:00Z', datePrecision: 'day' })
  const { page } = await openPage({ as: kyoto.as('cy'), at: `/collections/timeline?c=${kyoto.collection.id}&item=${newer.id}` })
  await reader(page, 'Newer').waitFor()
  await page.keyboard.press('ArrowRight')
  await reader(page, 'Older').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBe(older.id)
  const edit = reader(page, 'Older').getByRole('button', { name: 'Edit' })
  expect(await edit.getAttribute('aria-disabled')).toBe('true')
  // While the posts change places, what is under the pointer does.
  await vi.waitFor(async () => {
    await page.mouse.move(0, 0)
    await edit.hover()
    await page.getByText('Your role is read-only.').first().waitFor({ timeout: 5_000 })
  }, 25_000)
  await page.keyboard.press('e')
  expect(await page.getByRole('dialog', { name: 'Edit note' }).count()).toBe(0)
  await reader(page, 'Older').getByRole('button', { name: 'More' }).click()
  expect(await page.getByRole('menuitem', { name: /Move to trash/ }).getAttribute('aria-disabled')).toBe('true')
})

test('A photo’s details are changed beside it, and Undo restores them', async ({ at, kyoto }) => {
  const { page } = await at('ada')
  await dropFiles(page, await pictureFiles(1))
  await page.getByText('1 photo added').first().waitFor({ timeout: 60_000 })
  await page
    .getByRole('button', { name: /^Open / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Information' }).click()
  const panel = page.getByRole('complementary', { name: 'Information' })
  await panel.getByRole('button', { name: 'Edit' }).click()
  const description = panel.getByRole('textbox', { name: 'Description' })
  await description.fill('Salt to the horizon')
  // Closed or loaded anew in between: what was begun is there again.
  await panel.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Information' }).click()
  await panel.getByRole('button', { name: 'Edit' }).click()
  await expect.poll(() => description.inputValue()).toBe('Salt to the horizon')
  await description.fill('Salt to the horizon, and the sky in it')
  await page.reload()
  await page.getByRole('button', { name: 'Information' }).click()
  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByText('Your unsaved changes have been restored.').waitFor()
  await expect.poll(() => description.inputValue()).toBe('Salt to the horizon, and the sky in it')
  const long = 'Salt '.repeat(LIMITS.altText / 5 + 1)
  await description.fill(long)
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('The description may have at most').waitFor()
  expect(await description.inputValue()).toBe(long)
  await description.fill('Salt to the horizon')
  await panel.getByLabel('Day', { exact: true }).fill('2020-02-02')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Salt to the horizon').waitFor()
  // A toast stays as long as somebody points at it.
  await page.getByRole('button', { name: 'Undo' }).last().hover()
  const row = async () => (await kyoto.as('ada').get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets[0]
  await expect.poll(row, SOON).toMatchObject({ alt: 'Salt to the horizon', date: expect.stringMatching(/^2020-02-0/) })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await row()).alt, SOON).toBeNull()
})

test('A post that is edited while its photos are uploading gets them, also while the form is open', async ({ at, posts }) => {
  const { page } = await at('ada')
  const release = Promise.withResolvers<void>()
  await page.route('**/api/asset', async (route) => {
    await release.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note', exact: true }).click()
  const written = page.getByRole('dialog', { name: 'New note' })
  await written.getByRole('textbox', { name: 'Title' }).fill('Three picturs')
  await dropFiles(page, await pictureFiles(3))
  const last = (dialog: typeof written) => dialog.getByRole('button', { name: /, 3(,|$)/ })
  await last(written).waitFor()
  await save(written, 'Post')
  await expect.poll(async () => (await posts()).length, SOON).toBe(1)

  const corrected = await edit({ page } as Person, 'Three picturs')
  await corrected.getByRole('textbox', { name: 'Title' }).fill('Three pictures')
  await save(corrected, 'Save')
  const dialog = await edit({ page } as Person, 'Three pictures')
  await last(dialog).waitFor(SOON)
  release.resolve()
  await expect.poll(async () => (await posts())[0]?.assets.length, { timeout: 60_000 }).toBe(3)
  await expect.poll(() => dialog.getByLabel(/^Progress of /).count(), SOON).toBe(0)
  expect(await dialog.getByText('Another person has changed').count()).toBe(0)
  await last(dialog).focus()
  await page.keyboard.press('Delete')
  await save(dialog, 'Save')
  await expect.poll(async () => (await posts())[0], SOON).toMatchObject({ title: 'Three pictures', assets: [{}, {}] })
})
