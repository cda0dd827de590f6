import type { BrowserContext, Route } from 'playwright-core'
import { expect } from 'vitest'
import { WEB_BUILD } from '../../dev/build-web.ts'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { startStack } from '../../dev/stack.ts'
import { type Sent, startCaptureServer } from '../support/capture-server.ts'
import { test as app } from '../support/fixtures.ts'
import { signUpInBrowser } from '../support/people.ts'

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

const test = app
  .extend('capture', { scope: 'file' }, async ({ browser: _ }, { onCleanup }) => {
    const capture = await startCaptureServer()
    onCleanup(capture.stop)
    return capture
  })
  /** Cairn with a key of the analytics service. */
  .extend('counted', { scope: 'file' }, async ({ capture }, { onCleanup }) => {
    const vars = { ANALYTICS_KEY: 'phc_test', ANALYTICS_HOST: capture.origin, RATE_LIMIT_FACTOR: '1000' }
    const stack = await startStack({ worker: WORKER_BUNDLE, assets: WEB_BUILD, vars })
    onCleanup(stack.stop)
    return stack
  })
  /**
   * A person at it, and what their browser alone has sent: pages still send when they are closed, which is after their test. `poll` moves
   * their clock on, since the library sends every three seconds.
   */
  .extend('visitor', async ({ capture, counted, openPage }) => {
    const userAgent = `${PERSON} Visitor/${crypto.randomUUID()}`
    const person = await openPage({ baseURL: counted.origin, userAgent })
    await asPerson(person.context)
    const { clock } = person.page
    await clock.install()
    const poll = <T>(get: () => T) => expect.poll(() => clock.fastForward(3_000).then(get), { timeout: 30_000, interval: 300 })
    return { ...person, poll, sent: capture.from(userAgent) }
  })

const urls = (sent: Sent) => () => sent.named('$pageview').map(({ properties }) => properties.current_url)

/** The library counts no robots, and takes a driven browser for one. */
async function asPerson(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'webdriver', { get: () => false })
    Object.defineProperty(navigator, 'userAgentData', { get: () => undefined })
  })
}

test('Each page view is counted once without its query, and a person is identified until they sign out', async ({ counted, visitor }) => {
  const { page, context, poll, sent } = visitor
  await page.goto('/about?utm_campaign=x&secret=hush')
  await poll(urls(sent)).toEqual([`${counted.origin}/about`])
  const stranger = sent.events[0]?.distinctId

  const email = `ada-${crypto.randomUUID()}@example.org`
  await signUpInBrowser(page, { firstName: 'Ada', lastName: 'Lovelace', email })
  await poll(() => sent.named('$identify')).toHaveLength(1)
  const [identified] = sent.named('$identify')
  expect(identified?.properties.$set).toEqual({ email, firstName: 'Ada', lastName: 'Lovelace' })
  const { user } = await page.evaluate(async () => (await fetch('/api/auth/session')).json())
  expect([identified?.distinctId, stranger]).toEqual([user.id, expect.not.stringContaining(user.id)])
  await poll(() => urls(sent)().at(-1)).toBe(`${counted.origin}/collections`)
  expect(sent.named('$pageview').at(-1)?.distinctId).toBe(identified?.distinctId)

  await page.goto('/profile/settings?tab=x#y')
  await poll(() => urls(sent)().at(-1)).toBe(`${counted.origin}/profile/settings`)
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await poll(() => urls(sent)().at(-1)).toBe(`${counted.origin}/login`)
  const after = sent.named('$pageview').at(-1)?.distinctId
  expect([identified?.distinctId, stranger]).not.toContain(after)

  expect(JSON.stringify(sent.events)).not.toMatch(/hush|secret|tab=x/)
  expect(new Set(sent.events.map(({ event }) => event))).toEqual(new Set(['$pageview', '$identify']))
  expect(await context.cookies()).not.toContainEqual(expect.objectContaining({ name: expect.stringContaining('ph_') }))
})

test('Experiments are requested with the project token, and events are posted to the same host', async ({ visitor }) => {
  const { page, poll, sent } = visitor
  await page.goto('/about')
  const requests = () => sent.requests.map((request) => request.replace(/&.*/, ''))
  await poll(requests).toContain('GET /api/web_experiments/?token=phc_test')
  await poll(requests).toContainEqual(expect.stringMatching(/^POST \/e\//))
})

test('A visitor keeps one id over several loads, until their browser objects', async ({ counted, visitor }) => {
  const { page, context, poll, sent } = visitor
  await page.goto('/about')
  await poll(urls(sent)).toEqual([`${counted.origin}/about`])
  await page.goto('/privacy')
  await poll(urls(sent)).toEqual([`${counted.origin}/about`, `${counted.origin}/privacy`])
  expect(new Set(sent.events.map(({ distinctId }) => distinctId)).size).toBe(1)
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(await stored()).toContain(sent.events[0]?.distinctId)
  expect(await context.cookies()).toEqual([])
  await context.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true }))
  await page.goto('/about')
  await expect.poll(stored).not.toContain(sent.events[0]?.distinctId)
})

test('The first page of a quick sign-in is counted, and is a visitor’s', async ({ counted, visitor }) => {
  const { page, poll, sent } = visitor
  // Analytics comes when the sign-in is over.
  const over = Promise.withResolvers<void>()
  await page.route('**/api/analytics/config', async (route) => {
    await over.promise
    await route.continue()
  })
  await signUpInBrowser(page, { firstName: 'Ada', lastName: 'Lovelace', email: `ada-${crypto.randomUUID()}@example.org` })
  await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
  over.resolve()
  await poll(urls(sent)).toEqual([`${counted.origin}/register`, `${counted.origin}/collections`])
  const [before, after] = sent.named('$pageview').map(({ distinctId }) => distinctId)
  const { user } = await page.evaluate(async () => (await fetch('/api/auth/session')).json())
  expect([before, after]).toEqual([expect.not.stringContaining(user.id), user.id])
})

test('Each collection and view is one page view, and each month of the calendar none', async ({ counted, visitor }) => {
  const { page, poll, sent } = visitor
  await signUpInBrowser(page, { firstName: 'Ada', lastName: 'Lovelace', email: `ada-${crypto.randomUUID()}@example.org` })
  const made = (name: string) =>
    page.evaluate(async (called) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/api/collections', { method: 'POST', headers, body: JSON.stringify({ name: called }) })
      return (await answer.json()).collection.id as string
    }, name)
  const [kyoto, nara] = [await made('Kyoto'), await made('Nara')]
  await page.goto(`/collections/calendar?c=${kyoto}`)
  const calendar = `${counted.origin}/collections/calendar`
  const views = () => urls(sent)().filter((url) => url === calendar).length
  await poll(views).toBe(1)
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.waitForURL(/on=/)
  await page.getByRole('radio', { name: 'Week' }).click()
  await page.waitForURL(/view=week/)
  await page.getByRole('button', { name: 'Collection: Kyoto' }).first().click()
  await page.getByRole('option', { name: 'Nara' }).click()
  await page.waitForURL(new RegExp(nara))
  await page.getByRole('link', { name: 'Feed' }).first().click()
  // Events arrive in order: what comes before the last one has come.
  await poll(() => urls(sent)().at(-1)).toBe(`${counted.origin}/feed`)
  expect(views()).toBe(3)
})

test('Three quick clicks in one spot and an uncaught error are reported', async ({ expectedErrors, visitor }) => {
  expectedErrors.push(/nobody caught this/)
  const { page, poll, sent } = visitor
  await page.goto('/about')
  await poll(urls(sent)).toHaveLength(1)
  await page.mouse.click(700, 400, { clickCount: 3 })
  await page.mouse.click(700, 405)
  await page.mouse.click(703, 400)
  await poll(() => sent.named('$rageclick').length).toBe(1)

  await page.evaluate(() => {
    const deep = (left: number): never => (left > 0 ? deep(left - 1) : fail())
    const fail = (): never => {
      throw new RangeError('nobody caught this')
    }
    // Of a timer the clock of the test would catch it.
    queueMicrotask(() => deep(90))
  })
  await poll(() => sent.named('$exception').length).toBe(1)
  expect(sent.named('$exception')[0]?.properties.$exception_list).toEqual([
    expect.objectContaining({ type: 'RangeError', stacktrace: { type: 'raw', frames: expect.objectContaining({ length: 50 }) } }),
  ])
})

test.for(['doNotTrack', 'globalPrivacyControl'])(
  'A visitor whose browser says %s is not counted and loads no analytics',
  async (wish, { capture, visitor }) => {
    const { page, context, poll } = visitor
    await context.addInitScript((name) => Object.defineProperty(navigator, name, { get: () => (name === 'doNotTrack' ? '1' : true) }), wish)
    const asked: string[] = []
    const told: string[] = []
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin === capture.origin) told.push(pathname)
      else asked.push(pathname)
    })
    await page.goto('/about')
    await poll(() => asked.some((path) => path.includes('follow-analytics'))).toBe(true)
    await page.getByRole('link', { name: 'Privacy' }).first().click()
    await page.getByRole('heading', { name: 'Privacy', level: 1 }).waitFor()
    expect(asked).not.toContain('/api/analytics/config')
    expect(told).toEqual([])
  },
)

test('A site without a key loads and allows no analytics', async ({ openPage }) => {
  const { page } = await openPage({ userAgent: PERSON })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const answered = page.waitForResponse('**/api/analytics/config')
  const response = await page.goto('/about')
  expect(response?.headers()['content-security-policy']).not.toContain('posthog')
  expect(await (await answered).json()).toEqual({ success: true, analytics: null })
  await page.getByRole('link', { name: 'Privacy' }).first().click()
  await page.getByRole('heading', { name: 'Privacy', level: 1 }).waitFor()
  expect(asked.filter((url) => /\/analytics-[\w-]+\.js|posthog/.test(url))).toEqual([])
})

test.for<[string, (route: Route) => unknown]>([
  ['is down', (route) => route.abort('connectionrefused')],
  ['answers with errors', (route) => route.fulfill({ status: 500, body: 'no' })],
  ['never answers', () => undefined],
])('An analytics service that %s disturbs no page', async ([, answer], { capture, expectedErrors, visitor }) => {
  expectedErrors.push(/ERR_CONNECTION_REFUSED/)
  const { page, context, poll } = visitor
  const asked: string[] = []
  await context.route(`${capture.origin}/**`, (route) => {
    asked.push(new URL(route.request().url()).pathname)
    return answer(route)
  })
  await page.goto('/about')
  await poll(() => asked.includes('/e/')).toBe(true)
  await page.getByRole('link', { name: 'Privacy' }).first().click()
  await page.getByRole('heading', { name: 'Privacy', level: 1 }).waitFor()
  await signUpInBrowser(page, { firstName: 'Ada', lastName: 'Lovelace', email: `ada-${crypto.randomUUID()}@example.org` })
  await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
})
