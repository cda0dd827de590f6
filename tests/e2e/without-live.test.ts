import { expect } from 'vitest'
import { test } from '../support/fixtures.ts'
import { world } from '../support/world.ts'

/** A network that lets no sockets through. */

test('Without live updates, the card of a collection counts a post that was just written', async ({ expectedErrors, openPage }) => {
  expectedErrors.push(/WebSocket/)
  const kyoto = await world()
  const { page } = await openPage({ as: kyoto.as('ada') })
  await page.routeWebSocket(/.*/, (socket) => socket.close())
  await page.goto('/collections')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Kyoto', exact: true }) })
  await card.waitFor()
  await card.getByRole('link', { name: 'Kyoto', exact: true }).click()
  await page.getByRole('link', { name: 'Timeline' }).first().click()
  // A menu that is opened while the view is still loading closes when it arrives.
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  await page.evaluate('globalThis.loadedOnce = true')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('First snow')
  const stored = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/api/post'))
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await stored
  await page.getByRole('link', { name: 'Collections' }).first().click()
  await card.getByText('1 post', { exact: true }).waitFor({ timeout: 20_000 })
  expect(await page.evaluate('globalThis.loadedOnce')).toBe(true)
})
