import { deletePushSubscription, getPush, postPushSubscription } from '../../../contract/push.ts'
import { ApiError, call } from '../api.ts'
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
  if ((await call(getPush)).key === null) return 'unavailable'
  return Notification.permission === 'granted' && (await subscription()) ? 'on' : 'off'
}

let last: Promise<unknown> = Promise.resolve()

/** Runs tasks one after another: a renewed subscription must not reach the server after its deletion. */
function inSequence<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work, work)
  last = done.catch(() => undefined)
  return done
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
    // A subscription with another key would receive nothing.
    if (old && keyOf(old) !== key) await old.unsubscribe()
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    await saveSubscription(made)
    return 'on'
  })
}

/** Renews the subscription once a day: the server may have lost it, or the user's email address may have been confirmed meanwhile. */
export async function renewPush(): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const today = new Date().toISOString().slice(0, 10)
  return inSequence(async () => {
    const made = readLocal(RENEWED) === today ? null : await subscription()
    if (!made) return
    try {
      await saveSubscription(made)
      writeLocal(RENEWED, today)
    } catch (error) {
      // The server has ended the subscription. It takes a new one only after re-authentication, from the switch in the profile.
      if (error instanceof ApiError && error.code === 'forbidden') await made.unsubscribe()
      throw error
    }
  })
}

const RENEWED = 'push-renewed'

async function saveSubscription(made: PushSubscription): Promise<void> {
  const { endpoint = '', keys } = made.toJSON()
  await call(postPushSubscription, { body: { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } } })
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
