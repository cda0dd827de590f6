import path from 'node:path'
import { expect } from 'vitest'
import { say } from '#language'
import { LOAD_FAILURE } from '../../web/lib/load-failure.ts'
import { jpegLike, upload } from '../support/files.ts'
import { article, edit, line, menu, SOON, test, write } from '../support/outbox-scene.ts'
import { dropFiles } from '../support/people.ts'

const [PICTURE, SECOND] = ['altiplano-salt-lake.jpg', 'anhinga-drying-its-wings.jpg'].map((name) =>
  path.resolve(import.meta.dirname, '../../dev/demo/pictures', name),
) as [string, string]

/** Changes made offline or over a bad connection reach the other members once, and no text is lost. */

test('Notes written, changed and deleted offline survive closing the tab and reach the other member once', async ({
  ada,
  bob,
  open,
  post,
  titles,
}) => {
  await post('Stays')
  await post('Goes')
  const page = await open(ada.page)
  await open(bob.page)
  await ada.context.setOffline(true)
  await write(page, 'First snow', 'White and quiet')
  await edit(page, 'Stays', { Title: 'Stays, changed' })
  await edit(page, 'First snow', { Text: 'White, quiet and cold' })
  await menu(page, 'Goes', 'Move to trash')
  await article(page, 'First snow').getByText('Not saved yet').waitFor()
  await article(page, 'Stays, changed').waitFor()
  await article(page, 'Goes').waitFor({ state: 'detached' })
  await line(page, '4 changes are waiting for a connection').waitFor()
  expect(await titles()).toEqual(['Goes', 'Stays'])

  await page.close()
  await ada.context.setOffline(false)
  ada.page = await ada.context.newPage()
  await open(ada.page)
  await expect.poll(titles, SOON).toEqual(['First snow', 'Stays, changed'])
  for (const { page: screen } of [ada, bob]) {
    await article(screen, 'First snow').getByText('White, quiet and cold').waitFor(SOON)
    await article(screen, 'Stays, changed').waitFor(SOON)
    await article(screen, 'Goes').waitFor({ state: 'detached', ...SOON })
    expect(await article(screen, 'First snow').count()).toBe(1)
  }
  await article(ada.page, 'First snow')
    .getByText('Not saved yet')
    .waitFor({ state: 'detached', ...SOON })
})

test('Waiting changes survive a site whose storage is cleared in open tabs', async ({ ada, open, titles }) => {
  const page = await open(ada.page)
  const other = await open(await ada.context.newPage())
  await ada.context.setOffline(true)
  await write(page, 'Before', 'White')
  await line(other, /1 change is waiting/).waitFor()
  const session = await ada.context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'indexeddb' })
  await write(page, 'After', 'Quiet')
  await line(page, '2 changes are waiting for a connection').waitFor()
  await line(other, '2 changes are waiting for a connection').waitFor()
  await ada.context.setOffline(false)
  await expect.poll(titles, SOON).toEqual(['After', 'Before'])
  await line(page, /wait/).waitFor({ state: 'detached', ...SOON })
  await line(other, /wait/).waitFor({ state: 'detached', ...SOON })
  for (const screen of [page, other]) for (const title of ['After', 'Before']) expect(await article(screen, title).count()).toBe(1)
})

test('Two tabs that edit the same post offline both keep their text', async ({ ada, open, post, titles }) => {
  await post('Menu', '<p>Soup</p>')
  const first = await open(ada.page)
  const second = await open(await ada.context.newPage())
  await ada.context.setOffline(true)
  await menu(second, 'Menu', 'Edit')
  await second.getByRole('textbox', { name: 'Text' }).fill('Soup and rice')
  await edit(first, 'Menu', { Text: 'Soup and bread' })
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await line(second, '2 changes are waiting for a connection').waitFor()
  await line(first, '2 changes are waiting for a connection').waitFor()
  await ada.context.setOffline(false)
  await line(first, '1 change needs your attention').waitFor(SOON)
  await line(second, '1 change needs your attention').click(SOON)
  await second.getByRole('button', { name: 'Compare' }).last().click()
  const dialog = second.getByRole('dialog', { name: 'Two versions of “Menu”' })
  await dialog.getByRole('region', { name: 'Yours' }).getByText('Soup and rice').waitFor()
  await dialog.getByRole('region', { name: 'Theirs' }).getByText('Soup and bread').waitFor()
  await dialog.getByRole('button', { name: 'Keep both' }).click()
  await expect.poll(titles, SOON).toEqual(['Menu', 'Menu'])
  for (const text of ['Soup and bread', 'Soup and rice']) {
    await article(first, 'Menu').filter({ hasText: text }).waitFor(SOON)
    await article(second, 'Menu').filter({ hasText: text }).waitFor(SOON)
  }
  await line(first, /needs your attention/).waitFor({ state: 'detached', ...SOON })
})

test('What is written and added while another tab is suspended is sent, and by one of them only', async ({ ada, kyoto, open, titles }) => {
  await open(ada.page, 'media')
  const other = await ada.context.newPage()
  await open(other, 'media')
  // A question stops the tab as phones do in the background: it runs nothing, and keeps its locks.
  const asked = ada.page.waitForEvent('dialog')
  await ada.page.evaluate(() => void setTimeout(() => alert('Suspended')))
  const suspended = await asked
  await write(other, 'In the second tab')
  await dropFiles(other, [PICTURE])
  const pictures = async () => {
    const { body } = await kyoto.as('ada').get(`/api/asset?collection_id=${kyoto.collection.id}`)
    return body.assets.length
  }
  await expect.poll(titles, { timeout: 60_000 }).toEqual(['In the second tab'])
  await expect.poll(pictures, { timeout: 60_000 }).toBe(1)

  await suspended.accept()
  await write(ada.page, 'In the first tab again')
  await expect.poll(titles, SOON).toEqual(['In the first tab again', 'In the second tab'])
  await dropFiles(ada.page, [SECOND])
  await expect.poll(pictures, SOON).toBe(2)
})

test('An edit of a post that another member changed meanwhile waits for a choice', async ({ ada, kyoto, open, post }) => {
  const { id, version } = await post('Plan', '<p>Monday</p>')
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  await edit(page, 'Plan', { Text: 'Tuesday' })
  const theirs = await kyoto.as('bob').patch(`/api/post/${id}`, { body: '<p>Wednesday</p>' }, { headers: { 'if-match': String(version) } })
  expect(theirs.status).toBe(200)
  await ada.context.setOffline(false)
  await page.getByRole('button', { name: 'Compare' }).first().click(SOON)
  const dialog = page.getByRole('dialog', { name: 'Two versions of “Plan”' })
  await dialog.getByText('Wednesday').waitFor()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(async () => (await kyoto.as('ada').get(`/api/post/${id}`)).body.post.body, SOON).toBe('<p>Tuesday</p>')
  await article(page, 'Plan').getByText('Tuesday').waitFor()
})

test('A member who loses their role while an edit waits keeps the text and can save it elsewhere', async ({ bob, kyoto, open, post }) => {
  await post('Report', '<p>Draft</p>', 'bob')
  const own = await kyoto.as('bob').post('/api/collections', { name: 'Notes of Bob' })
  const page = await open(bob.page)
  await bob.context.setOffline(true)
  await edit(page, 'Report', { Text: 'Two long evenings of work' })
  await kyoto.as('ada').put(`/api/collections/${kyoto.collection.id}/members/${kyoto.as('bob').id}`, { role: 'read' })
  await bob.context.setOffline(false)
  await line(page, '1 change needs your attention').click(SOON)
  const dialog = page.getByRole('dialog', { name: 'Not saved yet' })
  await dialog.getByText('Two long evenings of work').waitFor()
  // Behind the dialog stands what the server has.
  await page.locator('article', { hasText: 'Draft' }).waitFor()
  await dialog.getByRole('button', { name: 'Save as a new post in…' }).click()
  await page.getByRole('menuitem', { name: 'Notes of Bob' }).click()
  const saved = async () => (await kyoto.as('bob').get(`/api/post?collection_id=${own.body.collection.id}`)).body.posts
  await expect.poll(saved, SOON).toMatchObject([{ title: 'Report', body: '<p>Two long evenings of work</p>' }])
  await line(page, /needs your attention/).waitFor({ state: 'detached', ...SOON })
})

test('A photo’s description that waited while the photo was trashed is shown and can be copied', async ({ bob, kyoto, open }) => {
  const size = { name: 'lake.jpg', width: 40, height: 30 }
  const { id } = await upload(kyoto.as('ada'), jpegLike(), { ...size, collectionIds: [kyoto.collection.id] })
  const page = await open(bob.page, 'media')
  await page.getByRole('button', { name: /^Photo lake/ }).click()
  await page.getByRole('button', { name: 'Information' }).click()
  const panel = page.getByRole('complementary', { name: 'Information' })
  await panel.getByRole('button', { name: 'Edit' }).click()
  const description = panel.getByRole('textbox', { name: 'Description' })
  await bob.context.setOffline(true)
  await description.fill('Salt to the horizon')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Salt to the horizon').waitFor()
  await kyoto.as('ada').delete(`/api/asset/${id}`)
  await bob.context.setOffline(false)
  await line(page, '1 change needs your attention').click(SOON)
  const dialog = page.getByRole('dialog', { name: 'Not saved yet' })
  await dialog.getByText('Salt to the horizon').waitFor()
  await bob.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy text' }).click()
  await page.getByText('Text copied').first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Salt to the horizon')
})

test('Server errors and lost responses duplicate no post', async ({ ada, open, titles }) => {
  const page = await open(ada.page)
  const left = ['lost', 'broken', 'lost']
  const sent: string[] = []
  await ada.context.route('**/api/post', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sent.push(route.request().postDataJSON().id)
    const fate = left.shift()
    if (fate === 'broken') return route.fulfill({ status: 500, body: 'oops' })
    if (fate !== 'lost') return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await write(page, 'Only once')
  await expect.poll(() => sent.length, { timeout: 30_000 }).toBe(4)
  expect(new Set(sent).size).toBe(1)
  await article(page, 'Only once')
    .getByText('Not saved yet')
    .waitFor({ state: 'detached', ...SOON })
  expect(await titles()).toEqual(['Only once'])
  expect(await article(page, 'Only once').count()).toBe(1)
})

test('A tab without room on the device says so and sends its changes', async ({ ada, open, titles }) => {
  await ada.context.addInitScript(() => {
    const add = IDBObjectStore.prototype.add
    IDBObjectStore.prototype.add = function (...given: Parameters<typeof add>) {
      if (this.name === 'operations') throw new DOMException('No room', 'QuotaExceededError')
      return add.apply(this, given)
    }
  })
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  await write(page, 'Held in memory')
  await page.getByText('This device has no room to keep your changes').first().waitFor()
  await article(page, 'Held in memory').waitFor()
  await ada.context.setOffline(false)
  await expect.poll(titles, SOON).toEqual(['Held in memory'])
})

test('A part of the screen that failed to load offline loads when the connection returns', async ({ ada, kyoto }) => {
  const cut = Promise.withResolvers<void>()
  let asked = 0
  await ada.page.route('**/assets/controls-*', async (route) => {
    if (asked++ > 0) return route.continue()
    await cut.promise
    await route.abort('internetdisconnected')
  })
  await ada.page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await expect.poll(() => asked).toBe(1)
  await ada.context.setOffline(true)
  const failed = ada.page.waitForEvent('requestfailed', (request) => request.url().includes('controls'))
  cut.resolve()
  await failed
  await ada.page.getByRole('heading', { level: 1 }).waitFor()
  await ada.context.setOffline(false)
  await write(ada.page, 'Something to search for')
  await ada.page.getByRole('searchbox', { name: 'Search this collection' }).waitFor()
})

test('A dialog never opened before says that it needs a connection, and a post opens once there is one', async ({ ada, open, post }) => {
  await post('First snow', '<p>White and quiet</p>')
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  const importing = async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Import…' }).click()
  }
  await importing()
  await page.getByText(say(LOAD_FAILURE)).first().waitFor()
  await page.getByRole('button', { name: 'First snow', exact: true }).click()
  const waiting = page.getByText('It loads when you are back online.')
  await waiting.waitFor()
  // Not that of the message.
  await waiting.locator('..').getByRole('button', { name: 'Close', exact: true }).click()
  await waiting.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'First snow', exact: true }).click()
  await waiting.waitFor()
  await ada.context.setOffline(false)
  const reader = page.getByRole('dialog', { name: 'First snow' })
  await reader.getByText('White and quiet').waitFor()
  await page.keyboard.press('Escape')
  await reader.waitFor({ state: 'detached' })
  await importing()
  await page.getByRole('dialog', { name: 'Import' }).waitFor()
})

test('A device whose clock is a day off sends its changes in order', async ({ ada, open, titles }) => {
  for (const [hours, title] of [
    [24, 'Tomorrow'],
    [-24, 'Yesterday'],
  ] as const) {
    const page = await ada.context.newPage()
    await page.addInitScript((off) => {
      const now = Date.now.bind(Date)
      Date.now = () => now() + off
    }, hours * 3_600_000)
    await open(page)
    await ada.context.setOffline(true)
    await write(page, title)
    await edit(page, title, { Title: `${title}, changed` })
    await ada.context.setOffline(false)
    await expect.poll(titles, SOON).toContain(`${title}, changed`)
    await page.close()
  }
  expect(await titles()).toEqual(['Tomorrow, changed', 'Yesterday, changed'])
})

test('A half-written post survives Back and a reload and is offered again', async ({ ada, open, titles }) => {
  const page = await open(ada.page, 'media')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Half a thought')
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByText('Your draft has been restored.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Half a thought')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect.poll(titles, SOON).toEqual(['Half a thought'])
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('')
})
