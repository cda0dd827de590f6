import { SessionUser } from '../../../contract/auth.ts'
import { endPush } from '../pwa/push-end.ts'
import { forgetShared } from '../pwa/shared-cache.ts'
import { DEVICE_USER, parseJson, readLocal, writeLocal } from '../storage.ts'
import { keepPicturesFor } from './caches.ts'
import type { DeviceStore, StoredContent } from './types.ts'

const PREFIX = 'cairn-content-'

/** Milliseconds after which a browser that does not answer is taken for one that keeps nothing. A busy one may take its second. */
const PATIENCE = 4_000

let open: { userId: string; store: Promise<DeviceStore | null> } | null = null

/** Who was last known to be signed in here: without a server, the app goes on with what is held of them. */
export function deviceUser(): SessionUser | null {
  return parseJson(readLocal(DEVICE_USER), SessionUser)
}

/** Opens what is kept of an account, ahead of need. */
export function openDevice(userId: string): void {
  if (open?.userId === userId || typeof indexedDB === 'undefined') return
  closeDevice()
  // Whose session has ended meanwhile had their database deleted: opening it would make it anew.
  const load = import('./store.ts').then(({ openDeviceStore }) => (open === mine ? openDeviceStore(userId, PREFIX + userId) : null))
  const mine: typeof open = { userId, store: load.catch(() => null) }
  open = mine
}

/** What is kept of the person who is signed in, or null where nothing can be kept. */
export async function device(): Promise<DeviceStore | null> {
  const asked = open
  const store = (await asked?.store) ?? null
  return open === asked ? store : null
}

/** What is kept of a collection. Null where it is not, or where the browser takes too long to say. */
export async function storedContent(collectionId: string): Promise<StoredContent | null> {
  if (!open) return null
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE))
  return Promise.race([device().then((store) => store?.content(collectionId) ?? null), late])
}

/** Whose device this is from now on. Whatever it keeps of anybody else is removed. */
export function keepDeviceFor(user: SessionUser | null): void {
  const before = [open?.userId, deviceUser()?.id].filter((id) => id !== undefined && id !== user?.id)
  writeLocal(DEVICE_USER, user && JSON.stringify(user))
  void keepPicturesFor(user?.id ?? null)
  if (before.length > 0) {
    if (open?.userId !== user?.id) closeDevice()
    void erase(before.map((id) => PREFIX + id))
    void endPush()
    void forgetShared()
  }
  if (!user) return
  openDevice(user.id)
}

function closeDevice(): void {
  void open?.store.then((store) => store?.close())
  open = null
}

/** By the browser's own call, which needs no code that may not be there without a connection. */
async function erase(names: readonly string[]): Promise<void> {
  try {
    for (const name of names) indexedDB.deleteDatabase(name)
    // What an earlier removal left, because the window was closed on it.
    const mine = open ? PREFIX + open.userId : null
    for (const { name } of await indexedDB.databases()) if (name?.startsWith(PREFIX) && name !== mine) indexedDB.deleteDatabase(name)
  } catch {
    // Where storage is blocked, nothing is kept.
  }
}
