import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../dev/http-client.ts'
import { jpegLike, upload } from '../support/files.ts'
import { openBrowser } from '../support/people.ts'
import { SOON, type Viewer, viewer } from '../support/viewer.ts'
import { type Actor, register, type World, world } from '../support/world.ts'

/** Every kind of change that Ada makes, and where Bob sees it in an open page, without a reload. */

let chromium: Awaited<ReturnType<typeof openBrowser>>
let kyoto: World
let porto: { id: string; name: string }
let bob: Viewer
let ada: Actor
let base: string

beforeAll(async () => {
  chromium = await openBrowser()
  kyoto = await world({ bob: 'admin', cy: 'read', dan: 'read' })
  ada = kyoto.as('ada')
  base = `/api/collections/${kyoto.collection.id}`
  porto = (await ada.post('/api/collections', { name: 'Porto' })).body.collection
  await kyoto.sql`insert into members (collection_id, user_id, role) values (${porto.id}, ${kyoto.as('bob').id}, 'read')`
  bob = await viewer({ chromium, world: kyoto, name: 'bob', view: 'timeline' })
})

afterAll(async () => {
  expect(bob.errors).toEqual([])
  expect(await bob.page.evaluate('globalThis.loadedOnce'), 'never reloaded').toBe(true)
  await chromium.close()
})

/** One pixel. */
const WEBP = Uint8Array.from(Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'))

type Place = 'Timeline' | 'Media' | 'Settings' | 'Collections'

interface Kind {
  kind: string
  at: Place
  /** What has to be there before, shown to Bob by what it gives. */
  before?: () => Promise<Locator>
  act: () => Promise<unknown>
  /** What Bob sees then; `gone` instead of coming. */
  sees: (page: Page) => Locator
  gone?: boolean
}

let turn = 0
const fresh = (name: string) => `${name} ${++turn}`
/** What the kind at hand is about. */
let its = { id: '', name: '', changeId: '' }

async function ok(answer: Promise<Answer>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

async function post(more: object = {}): Promise<Locator> {
  const name = fresh('Note')
  const body = await ok(ada.post('/api/post', { type: 'note', title: name, collectionIds: [kyoto.collection.id], ...more }))
  its = { ...its, id: body.post.id, name }
  return bob.page.getByRole('article', { name, exact: true })
}

async function photo(collectionId = kyoto.collection.id): Promise<Locator> {
  const name = fresh('Photo').replace(' ', '-')
  const asset = await upload(ada, jpegLike(), { name: `${name}.jpg`, width: 40, height: 30, collectionIds: [collectionId] })
  its = { ...its, id: asset.id, name }
  return bob.page.getByRole('button', { name: new RegExp(name) })
}

async function person(): Promise<Locator> {
  const name = fresh('Person')
  its = { ...its, id: (await ok(ada.post(`${base}/people`, { name }))).person.id, name }
  return bob.page.getByText(name, { exact: true })
}

async function guest(): Promise<Actor> {
  const name = fresh('guest').replace(' ', '')
  const actor = await register(name)
  its = { ...its, id: actor.id, name: `${name.replace('g', 'G')} Test` }
  await ok(ada.post(`${base}/invites/invite`, { email: actor.email, role: 'read' }))
  return actor
}

const named = (page: Page) => page.getByText(its.name, { exact: true }).first()
const card = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: porto.name, exact: true }) })

const KINDS: Kind[] = [
  { kind: 'a post', at: 'Timeline', act: () => post(), sees: (page) => page.getByRole('article', { name: its.name, exact: true }) },
  {
    kind: 'an edit of a post',
    at: 'Timeline',
    before: () => post(),
    act: () => ok(ada.patch(`/api/post/${its.id}`, { title: 'Edited' })),
    sees: (page) => page.getByRole('article', { name: 'Edited', exact: true }),
  },
  {
    kind: 'a bulk edit',
    at: 'Timeline',
    before: () => post(),
    act: () => ok(ada.post('/api/post/bulk.date', { ids: [its.id], date: '2019-03-03T12:00:00Z', datePrecision: 'day' })),
    sees: (page) => page.getByRole('heading', { name: 'Sunday, 3 March 2019' }),
  },
  {
    kind: 'a deleted post',
    at: 'Timeline',
    before: () => post(),
    act: () => ok(ada.delete(`/api/post/${its.id}`)),
    sees: (page) => page.getByRole('article', { name: its.name, exact: true }),
    gone: true,
  },
  {
    kind: 'an undone deletion',
    at: 'Timeline',
    before: async () => {
      const shown = await post()
      await shown.waitFor(SOON)
      its.changeId = (await ok(ada.delete(`/api/post/${its.id}`))).changeId
      await shown.waitFor({ state: 'detached', ...SOON })
      return bob.page.getByRole('heading', { level: 1 })
    },
    act: () => ok(ada.post(`/api/undo/${its.changeId}`)),
    sees: (page) => page.getByRole('article', { name: its.name, exact: true }),
  },
  { kind: 'a photo', at: 'Media', act: () => photo(), sees: (page) => page.getByRole('button', { name: new RegExp(its.name) }) },
  {
    kind: 'an edit of a photo',
    at: 'Media',
    before: () => photo(),
    act: () => ok(ada.put(`/api/asset/${its.id}`, { alt: 'The red gate' })),
    sees: (page) => page.getByRole('button', { name: /The red gate/ }),
  },
  {
    kind: 'a deleted photo',
    at: 'Media',
    before: () => photo(),
    act: () => ok(ada.delete(`/api/asset/${its.id}`)),
    sees: (page) => page.getByRole('button', { name: new RegExp(its.name) }),
    gone: true,
  },
  {
    kind: 'an invitation',
    at: 'Settings',
    act: () => ok(ada.post(`${base}/invites/invite`, { email: 'eve@example.org', role: 'read' })),
    sees: (page) => page.getByText('eve@example.org').first(),
  },
  { kind: 'a member who joins', at: 'Settings', act: async () => ok((await guest()).post(`${base}/invites/accept`)), sees: named },
  {
    kind: 'a member who leaves',
    at: 'Settings',
    before: async () => named(bob.page),
    act: () => ok(kyoto.as('dan').delete(`${base}/invites/leave`)),
    sees: named,
    gone: true,
  },
  {
    kind: 'a role',
    at: 'Settings',
    act: () => ok(ada.put(`${base}/members/${kyoto.as('cy').id}`, { role: 'write' })),
    sees: (page) => page.getByRole('combobox', { name: 'Role of Cy Test' }).and(page.locator(':has(option[value=write]:checked)')),
  },
  { kind: 'a person to tag', at: 'Settings', act: () => person(), sees: named },
  {
    kind: 'a person with another name',
    at: 'Settings',
    before: () => person(),
    act: () => ok(ada.put(`${base}/people/${its.id}`, { name: 'Grandmother Mizuki' })),
    sees: (page) => page.getByText('Grandmother Mizuki', { exact: true }),
  },
  {
    kind: 'a person linked to a member',
    at: 'Settings',
    before: () => person(),
    act: () => ok(ada.put(`${base}/people/${its.id}`, { userId: kyoto.as('cy').id })),
    sees: (page) => page.getByText('Linked to Cy Test'),
  },
  {
    kind: 'a member with another name',
    at: 'Settings',
    act: () => ok(kyoto.as('cy').put('/api/users/profile', { firstName: 'Cyrus' })),
    sees: (page) => page.getByRole('combobox', { name: 'Role of Cyrus Test' }),
  },
  {
    kind: 'a person who is removed',
    at: 'Settings',
    before: () => person(),
    act: () => ok(ada.delete(`${base}/people/${its.id}`)),
    sees: named,
    gone: true,
  },
  {
    kind: 'colours',
    at: 'Timeline',
    act: () => ok(ada.put(`${base}/theme`, { primary: 'rose', neutral: 'stone', radius: 0.5, blackAsPrimary: false })),
    sees: (page) => page.locator('html[data-primary=rose]'),
  },
  {
    kind: 'a symbol',
    at: 'Timeline',
    act: () => ok(ada.put(base, { icon: 'camping' })),
    sees: (page) => page.locator('use[href$="#camping"]').first(),
  },
  {
    kind: 'a name, in the picker',
    at: 'Timeline',
    act: () => ok(ada.put(base, { name: 'Kyoto in autumn' })),
    sees: (page) => page.getByText('Kyoto in autumn').first(),
  },
  {
    kind: 'a post in another collection, on its card',
    at: 'Collections',
    act: () => post({ collectionIds: [porto.id] }),
    sees: (page) => card(page).getByText('1 post', { exact: true }),
  },
  {
    kind: 'a cover of another collection, on its card',
    at: 'Collections',
    act: async () => {
      await photo(porto.id)
      await ok(ada.put(`/api/asset/${its.id}/renditions/thumb`, WEBP, { type: 'image/webp' }))
    },
    sees: (page) => card(page).locator('img').first(),
  },
  {
    kind: 'a photo in another collection, on its card',
    at: 'Collections',
    act: () => photo(porto.id),
    sees: (page) => card(page).getByText('2 items', { exact: true }),
  },
  {
    kind: 'somebody new in another collection, on its card',
    at: 'Collections',
    act: async () => {
      const cy = kyoto.as('cy')
      await ok(ada.post(`/api/collections/${porto.id}/invites/invite`, { email: cy.email, role: 'read' }))
      await ok(cy.post(`/api/collections/${porto.id}/invites/accept`))
    },
    sees: (page) => card(page).getByText('3people'),
  },
  {
    kind: 'somebody who leaves another collection, on its card',
    at: 'Collections',
    before: async () => card(bob.page).getByText('3people'),
    act: () => ok(kyoto.as('cy').delete(`/api/collections/${porto.id}/invites/leave`)),
    sees: (page) => card(page).getByText('2people'),
  },
  {
    kind: 'what is deleted in another collection, on its card',
    at: 'Collections',
    act: () => ok(ada.delete(`/api/asset/${its.id}`)),
    sees: (page) => card(page).getByText('1 item', { exact: true }),
  },
  {
    kind: 'a name of another collection, on its card',
    at: 'Collections',
    act: () => ok(ada.put(`/api/collections/${porto.id}`, { name: 'Porto by the sea' })),
    sees: (page) => page.getByRole('link', { name: 'Porto by the sea', exact: true }),
  },
  {
    kind: 'a name of another collection, in the open picker',
    at: 'Timeline',
    before: async () => {
      await bob.page.getByRole('button', { name: /^Collection: / }).click()
      return bob.page.getByRole('dialog', { name: 'Collections' }).getByText('Porto by the sea')
    },
    act: () => ok(ada.put(`/api/collections/${porto.id}`, { name: 'Porto in winter' })),
    sees: (page) => page.getByRole('dialog', { name: 'Collections' }).getByText('Porto in winter'),
  },
]

async function be(at: Place): Promise<void> {
  const { page } = bob
  if ((await page.getByRole('heading', { level: 1 }).textContent()) === at) return
  if (at === 'Collections') await page.getByRole('link', { name: 'Cairn: all collections' }).click()
  else await page.getByRole('link', { name: at, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: at }).waitFor()
}

test.for(KINDS)('$kind', async ({ at, before, act, sees, gone = false }, { annotate }) => {
  if (at === 'Settings') its = { id: kyoto.as('dan').id, name: 'Dan Test', changeId: '' }
  await be(at)
  await (await before?.())?.waitFor(SOON)
  await act()
  const done = performance.now()
  // Attached: of colours and symbols there is nothing that Playwright would call visible.
  await sees(bob.page).waitFor({ state: gone ? 'detached' : 'attached', ...SOON })
  await annotate(`seen ${Math.round(performance.now() - done)} ms after it was answered`)
})
