import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Post } from '../../contract/posts.ts'
import { Client } from '../../dev/http-client.ts'
import { xmpOf, zipOf } from '../support/archives.ts'
import { jpegLike, upload } from '../support/files.ts'
import { mailTo } from '../support/mail.ts'
import { openBrowser } from '../support/people.ts'
import { enter, front, WAYS, type Way } from '../support/ways.ts'
import { PASSWORD, register, type World, world } from '../support/world.ts'

/** What people do in a collection, each with a mouse, also on an enlarged page, with keys alone and with a finger on a phone. */

let chromium: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  chromium = await openBrowser()
})
afterAll(() => chromium?.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first()
const viewOf = ({ collection }: World, view: string) => `/collections/${view}?c=${collection.id}`
const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })
const gone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const posts = async (w: World): Promise<Post[]> => (await w.as('ada').get(`/api/post?collection_id=${w.collection.id}`)).body.posts
const write = async (w: World, more: object): Promise<Post> =>
  (await w.as('ada').post('/api/post', { type: 'note', title: 'Menu', body: '<p>Soup</p>', collectionIds: [w.collection.id], ...more }))
    .body.post

test.each(WAYS)('with $name a collection is made, and a note written in it', async (way) => {
  const ada = await register('ada')
  const { page, context, errors } = await enter(chromium, way, ada, '/collections')
  await way.press(button(page, 'New collection'))
  await way.write(front(page).getByRole('textbox', { name: 'Name' }), 'Garden')
  await way.press(button(page, 'Create collection'))
  await gone(page)
  await page.waitForURL('**/collections/**')
  await way.choose(button(page, 'New'), 'Note')
  await way.write(front(page).getByRole('textbox', { name: 'Title' }), 'Sowing')
  await way.write(front(page).getByRole('textbox', { name: 'Text' }), 'Peas, beans')
  await way.press(button(page, 'Post'))
  await gone(page)
  const [collection] = (await ada.get('/api/collections')).body.collections
  expect(collection).toMatchObject({ name: 'Garden' })
  await until(async () => (await ada.get(`/api/post?collection_id=${collection.id}`)).body.posts).toMatchObject([
    { title: 'Sowing', body: '<p>Peas, beans</p>' },
  ])
  expect(errors).toEqual([])
  await context.close()
})

test.each(WAYS)('with $name one of two versions is chosen', async (way) => {
  const w = await world({ bob: 'admin' })
  const { id, version } = await write(w, {})
  const { page, context, errors } = await enter(chromium, way, w.as('ada'), viewOf(w, 'timeline'))
  await way.choose(page.getByRole('article', { name: 'Menu' }).getByRole('button', { name: 'More' }), 'Edit')
  await way.write(front(page).getByRole('textbox', { name: 'Text' }), 'Soup and bread')
  const theirs = { body: '<p>Soup and rice</p>' }
  expect((await w.as('bob').patch(`/api/post/${id}`, theirs, { headers: { 'if-match': String(version) } })).status).toBe(200)
  await way.press(button(page, 'Save'))
  await way.press(button(page, 'Compare'))
  const versions = page.getByRole('dialog', { name: 'Two versions of “Menu”' })
  await versions.getByRole('region', { name: 'Theirs' }).getByText('Soup and rice').waitFor()
  await way.press(versions.getByRole('button', { name: 'Keep both' }))
  await until(async () => (await posts(w)).map(({ body }) => body).toSorted()).toEqual(['<p>Soup and bread</p>', '<p>Soup and rice</p>'])
  expect(errors).toEqual([])
  await context.close()
})

/** Ticking in each way has tests of its own. */
async function tickAll(page: Page) {
  await page.getByRole('article').first().waitFor()
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  // The keys are heard a moment after the first paint.
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Control+a')
        return bar.isVisible()
      },
      { timeout: 20_000 },
    )
    .toBe(true)
  return bar
}

test.each(WAYS)('with $name people are tagged in everything that is ticked, and all of it is moved by some days', async (way) => {
  const w = await world()
  for (const title of ['First snow', 'Second snow']) await write(w, { title, date: '2019-05-02T10:00:00Z', datePrecision: 'day' })
  await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Grandmother' })
  const { page, context, errors } = await enter(chromium, way, w.as('ada'), viewOf(w, 'timeline'))
  const bar = await tickAll(page)
  await way.press(bar.getByRole('button', { name: 'People' }))
  await way.press(front(page).getByRole('checkbox', { name: /^Grandmother/ }))
  await way.press(button(page, 'Apply'))
  await gone(page)
  await until(async () => (await posts(w)).map(({ people }) => people.length)).toEqual([1, 1])
  await way.press(bar.getByRole('button', { name: 'Date' }))
  await way.press(front(page).getByRole('radio', { name: 'Shift' }))
  await way.press(front(page).getByRole('radio', { name: '− Earlier' }))
  await way.write(front(page).getByLabel('Days'), '2')
  await way.press(button(page, 'Apply'))
  await gone(page)
  await until(async () => (await posts(w)).map(({ date }) => date?.slice(0, 10))).toEqual(['2019-04-30', '2019-04-30'])
  expect(errors).toEqual([])
  await context.close()
})

test.each(WAYS)('with $name somebody in the photos becomes a member, or is invited and finds what they are in', async (way) => {
  const w = await world({ bob: 'write', dan: null })
  const add = async (name: string) => (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name })).body.person.id
  await add('Uncle')
  await write(w, { peopleIds: [await add('Daniel')] })
  const { page, context, errors } = await enter(chromium, way, w.as('ada'), viewOf(w, 'settings'))
  const row = (name: string) =>
    page
      .getByRole('list', { name: 'People' })
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
  await way.choose(button(page, 'More for Uncle'), 'Link to a member…')
  await way.press(front(page).getByRole('radio', { name: 'Bob Test' }))
  await way.press(front(page).getByRole('button', { name: 'Link' }))
  await row('Uncle').getByText('Linked to Bob Test').waitFor()

  await way.press(button(page, 'Invite Daniel'))
  await way.write(front(page).getByRole('textbox', { name: 'E-mail' }), w.as('dan').email)
  await way.press(button(page, 'Send invitation'))
  await gone(page)
  const dan = await enter(chromium, way, w.as('dan'), '/collections')
  await way.press(button(dan.page, 'Accept the invitation to Kyoto'))
  await row('Daniel').getByText('Linked to Dan Test').waitFor()
  await dan.page.goto(viewOf(w, 'settings'))
  await way.press(dan.page.getByRole('link', { name: '1 item with Daniel' }))
  await dan.page.getByRole('article', { name: 'Menu' }).waitFor()
  const { members } = (await w.as('dan').get(`/api/collections/${w.collection.id}/members`)).body
  expect(members).toContainEqual(expect.objectContaining({ user_id: w.as('dan').id, role: 'read' }))
  expect([...errors, ...dan.errors]).toEqual([])
  await dan.context.close()
  await context.close()
})

test.each(WAYS)('with $name a post takes the place of its photos', async (way) => {
  const w = await world()
  const location = { lat: 35.0116, lon: 135.7681, name: 'Kyoto' }
  const photo = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id], location })
  await write(w, { existingAssetIds: [photo.id] })
  const { page, context, errors } = await enter(chromium, way, w.as('ada'), viewOf(w, 'timeline'))
  await way.choose(page.getByRole('article', { name: 'Menu' }).getByRole('button', { name: 'More' }), 'Edit')
  await way.press(button(page, 'Use the place of the photos'))
  await front(page).getByText('Kyoto', { exact: true }).waitFor()
  await way.press(button(page, 'Save'))
  await until(async () => (await posts(w))[0]?.location).toMatchObject({ lat: 35.0116, lon: 135.7681 })
  expect(errors).toEqual([])
  await context.close()
})

test.each(WAYS)('with $name the map is narrowed to notes of a kind', async (way) => {
  const w = await world()
  const at = (lat: number, name: string) => ({ location: { lat, lon: 16.4, name } })
  await write(w, { title: 'Plum dumplings', kind: 'recipe', ...at(48.2, 'Vienna') })
  await write(w, { title: 'A walk', kind: 'journal', ...at(49.2, 'Brno') })
  const { page, context, errors } = await enter(chromium, way, w.as('ada'), viewOf(w, 'map'))
  const places = page.getByRole('list', { name: 'Places in view' })
  // Where there is little room, the list lies under the map.
  await page.locator('[data-pin]').first().waitFor()
  const raise = button(page, 'Expand list')
  if (await raise.isVisible()) await way.press(raise)
  await until(() => places.getByRole('button').count()).toBe(2)
  await way.press(button(page, /^(Filters|Search and filters)/))
  await way.press(front(page).getByRole('button', { name: /^Recipe/ }))
  await page.keyboard.press('Escape')
  await until(() => places.getByRole('button').allTextContents()).toEqual([expect.stringContaining('Vienna')])
  expect(new URL(page.url()).searchParams.get('note')).toBe('recipe')
  await way.press(button(page, 'Clear all'))
  await until(() => places.getByRole('button').count()).toBe(2)
  expect(errors).toEqual([])
  await context.close()
})

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const LIBRARY = 'immich/library/ada/2021/2021-07-03/IMG_1.jpg'
const SIDECAR = xmpOf(`<rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/'>
  <exif:DateTimeOriginal>2021-07-03T18:20:05.120+09:00</exif:DateTimeOriginal>
  <exif:GPSLatitude>35,0.702N</exif:GPSLatitude><exif:GPSLongitude>135,46.092E</exif:GPSLongitude>
 </rdf:Description>`)

test.each(WAYS)('with $name a library of Immich is imported', async (way) => {
  const w = await world()
  const { page, context, errors } = await enter(chromium, way, w.as('ada'), viewOf(w, 'media'))
  await way.choose(button(page, 'New'), 'Import…')
  const chooser = page.waitForEvent('filechooser')
  await way.press(front(page).getByRole('button', { name: 'Choose files' }))
  const [name] = await readdir(PICTURES)
  const photo = new Uint8Array(await readFile(path.join(PICTURES, name ?? '')))
  const buffer = Buffer.from(zipOf({ [LIBRARY]: photo, [`${LIBRARY}.xmp`]: SIDECAR }))
  await (await chooser).setFiles({ name: 'library.zip', mimeType: 'application/zip', buffer })
  await page.getByRole('list', { name: 'Found' }).getByText('1 photo').waitFor()
  await way.press(button(page, 'Import'))
  await gone(page)
  await until(async () => (await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}`)).body.assets).toMatchObject([
    { name: 'IMG_1.jpg', date: expect.stringMatching(/^2021-07-03T09:20:05/), location: { lat: expect.closeTo(35.0117, 4) } },
  ])
  expect(errors).toEqual([])
  await context.close()
})

test('a folder is imported with what is in its folders', async () => {
  const w = await world()
  const { page, context, errors } = await enter(chromium, WAYS[0] as Way, w.as('ada'), viewOf(w, 'media'))
  await button(page, 'New').click()
  await page.getByRole('menuitem', { name: 'Import…' }).click()
  const chooser = page.waitForEvent('filechooser')
  await front(page).getByRole('button', { name: 'Choose a folder' }).click()
  await (await chooser).setFiles(PICTURES)
  const found = page.getByRole('list', { name: 'Found' })
  const count = (await readdir(PICTURES)).length
  await found.getByText(`${count} photos`).waitFor()
  await front(page).getByRole('button', { name: 'Cancel' }).click()
  await gone(page)
  expect((await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}`)).body.assets).toEqual([])
  expect(errors).toEqual([])
  await context.close()
})

test.each(WAYS)('with $name somebody takes another address, and in the end deletes their account', async (way) => {
  const ada = await register('ada')
  const { page, context, errors } = await enter(chromium, way, ada, '/profile/settings')
  const address = `new-${ada.email}`
  await way.write(page.getByRole('textbox', { name: 'E-mail', exact: true }), address)
  await way.press(button(page, 'Change e-mail'))
  await page.getByText(`We sent a link to ${address}.`).waitFor()
  const { link } = await mailTo(address, '')
  await page.goto(link ?? 'no link')
  await page.waitForURL((url) => !url.pathname.startsWith('/api'))

  await page.goto('/profile/settings')
  await way.press(button(page, 'Delete account…'))
  await way.write(front(page).getByRole('textbox'), address)
  await way.press(front(page).getByRole('button', { name: 'Delete account' }))
  await page.waitForURL((url) => !url.pathname.startsWith('/profile'))
  const again = await new Client(ada.origin).post('/api/auth/sign-in', { email: address, password: PASSWORD })
  expect(again.status).toBe(401)
  expect(errors).toEqual([])
  await context.close()
})
