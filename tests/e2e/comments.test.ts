import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { jpegLike, upload } from '../support/files.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { test as app, SOON, type Viewer } from '../support/viewer.ts'
import { world } from '../support/world.ts'

/** Ada owns Kyoto, Bob reads it: what both say about a photo and a post. */
const test = app
  .extend('expectedErrors', () => [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/])
  .extend('kyoto', () => world({ bob: 'read' }))
  .extend('post', async ({ kyoto }) => {
    const { body } = await kyoto.as('ada').post('/api/post', { type: 'note', title: 'First snow', collectionIds: [kyoto.collection.id] })
    return body.post as { id: string }
  })
  .extend('photo', ({ kyoto }) =>
    upload(kyoto.as('ada'), jpegLike(), { name: 'Gate.jpg', width: 40, height: 30, collectionIds: [kyoto.collection.id] }),
  )
  .extend('ada', ({ kyoto, watch, post: _, photo: __ }) => watch(kyoto, 'ada', 'timeline'))
  .extend('bob', ({ kyoto, watch, post: _, photo: __ }) => watch(kyoto, 'bob', 'timeline'))

const openPost = async ({ page }: Viewer, count: string | RegExp = /^Comment: First snow|comments?: First snow/) => {
  await page.getByRole('button', { name: count }).click()
  const thread = page.getByRole('region', { name: 'Comments' })
  await field(thread).waitFor()
  return thread
}
const field = (thread: Locator) => thread.getByRole('textbox', { name: 'Write a comment' })
const said = (thread: Locator, text: string) => thread.getByRole('article').filter({ hasText: text })
async function write(thread: Locator, text: string): Promise<void> {
  await field(thread).pressSequentially(text)
  await field(thread).press('Control+Enter')
  await said(thread, text).waitFor()
}
const menu = async (page: Page, comment: Locator, item: string) => {
  await comment.getByRole('button', { name: /^More for the comment/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('What one person says about a post appears for another, who answers; it is edited, deleted and brought back', async ({ ada, bob }) => {
  const [hers, his] = [await openPost(ada), await openPost(bob)]
  await write(his, 'Lovely https://example.org/hut.')
  await said(hers, 'Lovely').waitFor(SOON)
  expect(await said(hers, 'Lovely').getByRole('link').getAttribute('href')).toBe('https://example.org/hut')
  await said(hers, 'Lovely').getByRole('button', { name: 'Reply to Bob Test' }).click()
  await hers.getByRole('textbox', { name: 'Reply to Bob Test' }).fill('We stayed there')
  await hers.getByRole('button', { name: 'Reply', exact: true }).click()
  await his.getByRole('list', { name: 'Answers to Bob Test' }).getByText('We stayed there').waitFor(SOON)
  expect(await axeViolations(ada.page)).toEqual([])

  await menu(bob.page, said(his, 'Lovely'), 'Edit')
  await his.getByRole('textbox', { name: 'Edit the comment' }).fill('Lovely hut')
  await his.getByRole('button', { name: 'Save', exact: true }).click()
  await said(hers, 'Lovely hut').getByText('edited').waitFor(SOON)

  await menu(ada.page, said(hers, 'We stayed there'), 'Delete')
  await said(his, 'We stayed there').waitFor({ state: 'detached', ...SOON })
  await said(hers, 'We stayed there').waitFor({ state: 'detached', ...SOON })
  await expect.poll(() => ada.page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await ada.page.getByRole('button', { name: 'Undo' }).first().click()
  await said(his, 'We stayed there').waitFor(SOON)
  await said(hers, 'We stayed there').waitFor(SOON)
})

test('The number of comments is never too high while one that was written is confirmed', async ({ ada }) => {
  const { page } = ada
  const thread = await openPost(ada)
  await page.evaluate(`{
    globalThis.counts = new Set()
    const look = () => {
      const names = [...document.querySelectorAll('[aria-label$=": First snow"]')].map((button) => button.ariaLabel)
      for (const name of names) globalThis.counts.add(name.split(':')[0])
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  }`)
  for (const text of ['One', 'Two', 'Three']) {
    await write(thread, text)
    await said(thread, text)
      .getByText('Not sent yet')
      .waitFor({ state: 'detached', ...SOON })
  }
  const counts = () => page.evaluate('[...globalThis.counts].sort()')
  await expect.poll(counts).toContain('3 comments')
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expect(await counts()).toEqual(['1 comment', '2 comments', '3 comments', 'Comment'])
})

test('A reaction is one tap, seen live by the other, and the card counts', async ({ ada, bob }) => {
  const card = ada.page.getByRole('article', { name: 'First snow' })
  const theirs = bob.page.getByRole('article', { name: 'First snow' })
  await card.getByRole('button', { name: 'Add a reaction' }).click()
  await ada.page.getByRole('button', { name: 'Thumbs up' }).click()
  await theirs.getByRole('button', { name: 'Thumbs up 1' }).click(SOON)
  const both = card.getByRole('button', { name: 'Thumbs up 2', pressed: true })
  await both.waitFor(SOON)
  await both.hover()
  await ada.page.getByRole('tooltip', { includeHidden: true }).getByText('You and Bob Test').waitFor()
  await both.click()
  await theirs.getByRole('button', { name: 'Thumbs up 1', pressed: true }).waitFor(SOON)
  await card.getByRole('button', { name: 'Add a reaction' }).click()
  await ada.page.getByRole('textbox', { name: 'Any other emoji' }).fill('two words')
  await ada.page.getByRole('button', { name: 'React', exact: true }).click()
  await ada.page.getByText('Type or paste one emoji.').waitFor()
  await ada.page.getByRole('textbox', { name: 'Any other emoji' }).fill('🦊')
  await ada.page.getByRole('button', { name: 'React', exact: true }).click()
  await theirs.getByRole('button', { name: '🦊 1' }).waitFor(SOON)
})

test('An admin hides a comment, which its author and admins alone can read', async ({ ada, bob }) => {
  const [hers, his] = [await openPost(ada), await openPost(bob)]
  await write(his, 'Rude words')
  await said(hers, 'Rude words').waitFor(SOON)
  await menu(ada.page, said(hers, 'Rude words'), 'Hide from others')
  await said(hers, 'Rude words').getByText('Hidden from others').waitFor(SOON)
  await said(his, 'Rude words').getByText('Hidden: only you and admins see it').waitFor(SOON)
})

test('A comment written without a connection is shown as not sent, and arrives once with the next one', async ({
  ada,
  bob,
  kyoto,
  post,
}) => {
  const [hers, his] = [await openPost(ada), await openPost(bob)]
  await bob.context.setOffline(true)
  await write(his, 'From the train')
  await said(his, 'From the train').getByText('Not sent yet').waitFor()
  await bob.context.setOffline(false)
  await said(hers, 'From the train').waitFor(SOON)
  await said(his, 'From the train')
    .getByText('Not sent yet')
    .waitFor({ state: 'detached', ...SOON })
  const { body } = await kyoto.as('ada').get(`/api/post/${post.id}/comments?collection_id=${kyoto.collection.id}`)
  expect(body.comments.map(({ text }: { text: string }) => text)).toEqual(['From the train'])
})

test('What is begun stays in the field when the post is closed and opened again', async ({ bob }) => {
  const his = await openPost(bob)
  await field(his).fill('Half a thought')
  await bob.page.keyboard.press('Escape')
  await his.waitFor({ state: 'detached' })
  expect(await field(await openPost(bob)).inputValue()).toBe('Half a thought')
})

test('A reply that was begun moves to the field for a new comment when the comment that it answers is deleted', async ({ ada, bob }) => {
  const [hers, his] = [await openPost(ada), await openPost(bob)]
  await write(his, 'Where was that?')
  await field(hers).fill('What a view')
  await said(hers, 'Where was that?').getByRole('button', { name: 'Reply to Bob Test' }).click(SOON)
  await hers.getByRole('textbox', { name: 'Reply to Bob Test' }).fill('Near the river')
  await menu(bob.page, said(his, 'Where was that?'), 'Delete')
  await hers.getByRole('textbox', { name: 'Reply to Bob Test' }).waitFor({ state: 'detached', ...SOON })
  await expect.poll(() => field(hers).inputValue()).toBe('What a view\n\nNear the river')
  await ada.page.keyboard.type(', at noon')
  await field(hers).press('Control+Enter')
  await said(his, 'Near the river, at noon').waitFor(SOON)
})

test('When nobody may comment, what was said stays and both are told why they cannot answer', async ({ ada, bob, kyoto }) => {
  const his = await openPost(bob)
  await write(his, 'Before')
  await ada.page.goto(`/collections/settings?c=${kyoto.collection.id}`)
  await ada.page.getByRole('radio', { name: /^Nobody/ }).click()
  await his.getByText('Comments are turned off here.').waitFor(SOON)
  await said(his, 'Before').waitFor()
  expect(await field(his).count()).toBe(0)
})

test('A photo on the phone is commented on with a mention, and its tile counts the comment', async ({ kyoto, watch, photo: _, bob }) => {
  await bob.page.close()
  const { body } = await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name: 'Mizuki' })
  expect(body.person.name).toBe('Mizuki')
  const { page } = await watch(kyoto, 'ada', 'media', { viewport: PHONE, hasTouch: true })
  await page.getByRole('button', { name: /^Photo Gate/ }).click()
  await page.getByRole('button', { name: 'Comments', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Comments' })
  await field(panel).fill('With ')
  await field(panel).pressSequentially('@miz')
  await panel.getByRole('option', { name: 'Mizuki' }).waitFor()
  await field(panel).press('Enter')
  await expect.poll(() => field(panel).inputValue()).toBe('With @Mizuki ')
  await panel.getByRole('button', { name: 'Send' }).click()
  await said(panel, 'With @Mizuki').waitFor()
  await page.getByRole('button', { name: 'Comments: 1' }).waitFor(SOON)
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Photo Gate.*, 1 comment$/ }).waitFor(SOON)
})
