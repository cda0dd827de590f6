import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Post } from '../../contract/posts.ts'
import { Client } from '../../dev/http-client.ts'
import { xmpOf, zipOf } from '../support/archives.ts'
import { jpegLike, upload } from '../support/files.ts'
import { mailTo } from '../support/mail.ts'
import { front, test, WAYS, type Way } from '../support/ways.ts'
import { PASSWORD, register, type World, world } from '../support/world.ts'

/** What people do in a collection, each with a mouse, also on an enlarged page, with keys alone and with a finger on a phone. */

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first()
const viewOf = ({ collection }: World, view: string) => `/collections/${view}?c=${collection.id}`
const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })
const gone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const posts = async (kyoto: World): Promise<Post[]> =>
  (await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)).body.posts
const write = async (kyoto: World, more: object): Promise<Post> =>
  (
    await kyoto
      .as('ada')
      .post('/api/post', { type: 'note', title: 'Menu', body: '<p>Soup</p>', collectionIds: [kyoto.collection.id], ...more })
  ).body.post

test.for(WAYS)('A collection is created and a note written in it with $name', async (way, { enter }) => {
  const ada = await register('ada')
  const { page } = await enter(way, ada, '/collections')
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
})

test.for(WAYS)('One of two conflicting versions is chosen with $name', async (way, { enter }) => {
  const kyoto = await world({ bob: 'admin' })
  const { id, version } = await write(kyoto, {})
  const { page } = await enter(way, kyoto.as('ada'), viewOf(kyoto, 'timeline'))
  await way.choose(page.getByRole('article', { name: 'Menu' }).getByRole('button', { name: 'More' }), 'Edit')
  await way.write(front(page).getByRole('textbox', { name: 'Text' }), 'Soup and bread')
  const theirs = { body: '<p>Soup and rice</p>' }
  expect((await kyoto.as('bob').patch(`/api/post/${id}`, theirs, { headers: { 'if-match': String(version) } })).status).toBe(200)
  await way.press(button(page, 'Save'))
  await way.press(button(page, 'Compare'))
  const versions = page.getByRole('dialog', { name: 'Two versions of “Menu”' })
  await versions.getByRole('region', { name: 'Theirs' }).getByText('Soup and rice').waitFor()
  await way.press(versions.getByRole('button', { name: 'Keep both' }))
  await until(async () => (await posts(kyoto)).map(({ body }) => body).toSorted()).toEqual([
    '<p>Soup and bread</p>',
    '<p>Soup and rice</p>',
  ])
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

test.for(WAYS)('People are tagged in selected items, and their dates shifted, with $name', async (way, { enter }) => {
  const kyoto = await world()
  for (const title of ['First snow', 'Second snow']) await write(kyoto, { title, date: '2019-05-02T10:00:00Z', datePrecision: 'day' })
  await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name: 'Grandmother' })
  const { page } = await enter(way, kyoto.as('ada'), viewOf(kyoto, 'timeline'))
  const bar = await tickAll(page)
  await way.press(bar.getByRole('button', { name: 'People' }))
  await way.press(front(page).getByRole('checkbox', { name: /^Grandmother/ }))
  await way.press(button(page, 'Apply'))
  await gone(page)
  await until(async () => (await posts(kyoto)).map(({ people }) => people.length)).toEqual([1, 1])
  await way.press(bar.getByRole('button', { name: 'Date' }))
  await way.press(front(page).getByRole('radio', { name: 'Shift' }))
  await way.press(front(page).getByRole('radio', { name: '− Earlier' }))
  await way.write(front(page).getByLabel('Days'), '2')
  await way.press(button(page, 'Apply'))
  await gone(page)
  await until(async () => (await posts(kyoto)).map(({ date }) => date?.slice(0, 10))).toEqual(['2019-04-30', '2019-04-30'])
})

test.for(WAYS)('A person in the photos is linked to a member, or invited and finds their photos, with $name', async (way, { enter }) => {
  const kyoto = await world({ bob: 'write', dan: null })
  const add = async (name: string) =>
    (await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name })).body.person.id
  await add('Uncle')
  await write(kyoto, { peopleIds: [await add('Daniel')] })
  const { page } = await enter(way, kyoto.as('ada'), viewOf(kyoto, 'settings'))
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
  await way.write(front(page).getByRole('textbox', { name: 'E-mail' }), kyoto.as('dan').email)
  await way.press(button(page, 'Send invitation'))
  await gone(page)
  const dan = await enter(way, kyoto.as('dan'), '/collections')
  await way.press(button(dan.page, 'Accept the invitation to Kyoto'))
  await row('Daniel').getByText('Linked to Dan Test').waitFor()
  await dan.page.goto(viewOf(kyoto, 'settings'))
  await way.press(dan.page.getByRole('link', { name: '1 item with Daniel' }))
  await dan.page.getByRole('article', { name: 'Menu' }).waitFor()
  const { members } = (await kyoto.as('dan').get(`/api/collections/${kyoto.collection.id}/members`)).body
  expect(members).toContainEqual(expect.objectContaining({ user_id: kyoto.as('dan').id, role: 'read' }))
})

test.for(WAYS)('A post takes the location of its photos with $name', async (way, { enter }) => {
  const kyoto = await world()
  const location = { lat: 35.0116, lon: 135.7681, name: 'Kyoto' }
  const photo = await upload(kyoto.as('ada'), jpegLike(), { collectionIds: [kyoto.collection.id], location })
  await write(kyoto, { existingAssetIds: [photo.id] })
  const { page } = await enter(way, kyoto.as('ada'), viewOf(kyoto, 'timeline'))
  await way.choose(page.getByRole('article', { name: 'Menu' }).getByRole('button', { name: 'More' }), 'Edit')
  await way.press(button(page, 'Use the place of the photos'))
  await front(page).getByText('Kyoto', { exact: true }).waitFor()
  await way.press(button(page, 'Save'))
  await until(async () => (await posts(kyoto))[0]?.location).toMatchObject({ lat: 35.0116, lon: 135.7681 })
})

test.for(WAYS)('The map is filtered to notes of one kind with $name', async (way, { enter }) => {
  const kyoto = await world()
  const at = (lat: number, name: string) => ({ location: { lat, lon: 16.4, name } })
  await write(kyoto, { title: 'Plum dumplings', kind: 'recipe', ...at(48.2, 'Vienna') })
  await write(kyoto, { title: 'A walk', kind: 'journal', ...at(49.2, 'Brno') })
  const { page } = await enter(way, kyoto.as('ada'), viewOf(kyoto, 'map'))
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
})

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const LIBRARY = 'immich/library/ada/2021/2021-07-03/IMG_1.jpg'
const SIDECAR = xmpOf(`<rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/'>
  <exif:DateTimeOriginal>2021-07-03T18:20:05.120+09:00</exif:DateTimeOriginal>
  <exif:GPSLatitude>35,0.702N</exif:GPSLatitude><exif:GPSLongitude>135,46.092E</exif:GPSLongitude>
 </rdf:Description>`)

test.for(WAYS)('An Immich library is imported with $name', async (way, { enter }) => {
  const kyoto = await world()
  const { page } = await enter(way, kyoto.as('ada'), viewOf(kyoto, 'media'))
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
  await until(async () => (await kyoto.as('ada').get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets).toMatchObject([
    { name: 'IMG_1.jpg', date: expect.stringMatching(/^2021-07-03T09:20:05/), location: { lat: expect.closeTo(35.0117, 4) } },
  ])
})

test('A folder is imported with its subfolders', async ({ enter }) => {
  const kyoto = await world()
  const { page } = await enter(WAYS[0] as Way, kyoto.as('ada'), viewOf(kyoto, 'media'))
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
  expect((await kyoto.as('ada').get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets).toEqual([])
})

test.for(WAYS)('A person changes their e-mail address and deletes their account with $name', async (way, { enter }) => {
  const ada = await register('ada')
  const { page } = await enter(way, ada, '/profile/settings')
  const address = `new-${ada.email}`
  await way.write(page.getByRole('textbox', { name: 'E-mail', exact: true }), address)
  await way.press(button(page, 'Change e-mail'))
  await page.getByText(`We sent a link to ${address}.`).waitFor()
  const { link } = await mailTo(address, '')
  await page.goto(link ?? 'no link')
  await way.press(button(page, 'Confirm address'))
  await page.waitForURL('**/collections**')

  await page.goto('/profile/settings')
  await way.press(button(page, 'Delete account…'))
  await way.write(front(page).getByRole('textbox'), address)
  await way.press(front(page).getByRole('button', { name: 'Delete account' }))
  await page.waitForURL((url) => !url.pathname.startsWith('/profile'))
  const again = await new Client(ada.origin).post('/api/auth/sign-in', { email: address, password: PASSWORD })
  expect(again.status).toBe(401)
})
