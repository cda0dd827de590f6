import { expect } from 'vitest'
import { PHONE } from '../support/people.ts'
import { test as app, article, goTo, live, SOON, type Viewer } from '../support/viewer.ts'
import { world } from '../support/world.ts'

/** Who is here, what they look at and what they edit; and not to be seen, for those who do not want to. */

const test = app
  .extend('kyoto', () => world({ bob: 'admin', cy: 'read' }))
  .extend('ada', { auto: true }, ({ kyoto, watch }) => watch(kyoto, 'ada', 'timeline'))
  .extend('bob', { auto: true }, ({ kyoto, watch }) => watch(kyoto, 'bob', 'timeline'))
  .extend('write', ({ kyoto }) => async (title: string): Promise<void> => {
    await kyoto.as('ada').post('/api/post', { type: 'note', title, collectionIds: [kyoto.collection.id] })
  })

const here = ({ page }: Viewer) => page.getByRole('list', { name: 'Here now' })
const faceOf = (who: Viewer, name: string | RegExp) => here(who).getByRole('link', { name })

test('A face leads to the view its member looks at', async ({ ada, bob }) => {
  await goTo(bob, 'Media')
  await faceOf(ada, 'Bob Test – Media').click(SOON)
  await ada.page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
  await faceOf(bob, 'Ada Test – Media').waitFor(SOON)
})

test('One button on a phone lists who is here', async ({ kyoto, watch }) => {
  const cy = await watch(kyoto, 'cy', 'media', { viewport: PHONE, hasTouch: true })
  await cy.page.getByRole('button', { name: '2 here now' }).click(SOON)
  await cy.page.getByRole('menuitem', { name: 'Bob Test – Timeline' }).click()
  await cy.page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
})

test('A member who edits a post is named on it until they close the editor, and their face leads to it', async ({ ada, bob, write }) => {
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

test('A member who turns presence off is hidden in open and new pages, and is back when they turn it on', async ({
  ada,
  bob,
  kyoto,
  watch,
}) => {
  await faceOf(ada, /Bob Test/).waitFor(SOON)
  const cy = await watch(kyoto, 'cy', 'timeline')
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
})

test('A member’s new name is on their face at once', async ({ ada, kyoto }) => {
  await live(ada, kyoto)
  await kyoto.as('bob').put('/api/users/profile', { firstName: 'Roberto' })
  await faceOf(ada, 'Roberto Test – Timeline').waitFor(SOON)
})
