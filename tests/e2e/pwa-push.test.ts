import type { BrowserContext, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { findChromium } from '../../dev/chromium.ts'
import { test as app } from '../support/fixtures.ts'
import { makeLink, secretOf } from '../support/guests.ts'
import { PHONE } from '../support/people.ts'
import { focusedName, tabTo } from '../support/reach.ts'
import { register, world } from '../support/world.ts'

const test = app
  // The headless shell shows no notifications.
  .extend('findBrowser', { scope: 'file' }, () => findChromium)
  .extend('kyoto', () => world())
  .extend('ada', async ({ kyoto, openPage }) => {
    const ada = await openPage({ as: kyoto.as('ada'), serviceWorkers: 'allow', permissions: ['notifications'], hasTouch: true })
    await ada.context.addInitScript(standInForPushService)
    return ada
  })
  .extend(
    'subscribed',
    ({ kyoto }) =>
      async () =>
        (await kyoto.sql`select endpoint from push_subscriptions where user_id = ${kyoto.as('ada').id}`).length,
  )

/** Fetching the whole app takes a busy machine a while. */
const WAIT = { timeout: 60_000 }

/** Subscribing asks a push service on the internet, so the browser's own part of that is played; what a push does is real. */
function standInForPushService(): void {
  const KEYS = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  const made = () => {
    const [endpoint, key = ''] = sessionStorage.getItem('subscribed')?.split(' ') ?? []
    if (!endpoint) return null
    const applicationServerKey = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer
    const unsubscribe = async () => {
      sessionStorage.removeItem('subscribed')
      return true
    }
    return { endpoint, options: { applicationServerKey }, unsubscribe, toJSON: () => ({ endpoint, keys: KEYS }) }
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => made(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      sessionStorage.setItem('subscribed', `https://push.example.org/${crypto.randomUUID()} ${applicationServerKey}`)
      return made()
    },
  })
}

async function untilControlled(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), WAIT).toBe('activated')
}

/** As the push service would: the browser wakes the worker with it. */
async function push(context: BrowserContext, page: Page, message: { body: string; [field: string]: unknown }): Promise<void> {
  const devtools = await context.newCDPSession(page)
  const registration = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  const origin = inject('stack').origin
  const registrationId = await registration
  const deliver = () => devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) })
  await deliver()
  // It is not said whether it came to a worker, which may have been about to end. A push service would know.
  let looks = 0
  const arrived = async () => {
    if ((await shown(page)).some((text) => text.endsWith(message.body))) return true
    if (++looks % 50 === 0) await deliver()
    return false
  }
  await expect.poll(arrived, { ...WAIT, interval: 100 }).toBe(true)
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const notifications = await (await navigator.serviceWorker.getRegistration())?.getNotifications()
    return notifications?.map(({ title, body }) => `${title}: ${body}`) ?? []
  })

test('Notifications are turned on and off for a device in the profile and muted in a collection’s settings', async ({
  ada,
  kyoto,
  subscribed,
}) => {
  const { page } = ada
  await page.goto('/profile/settings')
  const onThisDevice = page.getByRole('switch', { name: /^Notifications on this device/ })
  await untilControlled(page)
  await onThisDevice.click()
  await expect.poll(() => onThisDevice.isChecked()).toBe(true)
  await expect.poll(subscribed).toBe(1)
  await page.reload()
  await expect.poll(() => onThisDevice.isChecked()).toBe(true)
  await onThisDevice.click()
  await expect.poll(subscribed).toBe(0)
  await expect.poll(() => onThisDevice.isChecked()).toBe(false)
  await tabTo(page, /^Notifications on this device/)
  await page.keyboard.press('Space')
  await expect.poll(subscribed).toBe(1)
  await expect.poll(() => onThisDevice.isChecked()).toBe(true)
  expect(await focusedName(page)).toMatch(/^Notifications on this device/)
  await page.setViewportSize(PHONE)
  await onThisDevice.tap()
  await expect.poll(subscribed).toBe(0)

  await page.goto(`/collections/settings?c=${kyoto.collection.id}`)
  const told = page.getByRole('switch', { name: /^Notify me when others add items/ })
  await told.waitFor()
  await tabTo(page, /^Notify me when others add items/)
  await page.keyboard.press('Space')
  const muted = () => kyoto.sql`select muted from notices where collection_id = ${kyoto.collection.id}`
  await expect.poll(muted).toEqual([{ muted: true }])
  await page.reload()
  await expect.poll(() => told.isChecked()).toBe(false)
  await told.tap()
  await expect.poll(muted).toEqual([{ muted: false }])
})

test('The switch for this device and the list of devices with notifications agree', async ({ ada, kyoto, subscribed }) => {
  const { page } = ada
  await page.goto('/profile/settings')
  const onThisDevice = page.getByRole('switch', { name: /^Notifications on this device/ })
  const devices = page.getByRole('list', { name: 'Devices with notifications' }).getByRole('listitem')
  const kept = () => page.evaluate(() => sessionStorage.getItem('subscribed'))
  await untilControlled(page)
  await onThisDevice.click()
  await expect.poll(() => devices.count()).toBe(1)
  await devices.getByRole('button', { name: /^Turn off / }).click()
  await expect.poll(() => onThisDevice.isChecked()).toBe(false)
  await expect.poll(kept).toBeNull()

  await onThisDevice.click()
  await expect.poll(() => devices.count()).toBe(1)
  // As from another device.
  const { push } = (await kyoto.as('ada').get('/api/access')).body
  expect((await kyoto.as('ada').delete(`/api/access/push/${push[0].id}`)).status).toBe(200)
  expect([await subscribed(), await kept()]).toEqual([0, expect.any(String)])
  await page.reload()
  await onThisDevice.waitFor()
  expect(await onThisDevice.isChecked()).toBe(false)
})

test('A person who has blocked notifications is told where to allow them', async ({ kyoto, openPage }) => {
  const { page, context } = await openPage({ as: kyoto.as('ada'), serviceWorkers: 'allow' })
  await context.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
  await page.goto('/profile/settings')
  await page.getByText('Notifications of this site are blocked').waitFor()
  expect(await page.getByRole('switch', { name: /^Notifications on this device/ }).count()).toBe(0)
})

/** Presses the notification, or one of its buttons. */
async function press(context: BrowserContext, action = ''): Promise<void> {
  const [worker] = context.serviceWorkers()
  await worker?.evaluate(async (action) => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; dispatchEvent(event: Event): boolean }
    const [notification] = await scope.registration.getNotifications()
    const event = new Event('notificationclick')
    scope.dispatchEvent(Object.assign(event, { notification, action, waitUntil: () => undefined }))
  }, action)
}

test('A push becomes a notification that opens its page without reloading the app', async ({ ada }) => {
  const { page, context } = ada
  await page.goto('/collections')
  await untilControlled(page)
  await push(context, page, { title: 'Kyoto', body: 'Bob added 42 photos', path: '/feed', tag: 'news 1', unseen: 3 })
  await expect.poll(() => shown(page), WAIT).toEqual(['Kyoto: Bob added 42 photos'])
  await push(context, page, { title: 'Kyoto', body: 'Bob added 50 photos', path: '/feed', tag: 'news 1', unseen: 3 })
  await expect.poll(() => shown(page), WAIT).toEqual(['Kyoto: Bob added 50 photos'])
  await page.evaluate(() => Object.assign(globalThis, { still: 'here' }))
  await press(context)
  await page.waitForURL('**/feed')
  expect(await page.evaluate(() => (globalThis as unknown as { still?: string }).still)).toBe('here')
  await expect.poll(() => shown(page)).toEqual([])
})

test('A request to join is accepted within its notification, and one that is gone leads to the settings', async ({ ada, kyoto }) => {
  const { page, context } = ada
  const { id } = kyoto.collection
  const { url, id: link } = await makeLink(kyoto.as('ada'), id, { join: true })
  const eve = await register('eve')
  await eve.post(`/api/links/${secretOf(url)}/enter`, {})
  const { body } = await eve.post(`/api/collections/${id}/join-requests`, { link })
  await page.goto('/feed')
  await untilControlled(page)
  const path = `/collections/settings?c=${id}#requests`
  const joinRequest = { id: body.request.id, collectionId: id }
  const told = { title: 'Kyoto', body: 'Eve would like to become a member', path, tag: 'request 1', unseen: 0, joinRequest }
  await push(context, page, told)
  await press(context, 'accept')
  await expect.poll(async () => (await eve.get(`/api/collections/${id}`)).status).toBe(200)
  await expect.poll(() => shown(page)).toEqual([])
  expect(page.url()).toContain('/feed')

  await push(context, page, told)
  await press(context, 'decline')
  await page.waitForURL(`**${path}`)
})

test('A notification that is pressed while the app has just been opened leads to its page', async ({ ada: { page } }) => {
  await page.goto('/collections', { waitUntil: 'domcontentloaded' })
  await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { goTo: '/feed' } })))
  await page.waitForURL('**/feed')
})

test('A notification cannot lead to another site', async ({ ada }) => {
  const { page, context } = ada
  await page.goto('/feed')
  await untilControlled(page)
  await push(context, page, { title: 'Kyoto', body: 'Look here', path: '//evil.example/login', tag: 'news 1', unseen: 1 })
  await press(context)
  await page.waitForURL('**/collections')
  await page.evaluate(() => {
    const event = new MessageEvent('message', { data: { goTo: 'https://evil.example/login' } })
    navigator.serviceWorker.dispatchEvent(event)
  })
  await page.getByRole('listitem').getByText('Cairn does not lead to another site from here: https://evil.example/login').waitFor()
  expect(page.url()).toBe(`${inject('stack').origin}/collections`)
})

test('Signing out ends the device’s notifications and closes those shown', async ({ ada, subscribed }) => {
  const { page, context } = ada
  await page.goto('/profile/settings')
  await untilControlled(page)
  await page.getByRole('switch', { name: /^Notifications on this device/ }).click()
  await expect.poll(subscribed).toBe(1)
  await push(context, page, { title: 'Kyoto', body: 'Bob added 1 post', path: '/feed', tag: 'news 1', unseen: 1 })
  await expect.poll(() => shown(page), WAIT).toHaveLength(1)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => shown(page)).toEqual([])
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('subscribed'))).toBeNull()
})
