import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Comment } from '../../contract/comments.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { assetRow } from '../support/rows.ts'
import { register, type World, world } from '../support/world.ts'

const test = app
  .extend('kyoto', async () => {
    const kyoto = await world({ bob: 'write', cleo: 'read' })
    const photo = await assetRow(kyoto, 'bob', [kyoto.collection.id])
    await note(kyoto, 'First snow', '<p>It came in the <strong>night</strong> &amp; stayed.</p>')
    return { ...kyoto, photo }
  })
  .extend('page', async ({ kyoto, openPage }) => (await openPage({ as: kyoto.as('ada') })).page)

/** On a busy machine what a person waits a moment for takes longer; a count may come 20 s after another. */
const poll = <T>(get: () => T) => expect.poll(get, { timeout: 45_000, interval: 250 })

const note = ({ as, collection }: World, title: string, body = '') =>
  as('bob').post('/api/post', { type: 'note', title, body, collectionIds: [collection.id] })
const entries = (page: Page) => page.getByRole('article')
const headings = (page: Page) => entries(page).getByRole('heading').allTextContents()
const feedLink = (page: Page) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Feed/ })
const where = (page: Page) => {
  const { pathname, searchParams, hash } = new URL(page.url())
  return { pathname, collection: searchParams.get('c'), item: searchParams.get('item'), hash }
}

test('The feed tells who added items and who joined, and every entry leads to its item', async ({ kyoto, page }) => {
  await page.goto('/feed')
  await poll(() => headings(page)).toEqual([
    expect.stringMatching(/^Bob Test added a note to Kyoto$/),
    expect.stringMatching(/^Bob Test added a photo to Kyoto$/),
    expect.stringMatching(/^(Bob Test and Cleo Test|Cleo Test and Bob Test) joined Kyoto$/),
  ])
  expect(await entries(page).first().locator('time').getAttribute('title')).toMatch(/ \d{4}, \d\d:\d\d$/)
  expect(await axeViolations(page)).toEqual([])
  // As browsers tell it to screen readers, which is not always what is in the page.
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const names = nodes.filter(({ role }) => role?.value === 'article').map(({ name }) => String(name?.value))
  expect(names).toEqual([expect.anything(), expect.anything(), expect.stringMatching(/Test joined Kyoto$/)])
  const post = page.getByRole('link', { name: /^First snow/ })
  expect(await post.textContent()).toContain('It came in the night & stayed.')
  await post.click()
  await poll(() => where(page)).toMatchObject({ pathname: '/collections/timeline', hash: expect.stringMatching(/^#post-/) })
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: /a\.jpg$/ }).click()
  await poll(() => where(page)).toMatchObject({ pathname: '/collections/media', collection: kyoto.collection.id, item: kyoto.photo })
  await page.goBack()
  await entries(page).last().getByRole('link', { name: 'Kyoto' }).click()
  await poll(() => where(page)).toMatchObject({ pathname: '/collections/settings', collection: kyoto.collection.id })
})

test('A collection’s icon is on the line where its name begins', async ({ page }) => {
  await page.goto('/feed')
  const link = entries(page).first().getByRole('link', { name: 'Kyoto' })
  const text = entries(page).first().getByRole('heading')
  await link.locator('svg').waitFor()
  for (let width = 240; width > 100; width -= 6) {
    await text.evaluate((heading, to) => heading.setAttribute('style', `width: ${to}px`), width)
    const [icon, name] = await link.evaluate((element) => {
      const range = document.createRange()
      range.setStart(element.lastChild ?? element, 0)
      range.setEnd(element.lastChild ?? element, 1)
      return [element.querySelector('svg'), range].map((one) => one?.getBoundingClientRect().toJSON())
    })
    expect(Math.abs(icon.y + icon.height / 2 - name.y - name.height / 2), `${width} px wide`).toBeLessThan(3)
    expect(name.x - icon.right, `${width} px wide`).toBeGreaterThan(0)
  }
})

test('Items added by another member are counted as new until they are seen on any device', async ({ kyoto, openPage, page }) => {
  await page.goto('/feed')
  await entries(page).first().waitFor()
  await poll(async () => (await kyoto.sql`select from feed_visits where user_id = ${kyoto.as('ada').id}`).length).toBe(1)
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await page.getByRole('article').first().waitFor()
  await assetRow(kyoto, 'bob', [kyoto.collection.id])
  await note(kyoto, 'Under the bridge')
  await poll(() => feedLink(page).textContent()).toBe('Feed2 new')
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await page.getByRole('heading', { name: /^New since (yesterday at )?\d\d:\d\d$/ }).waitFor()
  await page.getByRole('heading', { name: 'Earlier' }).waitFor()
  await poll(() => feedLink(page).textContent()).toBe('Feed')
  expect(await axeViolations(page)).toEqual([])

  const phone = await openPage({ as: kyoto.as('ada'), at: '/collections', viewport: PHONE, hasTouch: true, isMobile: true })
  await feedLink(phone.page).tap()
  await entries(phone.page).first().waitFor()
  expect(await phone.page.getByRole('heading', { name: /^New since/ }).count()).toBe(0)
  expect(await axeViolations(phone.page)).toEqual([])
})

test('New entries wait above the feed until they are asked for', async ({ kyoto, page }) => {
  const answered = page.waitForResponse('**/api/feed*')
  await page.goto('/feed')
  await (await answered).finished()
  await entries(page).first().waitFor()
  const before = await page.getByRole('link', { name: /^(Late|Under|First)/ }).allTextContents()
  // The room is joined some time after the page is there; whatever comes before that is asked for then.
  await note(kyoto, 'Late train')
  const pill = page.getByRole('button', { name: /^\d new$/ })
  await pill.waitFor({ timeout: 45_000 })
  expect(await page.getByRole('link', { name: /^(Late|Under|First)/ }).allTextContents()).toEqual(before)
  await pill.click()
  await page.getByRole('link', { name: /^Late train/ }).waitFor()
  await pill.waitFor({ state: 'hidden' })
  // Until the server knows it, the next visit would find it new.
  await poll(() => feedLink(page).textContent()).toBe('Feed')
})

test('J and K move through the feed’s entries', async ({ page }) => {
  await page.goto('/feed')
  await entries(page).nth(1).waitFor()
  const focused = () => entries(page).evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement))
  await page.keyboard.press('j')
  await poll(focused).toBe(0)
  await page.keyboard.press('j')
  await poll(focused).toBe(1)
  await page.keyboard.press('k')
  await poll(focused).toBe(0)
})

test('Entries of one item are read and answered in place', async ({ kyoto, openPage }) => {
  const hers = await openPage({ as: kyoto.as('ada'), at: '/feed' })
  const entryOf = ({ page }: typeof hers) => {
    const article = entries(page).filter({ hasText: 'added a note' })
    return { article, field: article.getByRole('textbox', { name: 'Write a comment' }) }
  }
  const ada = entryOf(hers)
  await ada.article.getByRole('button', { name: 'Comment: First snow' }).click()
  await ada.field.waitFor()
  await poll(() => ada.field.evaluate((field) => field === document.activeElement)).toBe(true)
  await hers.page.keyboard.type('How white!')
  await hers.page.keyboard.press('Control+Enter')
  await ada.article.getByRole('button', { name: '1 comment: First snow', expanded: true }).waitFor()

  const bob = entryOf(await openPage({ as: kyoto.as('bob'), at: '/feed' }))
  await bob.article.getByRole('button', { name: '1 comment: First snow' }).click()
  await bob.article.getByText('How white!').waitFor()
  await bob.field.fill('And cold')
  await bob.article.getByRole('button', { name: 'Send' }).click()
  await bob.article.getByRole('button', { name: '2 comments: First snow', expanded: true }).waitFor()
  await hers.page.reload()
  await ada.article.getByRole('button', { name: '2 comments: First snow' }).click()
  await ada.article.getByText('And cold').waitFor()
  await ada.article.getByRole('button', { name: '2 comments: First snow', expanded: true }).waitFor()
  expect(await axeViolations(hers.page)).toEqual([])
  expect(where(hers.page).pathname).toBe('/feed')
  await ada.article.getByRole('button', { name: '2 comments: First snow' }).click()
  await ada.field.waitFor({ state: 'detached' })
})

test('A comment in the feed offers people of its own collection, and one that is edited there keeps whom it mentions', async ({
  kyoto,
  openPage,
}) => {
  const ada = kyoto.as('ada')
  const person = async (collectionId: string, name: string) =>
    (await ada.post(`/api/collections/${collectionId}/people`, { name })).body.person as { id: string }
  const nara = (await ada.post('/api/collections', { name: 'Nara' })).body.collection as { id: string }
  await person(nara.id, 'Mizuki of Nara')
  const { id } = await person(kyoto.collection.id, 'Mizuki of Kyoto')
  const tea = (await ada.post('/api/post', { type: 'note', title: 'Tea', collectionIds: [kyoto.collection.id] })).body.post.id
  const said = { collection_id: kyoto.collection.id, text: 'For @Mizuki of Kyoto, grean', mentions: [id] }
  await ada.post(`/api/post/${tea}/comments`, said)
  const { page } = await openPage({ as: ada, at: `/collections/timeline?c=${nara.id}` })
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  await feedLink(page).click()
  await page.getByRole('button', { name: '1 comment: Tea' }).click()
  const thread = page.getByRole('region', { name: 'Comments: Tea' })
  await thread.getByRole('textbox', { name: 'Write a comment' }).pressSequentially('@miz')
  await poll(() => thread.getByRole('option').allTextContents()).toEqual([expect.stringContaining('Mizuki of Kyoto')])
  await thread.getByRole('textbox', { name: 'Write a comment' }).press('Escape')
  await thread.getByRole('button', { name: /^More for the comment/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const saved = async () => {
    const { body } = await ada.get(`/api/post/${tea}/comments?collection_id=${kyoto.collection.id}`)
    return (body.comments as Comment[]).map(({ text, mentions }) => [text, mentions.length])
  }
  await thread.getByRole('textbox', { name: 'Edit the comment' }).fill('For @Mizuki of Kyoto, green')
  await thread.getByRole('button', { name: 'Save', exact: true }).click()
  await poll(saved).toEqual([['For @Mizuki of Kyoto, green', 1]])
  // While it is unknown who can be mentioned, too.
  await page.route('**/people', () => undefined)
  await page.reload()
  await page.getByRole('button', { name: '1 comment: Tea' }).click()
  await thread.getByRole('button', { name: /^More for the comment/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await thread.getByRole('textbox', { name: 'Edit the comment' }).fill('For @Mizuki of Kyoto: green')
  await thread.getByRole('button', { name: 'Save', exact: true }).click()
  await poll(saved).toEqual([['For @Mizuki of Kyoto: green', 1]])
})

test('A comment on an own item counts, comes without a reload and is answered where it stands', async ({ kyoto, openPage, page }) => {
  await page.goto('/feed')
  await poll(async () => (await kyoto.sql`select from feed_visits where user_id = ${kyoto.as('ada').id}`).length).toBe(1)
  const own = (await kyoto.as('ada').post('/api/post', { type: 'note', title: 'Tea', collectionIds: [kyoto.collection.id] })).body.post.id
  await page.goto('/collections')
  await page.getByRole('main').getByRole('link', { name: /Kyoto/ }).first().waitFor()
  const say = (who: string, text: string) => kyoto.as(who).post(`/api/post/${own}/comments`, { collection_id: kyoto.collection.id, text })
  await say('cleo', 'Green or black?')
  await poll(() => feedLink(page).textContent()).toBe('Feed1 new')
  await feedLink(page).click()
  const entry = entries(page).filter({ hasText: 'commented on' })
  await poll(() => entry.getByRole('heading').textContent()).toBe('Cleo Test commented on your note in Kyoto')
  await entry.getByRole('link', { name: /^Green or black\?/ }).waitFor()
  await poll(() => feedLink(page).textContent()).toBe('Feed')
  await entry.getByRole('button', { name: '1 comment: Tea' }).click()
  await entry.getByRole('textbox', { name: 'Write a comment' }).fill('Green')
  await entry.getByRole('button', { name: 'Send' }).click()
  await entry.getByRole('list', { name: 'Comments' }).getByText('Green', { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  // What is written meanwhile comes into the open thread, and waits as an entry.
  await say('bob', 'With milk')
  await entry.getByRole('list', { name: 'Comments' }).getByText('With milk').waitFor({ timeout: 45_000 })
  await page.getByRole('button', { name: '1 new' }).click()
  await poll(() => entry.getByRole('heading').textContent()).toBe('Bob Test and 1 other commented on your note in Kyoto')

  const cleo = await openPage({ as: kyoto.as('cleo'), at: '/feed', viewport: PHONE, hasTouch: true, isMobile: true })
  const hers = entries(cleo.page).filter({ hasText: 'commented on' })
  await poll(() => hers.getByRole('heading').textContent()).toBe('Bob Test and 1 other commented on a note in Kyoto')
  expect(await axeViolations(cleo.page)).toEqual([])
  await hers.getByRole('link', { name: /^With milk/ }).tap()
  await poll(() => where(cleo.page)).toMatchObject({ pathname: '/collections/timeline', item: own, hash: '#comments' })
})

test('Several photos added together are answered at the first, in a thread that is live wherever it is read', async ({
  kyoto,
  openPage,
}) => {
  const second = await assetRow(kyoto, 'bob', [kyoto.collection.id])
  await kyoto.sql`update assets set name = 'b.jpg' where id = ${second}`
  const cleo = await openPage({ as: kyoto.as('cleo'), at: '/feed' })
  const entry = entries(cleo.page).filter({ hasText: 'added 2 photos' })
  await entry.getByRole('link', { name: 'on the first photo' }).waitFor()
  await entry.getByRole('button', { name: 'Comment: a.jpg' }).click()
  await entry.getByText('No comments yet. Say something about it.').waitFor()
  // She has no part in it yet, so no room but that of the collection tells her.
  await kyoto.as('ada').post(`/api/asset/${kyoto.photo}/comments`, { collection_id: kyoto.collection.id, text: 'What light!' })
  await entry.getByRole('list', { name: 'Comments' }).getByText('What light!').waitFor({ timeout: 45_000 })
  await entry.getByRole('textbox', { name: 'Write a comment' }).fill('Morning')
  await entry.getByRole('button', { name: 'Send' }).click()
  await entry.getByRole('button', { name: '2 comments: a.jpg', expanded: true }).waitFor()
  await poll(async () => (await kyoto.sql`select from comments where asset_id = ${kyoto.photo}`).length).toBe(2)
  expect(await axeViolations(cleo.page)).toEqual([])
  await entry.getByRole('link', { name: 'on the first photo' }).click()
  await poll(() => where(cleo.page)).toMatchObject({ item: kyoto.photo, hash: '#comments' })
})

test('The feed scrolls back to its first entry', async ({ openPage }) => {
  const oslo = await world({ bob: 'write' })
  await oslo.sql`with made as (
      insert into posts (id, user_id, type, title) select gen_random_uuid(), ${oslo.as('bob').id}, 'note', 'Day ' || n from generate_series(1, 70) n
      returning id, title)
    insert into post_collections (collection_id, post_id, user_id, added_at)
    select ${oslo.collection.id}, id, ${oslo.as('bob').id}, now() - substr(title, 5)::int * interval '1 day' from made`
  const { page } = await openPage({ as: oslo.as('ada') })
  await page.goto('/feed')
  await page.getByRole('link', { name: 'Day 1', exact: true }).waitFor()
  await poll(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return page.getByRole('link', { name: 'Day 70', exact: true }).count()
  }).toBe(1)
  // And is there again for whoever comes back.
  await page.getByRole('link', { name: 'Day 70', exact: true }).click()
  await poll(() => where(page).pathname).toBe('/collections/timeline')
  await page.goBack()
  await page.getByRole('link', { name: 'Day 70', exact: true }).waitFor()
})

test('A feed that cannot be loaded shows the entries stored on this device and tries again', async ({
  expectedErrors,
  kyoto,
  openPage,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  const { page } = await openPage({ as: kyoto.as('cleo') })
  const noAnswer = () => page.route('**/api/feed*', (route) => route.abort())
  await noAnswer()
  await page.goto('/feed')
  await page.getByRole('heading', { name: 'The feed could not be loaded' }).waitFor({ timeout: 45_000 })
  // Its own room asks as well, and an answer to that would take the button away.
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.unrouteAll()
  await entries(page).first().waitFor()
  await poll(() =>
    page.evaluate(async () => {
      const name = (await indexedDB.databases()).map((database) => database.name ?? '').find((known) => known.startsWith('cairn-content-'))
      if (!name) return false
      const db = await new Promise<IDBDatabase>((resolve) => {
        const open = indexedDB.open(name)
        open.onsuccess = () => resolve(open.result)
      })
      const kept = await new Promise((resolve) => {
        const read = db.transaction('shell').objectStore('shell').get('feed')
        read.onsuccess = () => resolve(read.result)
      })
      db.close()
      return kept !== undefined
    }),
  ).toBe(true)
  await noAnswer()
  await page.reload()
  await page.getByText('You’re offline. You are seeing the version saved on this device.').waitFor({ timeout: 45_000 })
  await page.getByRole('link', { name: /^First snow/ }).waitFor()
})

test('An empty feed says what it will show', async ({ openPage }) => {
  const newcomer = await openPage({ as: await register('newcomer'), at: '/feed' })
  await newcomer.page.getByRole('heading', { name: 'Nothing new yet' }).waitFor()
  await newcomer.page.getByRole('main').getByRole('button', { name: 'New collection' }).waitFor()
  expect(await axeViolations(newcomer.page)).toEqual([])
})
