import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, PHONE } from '../support/people.ts'
import { article, goTo, live, SOON, type Viewer, viewer } from '../support/viewer.ts'
import { type World, world } from '../support/world.ts'

/** Who is here, what they look at and what they edit; and not to be seen, for those who do not want to. */

let chromium: Awaited<ReturnType<typeof openBrowser>>
let kyoto: World
let ada: Viewer
let bob: Viewer

beforeAll(async () => {
  chromium = await openBrowser()
})

afterAll(() => chromium?.close())

beforeEach(async () => {
  kyoto = await world({ bob: 'admin', cy: 'read' })
  ada = await viewer({ chromium, world: kyoto, name: 'ada', view: 'timeline' })
  bob = await viewer({ chromium, world: kyoto, name: 'bob', view: 'timeline' })
})

afterEach(async () => {
  expect([...ada.errors, ...bob.errors]).toEqual([])
  await Promise.all([ada.context.close(), bob.context.close()])
})

const here = ({ page }: Viewer) => page.getByRole('list', { name: 'Here now' })
const faceOf = (who: Viewer, name: string | RegExp) => here(who).getByRole('link', { name })

async function write(title: string): Promise<void> {
  await kyoto.as('ada').post('/api/post', { type: 'note', title, collectionIds: [kyoto.collection.id] })
}

test('a face leads to what its person looks at', async () => {
  await goTo(bob, 'Media')
  await faceOf(ada, 'Bob Test – Media').click(SOON)
  await ada.page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
  await faceOf(bob, 'Ada Test – Media').waitFor(SOON)
})

test('on a phone one button lists who is here', async () => {
  const cy = await viewer({ chromium, world: kyoto, name: 'cy', view: 'media', options: { viewport: PHONE, hasTouch: true } })
  await cy.page.getByRole('button', { name: '2 here now' }).click(SOON)
  await cy.page.getByRole('menuitem', { name: 'Bob Test – Timeline' }).click()
  await cy.page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  await cy.context.close()
})

test('who edits a post is named on it until the editor is closed, and their face leads to it', async () => {
  await write('First snow')
  await article(bob, 'First snow').getByRole('button', { name: 'More' }).click(SOON)
  await bob.page.getByRole('menuitem', { name: 'Edit' }).click()
  const mark = article(ada, 'First snow').getByText('Bob Test is editing')
  await mark.waitFor(SOON)
  await faceOf(ada, 'Bob Test – editing “First snow”').click()
  await expect.poll(() => new URL(ada.page.url()).hash).toMatch(/^#post-/)
  expect(await article(bob, 'First snow').getByText('is editing').count()).toBe(0)
  await bob.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await mark.waitFor({ state: 'detached', ...SOON })
})

test('switched off, nobody sees them, in open pages and in new ones; switched on, they are back', async () => {
  await faceOf(ada, /Bob Test/).waitFor(SOON)
  const cy = await viewer({ chromium, world: kyoto, name: 'cy', view: 'timeline' })
  await faceOf(cy, /Bob Test/).waitFor(SOON)

  const other = await bob.context.newPage()
  await other.goto('/profile/settings')
  await other.getByRole('switch', { name: 'Show others what I am looking at' }).click()
  await faceOf(ada, /Bob Test/).waitFor({ state: 'detached', ...SOON })
  await faceOf(ada, 'Cy Test – Timeline').waitFor()
  await other.reload()
  await expect.poll(() => other.getByRole('switch', { name: 'Show others what I am looking at' }).isChecked()).toBe(false)

  // A new page says where it is as ever, and what the others were told after it has been heard.
  await other.goto(`/collections/media?c=${kyoto.collection.id}`)
  await faceOf({ ...bob, page: other }, /Ada Test/).waitFor(SOON)
  await goTo(cy, 'Media')
  await faceOf(ada, 'Cy Test – Media').waitFor(SOON)
  expect(await faceOf(ada, /Bob Test/).count()).toBe(0)
  expect(await faceOf(cy, /Bob Test/).count()).toBe(0)

  await kyoto.as('bob').put('/api/users/profile', { sharesPresence: true })
  await faceOf(ada, /Bob Test/).waitFor(SOON)
  await cy.context.close()
})

test('a new name is that of the face at once', async () => {
  await live(ada, kyoto)
  await kyoto.as('bob').put('/api/users/profile', { firstName: 'Roberto' })
  await faceOf(ada, 'Roberto Test – Timeline').waitFor(SOON)
})
