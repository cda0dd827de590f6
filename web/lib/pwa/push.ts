import { deletePushSubscription, getPush, postPushSubscription } from '../../../contract/push.ts'
import { ApiError, call, unlessSignedOut } from '../api.ts'
import { inTurn } from '../in-turn.ts'
import { readLocal, writeLocal } from '../storage.ts'

/**
 * Notification state of this browser. `unable`: not supported, or not before the app is on the home screen; `blocked`: denied in the
 * browser's own settings; `unavailable`: this site sends no notifications.
 */
export type PushState = 'unable' | 'blocked' | 'unavailable' | 'off' | 'on'

/** Throws ApiError. */
export async function readPushState(): Promise<PushState> {
  if (!('PushManager' in globalThis && 'Notification' in globalThis && 'serviceWorker' in navigator)) return 'unable'
  if (Notification.permission === 'denied') return 'blocked'
  const made = Notification.permission === 'granted' ? await subscription() : null
  const { key, subscribed } = await call(getPush, { query: { endpoint: made?.endpoint } })
  if (key === null) return 'unavailable'
  return made && keyOf(made) === key && subscribed ? 'on' : 'off'
}

let oneAtATime: ReturnType<typeof inTurn> | null = null

/** A renewed subscription must not reach the server after its deletion. The queue ends with sign-out, as calls under way then never settle. */
function inSequence<T>(work: () => Promise<T>): Promise<T> {
  if (!oneAtATime) {
    oneAtATime = inTurn()
    void unlessSignedOut(new Promise(() => {})).then(() => {
      oneAtATime = null
    })
  }
  return oneAtATime(work)
}

/** Asks for permission if it has not been granted yet. Returns the resulting state. Throws ApiError. */
export async function turnPushOn(): Promise<PushState> {
  // First of all: browsers only ask right after a user gesture.
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
  // Outside the sequence: without a service worker, `ready` never resolves.
  const [{ pushManager }, { key }] = await Promise.all([navigator.serviceWorker.ready, call(getPush)])
  return inSequence(async () => {
    if (key === null) return 'unavailable'
    const old = await pushManager.getSubscription()
    await saveSubscription(await subscribeWith(pushManager, old, key), old?.endpoint)
    return 'on'
  })
}

/** A subscription with another key receives nothing. */
async function subscribeWith(
  pushManager: PushManager,
  old: PushSubscription | null,
  applicationServerKey: string,
): Promise<PushSubscription> {
  if (old && keyOf(old) !== applicationServerKey) await old.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

/**
 * Renews the subscription once a day: the server may have lost it or have another key, or the user's email address may have been confirmed meanwhile.
 * One that the browser has replaced is renewed at once.
 */
export async function renewPush(): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  return inSequence(async () => {
    const manager = (await navigator.serviceWorker.getRegistration())?.pushManager
    const old = (await manager?.getSubscription()) ?? null
    const [day, saved] = (readLocal(RENEWED) ?? '').split(' ')
    if (!manager || !old || (day === today() && saved === old.endpoint)) return
    const { key } = await call(getPush)
    if (key === null) return
    const made = await subscribeWith(manager, old, key)
    await saveSubscription(made, made.endpoint === old.endpoint ? saved : old.endpoint)
  })
}

/** The day, and the endpoint that the server has. */
const RENEWED = 'push-renewed'

const today = () => new Date().toISOString().slice(0, 10)

/** `replaces` is the endpoint that the server may have of this browser. */
async function saveSubscription(made: PushSubscription, replaces: string | undefined): Promise<void> {
  const { endpoint = '', keys } = made.toJSON()
  const subscription = { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
  try {
    await call(postPushSubscription, { body: { ...subscription, ...(replaces && replaces !== endpoint && { replaces }) } })
  } catch (error) {
    // The server has ended the subscription, or this one is new. It takes it only after re-authentication, from the switch in the profile.
    if (error instanceof ApiError && error.code === 'forbidden') await made.unsubscribe()
    throw error
  }
  writeLocal(RENEWED, `${today()} ${endpoint}`)
}

/** Throws ApiError; the browser has unsubscribed even then. */
export function turnPushOff(): Promise<PushState> {
  return inSequence(async (): Promise<PushState> => {
    const made = await subscription()
    if (!made) return 'off'
    const { endpoint } = made
    await made.unsubscribe()
    await call(deletePushSubscription, { body: { endpoint } })
    return 'off'
  })
}

async function subscription(): Promise<PushSubscription | null> {
  return (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
