import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { jpegLike, upload } from '../support/files.ts'
import { PHONE } from '../support/people.ts'
import { middleOf } from '../support/reach.ts'
import { test as app, SOON } from '../support/viewer.ts'
import { world } from '../support/world.ts'

/** Back on an Android phone closes what is open, not the page. Chromium's close watchers stand for the button, which only Android has. */

const test = app
  .extend('kyoto', async () => {
    const kyoto = await world()
    await upload(kyoto.as('ada'), jpegLike(), { name: 'one.jpg', width: 40, height: 30, collectionIds: [kyoto.collection.id] })
    return kyoto
  })
  .extend('open', ({ kyoto, openPage }) => async (): Promise<Page> => {
    const { page } = await openPage({ as: kyoto.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true })
    await page.addInitScript(rememberWatchers)
    await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
    await page.getByRole('button', { name: 'Open one.jpg' }).waitFor(SOON)
    return page
  })

/** Runs in the page. The last watcher is the one that Back asks to close. */
function rememberWatchers(): void {
  const name = 'CloseWatcher'
  const Own = Reflect.get(globalThis, name)
  const watchers: { requestClose: () => void }[] = []
  const Remembered = class extends Own {
    constructor() {
      super()
      watchers.push(this as unknown as { requestClose: () => void })
    }
    destroy() {
      watchers.splice(watchers.indexOf(this as never), 1)
      super.destroy()
    }
  }
  const pressBack = () => {
    const last = watchers.at(-1)
    if (last) last.requestClose()
    else history.back()
  }
  Object.assign(globalThis, { [name]: Remembered, pressBack })
}

const back = (page: Page) => page.evaluate('pressBack()')

test('Back closes a menu, a dialog and a popover, and ends a selection, in the order in which they came', async ({ open }) => {
  const page = await open()
  const address = page.url()
  const menu = page.getByRole('menu')

  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await menu.waitFor()
  await back(page)
  await menu.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await menu.getByRole('menuitem', { name: 'Note' }).tap()
  const editor = page.getByRole('dialog', { name: 'New note' })
  await editor.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
  await back(page)
  await editor.waitFor({ state: 'detached' })

  const cdp = await page.context().newCDPSession(page)
  const point = await middleOf(page.getByRole('button', { name: 'Open one.jpg' }))
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.waitFor()
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await bar.getByRole('button', { name: 'Date' }).tap()
  const date = page.getByRole('dialog').last()
  await date.waitFor()
  await back(page)
  await date.waitFor({ state: 'detached' })
  await bar.waitFor()
  await back(page)
  await bar.waitFor({ state: 'detached' })
  expect(page.url()).toBe(address)
})

test('Back asks before it throws a text away', async ({ open }) => {
  const page = await open()
  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Note' }).tap()
  const editor = page.getByRole('dialog', { name: 'New note' })
  await editor.getByRole('textbox', { name: 'Text', exact: true }).tap()
  await page.keyboard.type('Snow on the passes')
  await back(page)
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await question.waitFor()
  await back(page)
  await question.waitFor({ state: 'detached' })
  await editor.getByText('Snow on the passes').waitFor()
})
