import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { type Person, signInAs } from '../support/people.ts'
import { worldWith } from '../support/world.ts'

const test = app
  .extend('expectedErrors', () => [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|WebSocket/])
  .extend('kyoto', () => worldWith(ITEMS, { bob: null }))
  .extend('ada', ({ kyoto, openPage }) => openPage({ as: kyoto.as('ada') }))
  .extend(
    'address',
    ({ kyoto }) =>
      (view = 'media') =>
        `/collections/${view}?c=${kyoto.collection.id}`,
  )
  /** Opens the collection and waits until all of it is kept. */
  .extend('visit', ({ address, kyoto }) => async (person: Person, view = 'media'): Promise<void> => {
    await person.page.goto(address(view))
    await photo(person).waitFor()
    const all = { shell: expect.arrayContaining(['collections']), heads: [kyoto.collection.id] }
    await expect.poll(async () => Object.values(await onDevice(person))[0], WAIT).toMatchObject(all)
  })

const ITEMS = 3_000

/** Keeping waits for quiet moments, of which a busy machine has few. */
const WAIT = { timeout: 30_000 }

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

const cut = (person: Person) => person.context.route('**/api/**', (route) => route.abort('internetdisconnected'))

test('A collection opens from the device and requests only what has changed since', async ({ ada, address, kyoto, visit }) => {
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
  await kyoto
    .as('ada')
    .post('/api/post', { type: 'note', title: 'While away', collectionIds: [kyoto.collection.id], date: '2030-01-01T00:00:00Z' })
  answer.resolve()
  await ada.page.getByRole('link', { name: 'Timeline' }).first().click()
  await ada.page.getByRole('article', { name: 'While away' }).waitFor()
})

test('A reload without a connection shows the stored collection, says so, and goes online when it can', async ({ ada, kyoto, visit }) => {
  await visit(ada)
  await cut(ada)
  await ada.page.reload()
  await photo(ada).waitFor()
  await ada.page.getByText('You’re offline. You are seeing the version saved on this device.').waitFor()
  await ada.page.getByText(kyoto.collection.name).first().waitFor()
  await ada.page.getByRole('link', { name: 'Timeline' }).first().click()
  await ada.page.getByRole('article').first().waitFor()
  await ada.page.getByRole('link', { name: 'Calendar' }).first().click()
  await ada.page.getByRole('grid').first().waitFor()
  await ada.page.getByText('You’re offline. You are seeing the version saved on this device.').waitFor()
  await ada.context.unroute('**/api/**')
  await ada.page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => ada.page.getByText('You’re offline.').count(), WAIT).toBe(0)
})

test('Signing out empties the device, and the next person sees nothing of it', async ({ ada, address, kyoto, visit }) => {
  await visit(ada)
  const { page } = ada
  const [outbox, uploads] = ['outbox', 'uploads'].map((kind) => `cairn-${kind}-${kyoto.as('ada').id}`)
  const present = (name = '') => page.evaluate(async (one) => (await indexedDB.databases()).some(({ name }) => name === one), name)
  for (const name of [outbox, uploads]) await expect.poll(() => present(name), WAIT).toBe(true)
  await page
    .getByRole('button', { name: /Ada Test/ })
    .first()
    .click()
  const signedOut = page.waitForResponse('**/api/auth/sign-out')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => onDevice(ada), WAIT).toEqual({})
  // Nothing is waiting, so the other databases, whose names tell who was here, go as well.
  for (const name of [outbox, uploads]) await expect.poll(() => present(name), WAIT).toBe(false)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(kyoto.as('ada').email)
  await signedOut
  // The page takes note of the answer a moment after it has come.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('sign-out-owed')), WAIT).toBeNull()
  await signInAs(ada, kyoto.as('bob'))
  await page.goto(address())
  await page.getByText('Collection not found').waitFor()
  expect(await photo(ada).count()).toBe(0)
})

test('Another account in the same browser deletes the stored content without showing it', async ({ ada, address, kyoto, visit }) => {
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
  await signInAs(ada, kyoto.as('bob'))
  await ada.page.goto(address())
  await ada.page.getByText('Collection not found').waitFor()
  await expect.poll(async () => Object.keys(await onDevice(ada)), WAIT).toEqual([`cairn-content-${kyoto.as('bob').id}`])
  expect(seen).toEqual([])
})

test('An ended session signs out a person known on this device and empties it', async ({ ada, address, visit }) => {
  await visit(ada)
  await ada.context.clearCookies()
  await ada.page.goto(address())
  await ada.page.waitForURL('**/login')
  await expect.poll(() => onDevice(ada), WAIT).toEqual({})
})

test('A removed member keeps nothing of the collection on the device', async ({ address, kyoto, openPage, visit }) => {
  await kyoto.sql`insert into members (collection_id, user_id, role) values (${kyoto.collection.id}, ${kyoto.as('bob').id}, 'read')`
  const bob = await openPage({ as: kyoto.as('bob') })
  await visit(bob)
  // Found out, not told by the room.
  await bob.page.goto('about:blank')
  await kyoto.as('ada').delete(`/api/collections/${kyoto.collection.id}/members/${kyoto.as('bob').id}`)
  await bob.page.goto(address())
  await bob.page.getByText('is no longer shared with you').first().waitFor()
  await bob.page.waitForURL('**/collections')
  await expect.poll(async () => Object.values(await onDevice(bob))[0], WAIT).toMatchObject({ heads: [], chunks: [] })
})

test.for<[string, () => void]>([
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
])('The app works with storage that is %s', async ([, spoil], { ada, address }) => {
  await ada.context.addInitScript(spoil)
  for (let visits = 0; visits < 2; visits++) {
    await ada.page.goto(address())
    await ada.page.getByText(`${(ITEMS / 2).toLocaleString('en')} photos`).waitFor()
    await photo(ada).waitFor()
  }
})

test('A damaged database is replaced by content from the server', async ({ ada, visit }) => {
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

test('A database cleared while the app is open loses nothing', async ({ ada, kyoto, visit }) => {
  await visit(ada)
  await ada.page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
  })
  await kyoto
    .as('ada')
    .post('/api/post', { type: 'note', title: 'Afterwards', collectionIds: [kyoto.collection.id], date: '2030-01-01T00:00:00Z' })
  await ada.page.getByRole('link', { name: 'Timeline' }).first().click()
  await ada.page.getByRole('article', { name: 'Afterwards' }).waitFor()
})
