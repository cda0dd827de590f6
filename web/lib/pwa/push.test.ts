import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getPush, postPushSubscription } from '../../../contract/push.ts'
import { ApiError, call, forgetCalls } from '../api.ts'
import { readPushState, renewPush, turnPushOn } from './push.ts'

vi.mock('../api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

const KEY = 'AQID'
const OTHER_KEY = 'BAUG'

/** The subscription of this browser, whose push service makes a new endpoint each time. */
let own: { endpoint: string; key: string } | null
/** Whether the server knows any subscription. */
let known: boolean
/** Bodies of the subscriptions that the server was sent. */
let sent: { endpoint: string; replaces?: string }[]
let refusal: ApiError | null
let endpoints: number

function subscriptionOf({ endpoint, key }: NonNullable<typeof own>) {
  return {
    endpoint,
    options: { applicationServerKey: Uint8Array.from(atob(key), (character) => character.charCodeAt(0)).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'B', auth: 'A' } }),
    unsubscribe: async () => {
      own = null
      return true
    },
  }
}

beforeEach(() => {
  ;[own, known, sent, refusal, endpoints] = [{ endpoint: 'https://push.example/0', key: KEY }, true, [], null, 0]
  const pushManager = {
    getSubscription: async () => own && subscriptionOf(own),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      own ??= { endpoint: `https://push.example/${++endpoints}`, key: applicationServerKey }
      return subscriptionOf(own)
    },
  }
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  const registration = { pushManager }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration, ready: Promise.resolve(registration) } })
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
  vi.stubGlobal('PushManager', {})
  vi.mocked(call).mockImplementation((async (
    endpoint: unknown,
    options?: { body?: (typeof sent)[number]; query?: { endpoint?: string } },
  ) => {
    if (endpoint === getPush) return { key: KEY, subscribed: known && options?.query?.endpoint !== undefined }
    if (endpoint !== postPushSubscription) throw new Error('Nothing else is asked')
    if (options?.body) sent.push(options.body)
    if (refusal) throw refusal
    return {}
  }) as typeof call)
})

afterEach(() => void vi.unstubAllGlobals())

const replacements = () => sent.map(({ endpoint, replaces }) => [endpoint, replaces])

test('a subscription is renewed once a day', async () => {
  for (let times = 0; times < 3; times++) await renewPush()
  expect(replacements()).toEqual([['https://push.example/0', undefined]])
})

test('notifications are off where the site has another key by now, and begin again with it', async () => {
  expect(await readPushState()).toBe('on')
  own = { endpoint: 'https://push.example/0', key: OTHER_KEY }
  expect(await readPushState()).toBe('off')
  await renewPush()
  expect(own).toEqual({ endpoint: 'https://push.example/1', key: KEY })
  expect(replacements()).toEqual([['https://push.example/1', 'https://push.example/0']])
  expect(await readPushState()).toBe('on')
})

test('a subscription that the browser has replaced is sent with the one that the server has, also when a try failed', async () => {
  await renewPush()
  own = { endpoint: 'https://push.example/new', key: KEY }
  refusal = new ApiError('unavailable', 'Later')
  await expect(renewPush()).rejects.toThrow('Later')
  refusal = null
  await renewPush()
  expect(replacements().slice(1)).toEqual([
    ['https://push.example/new', 'https://push.example/0'],
    ['https://push.example/new', 'https://push.example/0'],
  ])
})

test('a browser whose subscription the server has ended unsubscribes', async () => {
  refusal = new ApiError('forbidden', 'Confirm first that it is you')
  await expect(renewPush()).rejects.toThrow('Confirm')
  expect(own).toBeNull()
})

test('notifications are off where the server has ended them', async () => {
  known = false
  expect(await readPushState()).toBe('off')
})

test('a browser whose user does not confirm who they are stays unsubscribed', async () => {
  own = null
  refusal = new ApiError('forbidden', 'Confirm first that it is you')
  await expect(turnPushOn()).rejects.toThrow('Confirm')
  expect(own).toBeNull()
  refusal = null
  expect(await turnPushOn()).toBe('on')
  expect(own).toMatchObject({ endpoint: 'https://push.example/2' })
})

test('notifications can be turned on after a user signed out whose renewal was not answered', async () => {
  vi.mocked(call).mockImplementationOnce(() => new Promise(() => {}))
  void renewPush()
  await vi.waitFor(() => expect(call).toHaveBeenCalledOnce())
  forgetCalls()
  expect(await turnPushOn()).toBe('on')
})
