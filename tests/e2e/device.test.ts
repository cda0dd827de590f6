import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, type Person, signInAs } from '../support/people.ts'
import { type World, worldWith } from '../support/world.ts'

const ITEMS = 3_000

/** Keeping waits for quiet moments, of which a busy machine has few. */
const WAIT = { timeout: 30_000 }

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World
let ada: Person

beforeAll(async () => {
  chromium = await openBrowser()
})
afterAll(() => chromium?.close())

beforeEach(async () => {
  w = await worldWith(ITEMS, { bob: null })
  ada = await chromium.person()
  await signInAs(ada, w.as('ada'))
})
afterEach(async () => {
  expect(ada.errors.filter((text) => !/ERR_FAILED|ERR_INTERNET_DISCONNECTED|WebSocket/.test(text))).toEqual([])
  await ada.context.close()
})

const address = (view = 'media') => `/collections/${view}?c=${w.collection.id}`
const photo = ({ page }: Person) => page.getByRole('button', { name: /^Photo / }).first()

/** What IndexedDB holds: databases of content, with the keys of the records in each of their stores. */
async function onDevice({ page }: Person): Promise<Record<string, Record<string, IDBValidKey[]>>> {
  return page.evaluate(async () => {
    const kept: Record<string, Record<string, IDBValidKey[]>> = {}
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('cairn-content-')) continue
      const opening = indexedDB.open(name)
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
        // Deleted since it was listed: looking at it must not make it anew.
        opening.onupgradeneeded = () => opening.transaction?.abort()
      })
      db.onversionchange = () => db.close()
      kept[name] = {}
      for (const store of db.objectStoreNames) {
        const listing = db.transaction(store).objectStore(store).getAllKeys()
        kept[name][store] = await new Promise((resolve) => {
          listing.onsuccess = () => resolve(listing.result)
        })
      }
      db.close()
    }
    return kept
  })
}

/** Opens the collection and waits until all of it is kept. */
async function visit(person: Person, view = 'media'): Promise<void> {
  await person.page.goto(address(view))
  await photo(person).waitFor()
  const all = { shell: expect.arrayContaining(['collections']), heads: [w.collection.id] }
  await expect.poll(async () => Object.values(await onDevice(person))[0], WAIT).toMatchObject(all)
}

const cut = (person: Person) => person.context.route('**/api/**', (route) => route.abort('internetdisconnected'))

test('a collection opens from the device, and only what changed since is asked for', async () => {
  await visit(ada)
  const asked: string[] = []
  const answer = Promise.withResolvers<void>()
  await ada.context.route(/\/api\/(asset|post|collections)(\?|$)/, async (route) => {
    asked.push(new URL(route.request().url()).pathname + new URL(route.request().url()).search)
    await answer.promise
    await route.continue()
  })
  await ada.page.goto(address())
  await photo(ada).waitFor()
  await ada.page.getByText(`${(ITEMS / 2).toLocaleString('en')} photos`).waitFor()
  await expect.poll(() => asked.filter((path) => path.includes('since=')).length, WAIT).toBe(2)
  expect(asked.filter((path) => /^\/api\/(asset|post)/.test(path) && !path.includes('since='))).toEqual([])
  await w.as('ada').post('/api/post', { type: 'note', title: 'While away', collectionIds: [w.collection.id], date: '2030-01-01T00:00:00Z' })
  answer.resolve()
  await ada.page.getByRole('link', { name: 'Timeline' }).first().click()
  await ada.page.getByRole('article', { name: 'While away' }).waitFor()
})

test('without a connection a reload shows the collection, says where it is from, and goes on when there is one', async () => {
  await visit(ada)
  await cut(ada)
  await ada.page.reload()
  await photo(ada).waitFor()
  await ada.page.getByText('You’re offline. You are seeing the version saved on this device.').waitFor()
  await ada.page.getByText(w.collection.name).first().waitFor()
  await ada.page.getByRole('link', { name: 'Timeline' }).first().click()
  await ada.page.getByRole('article').first().waitFor()
  await ada.page.getByRole('link', { name: 'Calendar' }).first().click()
  await ada.page.getByRole('grid').first().waitFor()
  await ada.page.getByText('You’re offline. You are seeing the version saved on this device.').waitFor()
  await ada.context.unroute('**/api/**')
  await ada.page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => ada.page.getByText('You’re offline.').count(), WAIT).toBe(0)
})

test('signing out empties the device, and the next person sees nothing of the last one', async () => {
  await visit(ada)
  const { page } = ada
  await page
    .getByRole('button', { name: /Ada Test/ })
    .first()
    .click()
  const signedOut = page.waitForResponse('**/api/auth/sign-out')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => onDevice(ada), WAIT).toEqual({})
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(w.as('ada').email)
  await signedOut
  // The page takes note of the answer a moment after it has come.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('sign-out-owed')), WAIT).toBeNull()
  await signInAs(ada, w.as('bob'))
  await page.goto(address())
  await page.getByText('Collection not found').waitFor()
  expect(await photo(ada).count()).toBe(0)
})

test('another account in the same browser drops what was kept, not showing any of it', async () => {
  await visit(ada)
  const seen: string[] = []
  await ada.context.exposeFunction('saw', (text: string) => seen.push(text))
  await ada.context.addInitScript(() => {
    const later = globalThis.setTimeout
    // A busy machine that takes this long to name the person is not one that cannot be reached.
    globalThis.setTimeout = ((run: () => void, delay?: number) => later(run, delay === 1_500 ? 60_000 : delay)) as typeof setTimeout
    const look = () => {
      const text = document.querySelector('[aria-label^="Photo "]')?.getAttribute('aria-label')
      if (text) (globalThis as unknown as { saw(text: string): void }).saw(text)
      requestAnimationFrame(look)
    }
    look()
  })
  await ada.context.clearCookies()
  await signInAs(ada, w.as('bob'))
  await ada.page.goto(address())
  await ada.page.getByText('Collection not found').waitFor()
  await expect.poll(async () => Object.keys(await onDevice(ada)), WAIT).toEqual([`cairn-content-${w.as('bob').id}`])
  expect(seen).toEqual([])
})

test('a session that has ended is a sign-out, also when it was known on this device', async () => {
  await visit(ada)
  await ada.context.clearCookies()
  await ada.page.goto(address())
  await ada.page.waitForURL('**/login')
  await expect.poll(() => onDevice(ada), WAIT).toEqual({})
})

test('who is taken out of a collection keeps nothing of it', async () => {
  await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${w.as('bob').id}, 'read')`
  const bob = await chromium.person()
  await signInAs(bob, w.as('bob'))
  await visit(bob)
  // Found out, not told by the room.
  await bob.page.goto('about:blank')
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)
  await bob.page.goto(address())
  await bob.page.getByText('is no longer shared with you').first().waitFor()
  await bob.page.waitForURL('**/collections')
  await expect.poll(async () => Object.values(await onDevice(bob))[0], WAIT).toMatchObject({ heads: [], chunks: [] })
  await bob.context.close()
})

test.each([
  ['blocked', () => Object.defineProperty(globalThis, 'indexedDB', { get: () => undefined })],
  [
    'full',
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('No room', 'QuotaExceededError')
      }
    },
  ],
  [
    'refusing',
    () => {
      indexedDB.open = () => {
        throw new DOMException('Not allowed', 'SecurityError')
      }
    },
  ],
])('with storage %s the app works as without it', async (_how, spoil) => {
  await ada.context.addInitScript(spoil)
  for (let visits = 0; visits < 2; visits++) {
    await ada.page.goto(address())
    await ada.page.getByText(`${(ITEMS / 2).toLocaleString('en')} photos`).waitFor()
    await photo(ada).waitFor()
  }
})

test('a damaged database, or one of another version, is read from the server again', async () => {
  await visit(ada)
  await ada.page.evaluate(async () => {
    const { name = '' } = (await indexedDB.databases()).find((one) => one.name?.startsWith('cairn-content-')) ?? {}
    const opening = indexedDB.open(name)
    const db = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const tx = db.transaction('chunks', 'readwrite')
    const cursor = tx.objectStore('chunks').openCursor()
    cursor.onsuccess = () => {
      cursor.result?.update({ count: 500, same: {}, each: { id: 'nonsense' } })
      cursor.result?.continue()
    }
    await new Promise((resolve) => {
      tx.oncomplete = resolve
    })
    db.close()
  })
  await ada.page.reload()
  await ada.page.getByText(`${(ITEMS / 2).toLocaleString('en')} photos`).waitFor()
  await photo(ada).waitFor()
})

test('a database that is cleared while the app is open is missed by nobody', async () => {
  await visit(ada)
  await ada.page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
  })
  await w.as('ada').post('/api/post', { type: 'note', title: 'Afterwards', collectionIds: [w.collection.id], date: '2030-01-01T00:00:00Z' })
  await ada.page.getByRole('link', { name: 'Timeline' }).first().click()
  await ada.page.getByRole('article', { name: 'Afterwards' }).waitFor()
})
