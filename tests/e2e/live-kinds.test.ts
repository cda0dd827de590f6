import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Answer } from '../../dev/http-client.ts'
import { jpegLike, upload } from '../support/files.ts'
import { test as app, SOON, type Viewer } from '../support/viewer.ts'
import { type Actor, register, type World, world } from '../support/world.ts'

/** Every kind of change that Ada makes, and where Bob sees it in an open page, without a reload. */

interface Scene {
  kyoto: World
  ada: Actor
  bob: Viewer
  /** Path of Kyoto in the API. */
  base: string
  /** Another collection, which Bob may read. */
  porto: { id: string }
  post: (collectionId?: string) => Promise<{ id: string; shown: Locator }>
  photo: (collectionId?: string) => Promise<{ id: string; shown: Locator }>
  person: () => Promise<{ id: string; shown: Locator }>
  joinPorto: () => Promise<void>
}

/** Ada owns Kyoto and Porto; Bob looks at Kyoto; Cy and Dan read it. */
const test = app.extend('scene', async ({ watch }): Promise<Scene> => {
  const kyoto = await world({ bob: 'admin', cy: 'read', dan: 'read' })
  const [ada, cy] = [kyoto.as('ada'), kyoto.as('cy')]
  const base = `/api/collections/${kyoto.collection.id}`
  const porto = (await ada.post('/api/collections', { name: 'Porto' })).body.collection
  await kyoto.sql`insert into members (collection_id, user_id, role) values (${porto.id}, ${kyoto.as('bob').id}, 'read')`
  const bob = await watch(kyoto, 'bob', 'timeline')
  return {
    ...{ kyoto, ada, bob, base, porto },
    async post(collectionId = kyoto.collection.id) {
      const { post } = await ok(ada.post('/api/post', { type: 'note', title: 'Menu', collectionIds: [collectionId] }))
      return { id: post.id, shown: article(bob.page, 'Menu') }
    },
    async photo(collectionId = kyoto.collection.id) {
      const { id } = await upload(ada, jpegLike(), { name: 'Gate.jpg', width: 40, height: 30, collectionIds: [collectionId] })
      return { id, shown: tile(bob.page) }
    },
    async person() {
      const { person } = await ok(ada.post(`${base}/people`, { name: 'Mizuki' }))
      return { id: person.id, shown: named('Mizuki')(bob.page) }
    },
    async joinPorto() {
      await ok(ada.post(`/api/collections/${porto.id}/invites/invite`, { email: cy.email, role: 'read' }))
      await ok(cy.post(`/api/collections/${porto.id}/invites/accept`))
    },
  }
})

const WEBP = Uint8Array.from(Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'))

type View = 'Timeline' | 'Media' | 'Settings' | 'Collections'

interface Kind {
  kind: string
  at: View
  /** Makes what has to be there before; Bob sees it before Ada acts. */
  before?: (scene: Scene) => Promise<{ id: string; shown: Locator }>
  act: (scene: Scene, id: string) => Promise<unknown>
  /** The element that Bob sees then, or, with `gone`, no longer sees. */
  sees: (page: Page) => Locator
  gone?: boolean
}

async function ok(answer: Promise<Answer>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

const article = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const tile = (page: Page, name = 'Gate') => page.getByRole('button', { name: new RegExp(name) })
const named = (name: string) => (page: Page) => page.getByText(name, { exact: true }).first()
const card = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Porto', exact: true }) })

const KINDS: Kind[] = [
  { kind: 'a new post', at: 'Timeline', act: ({ post }) => post(), sees: (page) => article(page, 'Menu') },
  {
    kind: 'an edit of a post',
    at: 'Timeline',
    before: ({ post }) => post(),
    act: ({ ada }, id) => ok(ada.patch(`/api/post/${id}`, { title: 'Edited' })),
    sees: (page) => article(page, 'Edited'),
  },
  {
    kind: 'a bulk edit',
    at: 'Timeline',
    before: ({ post }) => post(),
    act: ({ ada }, id) => ok(ada.post('/api/post/bulk.date', { ids: [id], date: '2019-03-03T12:00:00Z', datePrecision: 'day' })),
    sees: (page) => page.getByRole('heading', { name: 'Sunday, 3 March 2019' }),
  },
  {
    kind: 'a trashed post',
    at: 'Timeline',
    before: ({ post }) => post(),
    act: ({ ada }, id) => ok(ada.delete(`/api/post/${id}`)),
    sees: (page) => article(page, 'Menu'),
    gone: true,
  },
  {
    kind: 'an undone trashing',
    at: 'Timeline',
    before: async ({ ada, bob, post }) => {
      const { id, shown } = await post()
      await shown.waitFor(SOON)
      const { changeId } = await ok(ada.delete(`/api/post/${id}`))
      await shown.waitFor({ state: 'detached', ...SOON })
      return { id: changeId, shown: bob.page.getByRole('heading', { level: 1 }) }
    },
    act: ({ ada }, id) => ok(ada.post(`/api/undo/${id}`)),
    sees: (page) => article(page, 'Menu'),
  },
  { kind: 'a new photo', at: 'Media', act: ({ photo }) => photo(), sees: (page) => tile(page) },
  {
    kind: 'an edit of a photo',
    at: 'Media',
    before: ({ photo }) => photo(),
    act: ({ ada }, id) => ok(ada.put(`/api/asset/${id}`, { alt: 'The red door' })),
    sees: (page) => tile(page, 'The red door'),
  },
  {
    kind: 'a trashed photo',
    at: 'Media',
    before: ({ photo }) => photo(),
    act: ({ ada }, id) => ok(ada.delete(`/api/asset/${id}`)),
    sees: (page) => tile(page),
    gone: true,
  },
  {
    kind: 'an invitation',
    at: 'Settings',
    act: ({ ada, base }) => ok(ada.post(`${base}/invites/invite`, { email: 'eve@example.org', role: 'read' })),
    sees: (page) => page.getByText('eve@example.org').first(),
  },
  {
    kind: 'a member who joins',
    at: 'Settings',
    act: async ({ ada, base }) => {
      const guest = await register('guest')
      await ok(ada.post(`${base}/invites/invite`, { email: guest.email, role: 'read' }))
      await ok(guest.post(`${base}/invites/accept`))
    },
    sees: named('Guest Test'),
  },
  {
    kind: 'a member who leaves',
    at: 'Settings',
    before: async ({ bob, kyoto }) => ({ id: kyoto.as('dan').id, shown: named('Dan Test')(bob.page) }),
    act: ({ base, kyoto }) => ok(kyoto.as('dan').delete(`${base}/invites/leave`)),
    sees: named('Dan Test'),
    gone: true,
  },
  {
    kind: 'a changed role',
    at: 'Settings',
    act: ({ ada, base, kyoto }) => ok(ada.put(`${base}/members/${kyoto.as('cy').id}`, { role: 'write' })),
    sees: (page) => page.getByRole('combobox', { name: 'Role of Cy Test' }).and(page.locator(':has(option[value=write]:checked)')),
  },
  { kind: 'a new person to tag', at: 'Settings', act: ({ person }) => person(), sees: named('Mizuki') },
  {
    kind: 'a renamed person',
    at: 'Settings',
    before: ({ person }) => person(),
    act: ({ ada, base }, id) => ok(ada.put(`${base}/people/${id}`, { name: 'Grandmother Mizuki' })),
    sees: (page) => page.getByText('Grandmother Mizuki', { exact: true }),
  },
  {
    kind: 'a person linked to a member',
    at: 'Settings',
    before: ({ person }) => person(),
    act: ({ ada, base, kyoto }, id) => ok(ada.put(`${base}/people/${id}`, { userId: kyoto.as('cy').id })),
    sees: (page) => page.getByText('Linked to Cy Test'),
  },
  {
    kind: 'a renamed member',
    at: 'Settings',
    act: ({ kyoto }) => ok(kyoto.as('cy').put('/api/users/profile', { firstName: 'Cyrus' })),
    sees: (page) => page.getByRole('combobox', { name: 'Role of Cyrus Test' }),
  },
  {
    kind: 'a new name of an author on their post',
    at: 'Timeline',
    before: ({ post }) => post(),
    act: ({ ada }) => ok(ada.put('/api/users/profile', { firstName: 'Adele' })),
    sees: (page) => article(page, 'Menu').getByText('Adele Test'),
  },
  {
    kind: 'a removed person',
    at: 'Settings',
    before: ({ person }) => person(),
    act: ({ ada, base }, id) => ok(ada.delete(`${base}/people/${id}`)),
    sees: named('Mizuki'),
    gone: true,
  },
  {
    kind: 'new colours',
    at: 'Timeline',
    act: ({ ada, base }) => ok(ada.put(`${base}/theme`, { primary: 'rose', neutral: 'stone', radius: 0.5, blackAsPrimary: false })),
    sees: (page) => page.locator('html[data-primary=rose]'),
  },
  {
    kind: 'a new icon',
    at: 'Timeline',
    act: ({ ada, base }) => ok(ada.put(base, { icon: 'camping' })),
    sees: (page) => page.locator('use[href$="#camping"]').first(),
  },
  {
    kind: 'a new collection name in the picker',
    at: 'Timeline',
    act: ({ ada, base }) => ok(ada.put(base, { name: 'Kyoto in autumn' })),
    sees: (page) => page.getByText('Kyoto in autumn').first(),
  },
  {
    kind: 'a new post on the card of another collection',
    at: 'Collections',
    act: ({ porto, post }) => post(porto.id),
    sees: (page) => card(page).getByText('1 post', { exact: true }),
  },
  {
    kind: 'a cover on the card of another collection',
    at: 'Collections',
    act: async ({ ada, photo, porto }) => {
      const { id } = await photo(porto.id)
      await ok(ada.put(`/api/asset/${id}/renditions/thumb`, WEBP, { type: 'image/webp' }))
    },
    sees: (page) => card(page).locator('img').first(),
  },
  {
    kind: 'a second photo on the card of another collection',
    at: 'Collections',
    before: async ({ bob, photo, porto }) => ({ ...(await photo(porto.id)), shown: card(bob.page).getByText('1 item', { exact: true }) }),
    act: ({ photo, porto }) => photo(porto.id),
    sees: (page) => card(page).getByText('2 items', { exact: true }),
  },
  {
    kind: 'a new member on the card of another collection',
    at: 'Collections',
    act: ({ joinPorto }) => joinPorto(),
    sees: (page) => card(page).getByText('3people'),
  },
  {
    kind: 'a leaving member on the card of another collection',
    at: 'Collections',
    before: async ({ bob, joinPorto, kyoto }) => {
      await joinPorto()
      return { id: kyoto.as('cy').id, shown: card(bob.page).getByText('3people') }
    },
    act: ({ kyoto, porto }) => ok(kyoto.as('cy').delete(`/api/collections/${porto.id}/invites/leave`)),
    sees: (page) => card(page).getByText('2people'),
  },
  {
    kind: 'a trashed photo on the card of another collection',
    at: 'Collections',
    before: async ({ bob, photo, porto }) => {
      await photo(porto.id)
      return { ...(await photo(porto.id)), shown: card(bob.page).getByText('2 items', { exact: true }) }
    },
    act: ({ ada }, id) => ok(ada.delete(`/api/asset/${id}`)),
    sees: (page) => card(page).getByText('1 item', { exact: true }),
  },
  {
    kind: 'a new name of another collection on its card',
    at: 'Collections',
    act: ({ ada, porto }) => ok(ada.put(`/api/collections/${porto.id}`, { name: 'Porto by the sea' })),
    sees: (page) => page.getByRole('link', { name: 'Porto by the sea', exact: true }),
  },
  {
    kind: 'a new name of another collection in the open picker',
    at: 'Timeline',
    before: async ({ bob, porto }) => {
      await bob.page.getByRole('button', { name: /^Collection: / }).click()
      return { id: porto.id, shown: bob.page.getByRole('dialog', { name: 'Collections' }).getByText('Porto') }
    },
    act: ({ ada, porto }) => ok(ada.put(`/api/collections/${porto.id}`, { name: 'Porto in winter' })),
    sees: (page) => page.getByRole('dialog', { name: 'Collections' }).getByText('Porto in winter'),
  },
]

async function goTo(page: Page, view: View): Promise<void> {
  if (view === 'Timeline') return
  if (view === 'Collections') await page.getByRole('link', { name: 'Cairn: all collections' }).click()
  else await page.getByRole('link', { name: view, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: view }).waitFor()
}

test.for(KINDS)('Another member sees $kind without a reload', async ({ at, before, act, sees, gone = false }, { annotate, scene }) => {
  const { page } = scene.bob
  await goTo(page, at)
  const { id = '', shown } = (await before?.(scene)) ?? {}
  await shown?.waitFor(SOON)
  await act(scene, id)
  const done = performance.now()
  // Attached: of colours and icons there is nothing that Playwright would call visible.
  await sees(page).waitFor({ state: gone ? 'detached' : 'attached', ...SOON })
  await annotate(`seen ${Math.round(performance.now() - done)} ms after it was answered`)
  expect(await page.evaluate('globalThis.loadedOnce'), 'never reloaded').toBe(true)
})
