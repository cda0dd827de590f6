import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { fetchedAhead } from '../../support/fetched-ahead.ts'
import { uploadPicture } from '../../support/pictures.ts'
import { entry, full, heading, many, photo, type Screen, type Stage, timeline } from './stage.ts'

const seen = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).filter({ visible: true }).first()

/** The overlay that this button opens. */
const behind =
  (there: (page: Page) => Promise<unknown>, ...names: (string | RegExp)[]): NonNullable<Screen['open']> =>
  async (page) => {
    await there(page)
    for (const name of names) await seen(page, name).click()
    await page.locator('[role=menu], [role=dialog]').first().waitFor()
  }

/** The overlay that an entry in the menu of this button opens. */
const chosen =
  (there: (page: Page) => Promise<unknown>, button: string | RegExp, choice: string): NonNullable<Screen['open']> =>
  async (page) => {
    await there(page)
    await seen(page, button).click()
    await page.getByRole('menuitem', { name: choice }).click()
    await page.getByRole('dialog').waitFor()
  }

const members = (page: Page) => page.getByRole('button', { name: 'Transfer…' }).waitFor()
const photos = (page: Page) => photo(page).waitFor()
/** Opens one of the newest: an earlier screen may have left the page further down, where it goes back to a moment after it has drawn. */
const openNewest = async (page: Page, name: RegExp) => {
  await photos(page)
  await vi.waitFor(async () => {
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByRole('button', { name }).first().click({ timeout: 2_000 })
  }, 30_000)
}
const waitingLine = (page: Page) => seen(page, /^\d+ changes? (is|are) waiting for a connection$/)
/** A note that somebody who has no connection has changed. */
async function editOffline(page: Page, { many }: Stage, title: string) {
  const { body } = await many.as('bob').post('/api/post', {
    type: 'note',
    title,
    body: '<p>Bread</p>',
    date: new Date().toISOString(),
    collectionIds: [many.collection.id],
  })
  await page.reload()
  await page.getByRole('article', { name: title }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit' })
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Bread, and cheese')
  await fetchedAhead(page)
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await waitingLine(page).waitFor()
  return body.post as { id: string; version: number }
}

/** The server has another build than this page, which looks because its tab comes to the front more than a minute after it began. */
async function newerVersion(page: Page): Promise<void> {
  await photos(page)
  await page.route('**/builds/latest.json', (route) => route.fulfill({ json: { id: 'newer' } }))
  const notice = page.getByRole('listitem').filter({ hasText: 'A new version of Cairn is ready' })
  // It looks from a moment after the first paint on.
  await vi.waitFor(async () => {
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 61_000
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await notice.waitFor({ timeout: 2_000 })
  }, 20_000)
  // A toast stays as long as it has the focus.
  await notice.getByRole('button', { name: 'Reload now' }).focus()
}

/** A request to join waits for an answer. */
async function requested(page: Page, { full }: Stage): Promise<void> {
  await full.sql`insert into join_requests (id, collection_id, user_id, role)
    values (${newId()}, ${full.collection.id}, ${full.as('dan').id}, 'write') on conflict do nothing`
  await page.reload()
  const list = page.getByRole('list', { name: /^Requests to join/ })
  await list.getByRole('listitem').first().waitFor()
  await list.evaluate((element) => element.scrollIntoView({ block: 'center' }))
}

/** Two photos of a guest wait for an answer. */
async function contributed(page: Page, { full }: Stage): Promise<void> {
  const waiting = await full.sql`select from contributions where collection_id = ${full.collection.id}`
  for (const picture of waiting.length > 0 ? [] : ['bowls-of-spices', 'kingfisher-on-a-branch']) {
    const { id } = await uploadPicture(full.as('dan'), picture, 1600)
    await full.sql`insert into contributions (asset_id, collection_id, state) values (${id}, ${full.collection.id}, 'waiting')`
  }
  await page.reload()
  const list = page.getByRole('list', { name: /^Sent by guests/ })
  // Pictures are loaded where they are seen.
  await expect
    .poll(async () => {
      await list.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      return list.locator('img.opacity-100').count()
    })
    .toBe(2)
}

/** Two shots, of which one is in another collection as well, a copy that has a description, and another picture in two sizes. */
async function addCopies({ many }: Stage): Promise<void> {
  const ada = many.as('ada')
  const known: { name: string }[] = (await ada.get('/api/collections')).body.collections
  if (known.some(({ name }) => name === 'Nara')) return
  const nara = await ada.post('/api/collections', { name: 'Nara' })
  const collectionIds = [many.collection.id]
  const now = Date.now()
  const at = (ms: number) => ({ date: new Date(now + ms).toISOString(), collectionIds })
  await uploadPicture(ada, 'kingfisher-on-a-branch', 1600, at(60_000))
  await uploadPicture(ada, 'kingfisher-on-a-branch', 1500, { ...at(65_000), collectionIds: [...collectionIds, nara.body.collection.id] })
  await uploadPicture(ada, 'kingfisher-on-a-branch', 640, { ...at(60_000), alt: 'As it was sent around' })
  for (const width of [1600, 640]) await uploadPicture(ada, 'bowls-of-spices', width, at(0))
}

/** Overlays: menus, lists, questions, toasts. */
export const OVERLAYS: readonly Screen[] = [
  { name: 'picker', who: 'ada', path: full('media'), open: behind(photos, /^Collection:/) },
  { name: 'media-menu', who: 'ada', path: full('media'), open: behind(photos, 'View options') },
  { name: 'similar-none', who: 'ada', path: full('media'), open: chosen(photos, 'View options', 'Find similar photos') },
  {
    name: 'similar',
    who: 'owner of many',
    path: many('media'),
    open: async (page, stage) => {
      await addCopies(stage)
      await page.reload()
      await chosen(photos, 'View options', 'Find similar photos')(page, stage)
      const first = page.getByRole('region', { name: /^Set 1 of/ }).first()
      await expect.poll(() => first.locator('img.opacity-100').count()).toBe(3)
    },
  },
  { name: 'share', who: 'ada', path: full('media'), open: behind(photos, 'Share') },
  {
    name: 'share-made',
    who: 'ada',
    path: full('media'),
    open: async (page, stage) => {
      await behind(photos, 'Share')(page, stage)
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    },
  },
  {
    name: 'settings-links',
    who: 'ada',
    path: full('settings'),
    open: async (page, { full }) => {
      const links = `/api/collections/${full.collection.id}/links`
      await full.as('ada').post(links, { kind: 'collection', name: 'For grandma', allows: 'answer', password: 'three white swans' })
      await page.reload()
      // What is above it may still grow.
      await page.getByRole('button', { name: 'Invite people…' }).waitFor()
      await page.getByRole('heading', { name: 'Links' }).evaluate((heading) => heading.scrollIntoView())
    },
  },
  { name: 'link-change', who: 'ada', path: full('settings'), open: behind(members, /^Change the link/) },
  { name: 'new-menu', who: 'ada', path: full('timeline'), open: behind(timeline, 'New') },
  { name: 'person-menu', who: 'ada', path: full('timeline'), open: behind(timeline, /profile, appearance, sign out$/) },
  { name: 'post-menu', who: 'ada', path: `${full('timeline')}&post=event`, open: behind(entry, 'More') },
  {
    name: 'link-post',
    who: 'owner of many',
    path: `${many('timeline')}&type=post`,
    open: async (page) => {
      await entry(page)
      await seen(page, /^Day \d+$/).click()
      await page.getByRole('dialog').getByRole('button', { name: 'More' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Add to another collection…' }).press('Enter')
      await page.getByRole('dialog', { name: 'Add to another collection' }).waitFor()
    },
  },
  {
    name: 'place-map',
    who: 'ada',
    drawsMap: true,
    path: full('timeline'),
    open: async (page) => {
      await chosen(timeline, 'New', 'Event')(page, {} as Stage)
      await page.getByRole('button', { name: 'Choose on map' }).click()
      await page.locator('.maplibregl-map').waitFor()
      await page.getByRole('button', { name: 'Hide map' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'calendar-move',
    who: 'ada',
    path: `${full('calendar')}&view=month&on=2026-05&day=2026-05-01`,
    open: chosen(entry, /^More for A weekend/, 'Move to another day'),
  },
  { name: 'person-link', who: 'ada', path: full('settings'), open: chosen(members, 'More for Grandmother', 'Link to a member…') },
  { name: 'collection-delete', who: 'ada', path: full('settings'), open: behind(members, 'Delete…') },
  {
    name: 'proof',
    opensAnew: true,
    who: 'lapsed',
    path: '/profile/settings',
    open: async (page) => {
      await behind(heading('Access tokens'), 'New token')(page, {} as Stage)
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Backup')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
    },
  },
  {
    name: 'picture-crop',
    who: 'ada',
    path: '/profile/settings',
    open: async (page) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Add a picture' }).click()
      await (await chooser).setFiles(path.resolve(import.meta.dirname, '../../../dev/demo/pictures/kingfisher-on-a-branch.jpg'))
      await page.getByRole('application').waitFor()
    },
  },
  {
    name: 'drop',
    who: 'ada',
    path: full('media'),
    open: async (page) => {
      await photos(page)
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['a'], 'a.jpg', { type: 'image/jpeg' }))
        document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true, cancelable: true }))
      })
      await page.getByText('Photos, videos and files of any kind').waitFor()
    },
  },
  {
    name: 'post-comments',
    who: 'ada',
    path: `${full('timeline')}&post=event`,
    open: async (page) => {
      await entry(page)
      await seen(page, /\d.*: A weekend in the hills$/).click()
      await page.getByRole('article').getByText('What a view!').waitFor()
    },
  },
  {
    name: 'lightbox-comments',
    who: 'ada',
    path: full('media'),
    open: async (page) => {
      await openNewest(page, /^Photo /)
      await seen(page, /^Comments/).click()
      await page.getByText('What a view!').waitFor()
    },
  },
  {
    name: 'lightbox-comments-empty',
    who: 'owner of many',
    path: many('media'),
    open: async (page) => {
      await openNewest(page, /^Video waves/)
      await seen(page, /^Comments$/).click()
      await page.getByText('No comments yet').waitFor()
      await page.getByRole('button', { name: 'Add a reaction' }).click()
      await page.getByRole('textbox', { name: 'Any other emoji' }).waitFor()
    },
  },
  {
    name: 'settings-comments',
    who: 'ada',
    path: full('settings'),
    open: async (page) => {
      await page.getByRole('radio', { name: /^Nobody/ }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'lightbox-video',
    who: 'owner of many',
    path: many('media'),
    open: async (page) => {
      await openNewest(page, /^Video waves/)
      await page.locator('video').first().waitFor()
    },
  },
  {
    name: 'lightbox-unplayable',
    who: 'owner of many',
    path: many('media'),
    open: async (page) => {
      await openNewest(page, /^Video storm/)
      await page.getByText('This browser does not play this video.').waitFor()
    },
  },
  {
    name: 'lightbox-file',
    who: 'owner of many',
    path: many('media'),
    open: async (page) => {
      await openNewest(page, /^File plan/)
      await page
        .getByRole('link', { name: /Download/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'toast',
    opensAnew: true,
    who: 'owner of many',
    path: many('media'),
    open: async (page) => {
      await vi.waitFor(async () => {
        await photo(page).focus()
        await page.keyboard.press('Space')
        await page.getByRole('toolbar', { name: 'Selected items' }).waitFor({ timeout: 2_000 })
      }, 20_000)
      await page.keyboard.press('Delete')
      await page.getByText('1 photo moved to the trash').first().waitFor()
      // A toast stays as long as it has the focus.
      await page.getByRole('button', { name: 'Undo' }).first().focus()
    },
  },
  { name: 'toast-newer-version', opensAnew: true, who: 'ada', path: full('media'), open: newerVersion },
  {
    name: 'presence',
    who: 'owner of many',
    path: many('timeline'),
    open: async (page, { many }) => {
      const browser = page.context().browser()
      if (!browser) throw new Error('The browser is gone')
      const other = await browser.newContext({ baseURL: new URL(page.url()).origin, serviceWorkers: 'block' })
      const url = new URL(page.url()).origin
      // Until the next screen is opened.
      page.once('load', () => void other.close())
      await other.addCookies([...many.as('bob').cookies].map(([name, value]) => ({ name, value, url })))
      await (await other.newPage()).goto(`/collections/media?c=${many.collection.id}`)
      const faces = page.getByRole('list', { name: 'Here now' }).getByRole('link')
      const button = page.getByRole('button', { name: '1 here now' })
      await faces.or(button).filter({ visible: true }).first().waitFor()
      if (await button.isVisible()) await button.click()
      else await faces.first().hover()
      await page
        .getByText(/Bob Test – /)
        .filter({ visible: true })
        .first()
        .waitFor()
    },
  },
  {
    name: 'uploads',
    opensAnew: true,
    who: 'owner of many',
    path: many('media'),
    open: async (page) => {
      await photos(page)
      await page.route('**/api/asset', () => {})
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        for (const name of ['harbour.jpg', 'terrace.jpg', 'notes.exe']) {
          const bytes = [0xff, 0xd8, 0xff, 0xe0, ...crypto.getRandomValues(new Uint8Array(4_000))]
          dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type: name.endsWith('jpg') ? 'image/jpeg' : '' }))
        }
        for (const type of ['dragenter', 'dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      })
      const tray = page.getByRole('region', { name: 'Uploads' })
      await tray.waitFor()
      const spread = tray.getByRole('button', { name: 'Show list' })
      if (await spread.isVisible()) await spread.click()
      await tray.getByRole('region', { name: 'Files' }).getByText('harbour.jpg').first().waitFor()
    },
  },
  {
    name: 'not-saved',
    who: 'writer of many',
    path: `${many('timeline')}&type=post`,
    open: async (page, stage) => {
      await entry(page)
      await editOffline(page, stage, 'Shopping')
      await waitingLine(page).click()
      await page.getByRole('dialog', { name: 'Not saved yet' }).waitFor()
    },
  },
  {
    name: 'conflict',
    who: 'writer of many',
    path: `${many('timeline')}&type=post`,
    open: async (page, stage) => {
      await entry(page)
      const { id, version } = await editOffline(page, stage, 'Packing')
      const theirs = await stage.many
        .as('ada')
        .patch(`/api/post/${id}`, { body: '<p>Bread and apples</p>' }, { headers: { 'if-match': String(version) } })
      expect(theirs.status).toBe(200)
      await page.context().setOffline(false)
      await seen(page, 'Compare').click()
      await page.getByRole('dialog', { name: 'Two versions of “Packing”' }).waitFor()
    },
  },
  { name: 'settings-requests', who: 'ada', path: full('settings'), open: requested },
  { name: 'feed-requests', who: 'ada', path: '/feed', open: requested },
  { name: 'settings-contributions', who: 'ada', path: full('settings'), open: contributed },
  { name: 'feed-contributions', who: 'ada', path: '/feed', open: contributed },
]
