import type { BrowserContext, Route } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WEB_BUILD } from '../../dev/build-web.ts'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { type CaptureServer, startCaptureServer } from '../support/capture-server.ts'
import { openBrowser, signUpInBrowser } from '../support/people.ts'

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'
let stack: Stack
let capture: CaptureServer
let chromium: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  capture = await startCaptureServer()
  const vars = { ANALYTICS_KEY: 'phc_test', ANALYTICS_HOST: capture.origin, RATE_LIMIT_FACTOR: '1000' }
  ;[stack, chromium] = await Promise.all([startStack({ worker: WORKER_BUNDLE, assets: WEB_BUILD, throwaway: true, vars }), openBrowser()])
})
afterAll(async () => {
  await chromium?.close()
  await stack?.stop()
  await capture?.stop()
})
beforeEach(() => {
  capture.events.length = 0
  capture.requests.length = 0
})

const poll = <T>(get: () => T) => expect.poll(get, { timeout: 30_000 })
const urls = () => capture.named('$pageview').map(({ properties }) => properties.current_url)

/** The library counts no robots, and takes a driven browser for one. */
async function asPerson(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'webdriver', { get: () => false })
    Object.defineProperty(navigator, 'userAgentData', { get: () => undefined })
  })
}

async function visitor() {
  const person = await chromium.person({ baseURL: stack.origin, userAgent: PERSON })
  await asPerson(person.context)
  return person
}

test('each route is counted once, with its address and without what is searched there; who signs in is named, and forgotten when they leave', async () => {
  const { page, context, errors } = await visitor()
  await page.goto('/about?utm_campaign=x&secret=hush')
  await poll(urls).toEqual([`${stack.origin}/about`])
  const stranger = capture.events[0]?.distinctId

  const email = `ada-${crypto.randomUUID()}@example.org`
  await signUpInBrowser(page, { firstName: 'Ada', lastName: 'Lovelace', email })
  await poll(() => capture.named('$identify')).toHaveLength(1)
  const [identified] = capture.named('$identify')
  expect(identified?.properties.$set).toEqual({ email, firstName: 'Ada', lastName: 'Lovelace' })
  const { user } = await page.evaluate(async () => (await fetch('/api/auth/session')).json())
  expect([identified?.distinctId, stranger]).toEqual([user.id, expect.not.stringContaining(user.id)])
  await poll(() => urls().at(-1)).toBe(`${stack.origin}/collections`)
  expect(capture.named('$pageview').at(-1)?.distinctId).toBe(identified?.distinctId)

  await page.goto('/profile/settings?tab=x#y')
  await poll(() => urls().at(-1)).toBe(`${stack.origin}/profile/settings`)
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await poll(() => urls().at(-1)).toBe(`${stack.origin}/login`)
  const after = capture.named('$pageview').at(-1)?.distinctId
  expect([identified?.distinctId, stranger]).not.toContain(after)

  expect(JSON.stringify(capture.events)).not.toMatch(/hush|secret|tab=x/)
  expect(new Set(capture.events.map(({ event }) => event))).toEqual(new Set(['$pageview', '$identify']))
  expect(capture.requests).toContainEqual(expect.stringMatching(/^GET \/api\/web_experiments\/\?token=phc_test/))
  expect(await context.cookies()).not.toContainEqual(expect.objectContaining({ name: expect.stringContaining('ph_') }))
  expect(errors).toEqual([])
})

test('three quick clicks in one place are told of, and so is an error that nobody caught', async () => {
  const { page } = await visitor()
  await page.goto('/about')
  await poll(urls).toHaveLength(1)
  await page.mouse.click(700, 400, { clickCount: 3 })
  await page.mouse.click(700, 405)
  await page.mouse.click(703, 400)
  await poll(() => capture.named('$rageclick').length).toBe(1)

  await page.evaluate(() => {
    const deep = (left: number): never => (left > 0 ? deep(left - 1) : fail())
    const fail = (): never => {
      throw new RangeError('nobody caught this')
    }
    Error.stackTraceLimit = 200
    setTimeout(() => deep(90))
  })
  await poll(() => capture.named('$exception').length).toBe(1)
  expect(capture.named('$exception')[0]?.properties.$exception_list).toEqual([
    expect.objectContaining({ type: 'RangeError', stacktrace: { type: 'raw', frames: expect.objectContaining({ length: 50 }) } }),
  ])
})

test.each(['doNotTrack', 'globalPrivacyControl'])(
  'somebody whose browser says %s is not counted, and nothing of it is loaded',
  async (wish) => {
    const { page, context } = await visitor()
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

test('a site without a key loads nothing and allows nothing', async () => {
  const { page } = await chromium.person({ userAgent: PERSON })
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

// Last: what a page sends when it is left comes later, and past what a test puts in its way.
test.each<[string, (route: Route) => unknown]>([
  ['is down', (route) => route.abort('connectionrefused')],
  ['answers with errors', (route) => route.fulfill({ status: 500, body: 'no' })],
  ['never answers', () => undefined],
])('a service that %s is missed by nobody', async (_what, answer) => {
  const { page, context, errors } = await visitor()
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
  expect(errors.filter((error) => !/ERR_CONNECTION_REFUSED/.test(error))).toEqual([])
  await context.close()
})
