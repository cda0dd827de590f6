import { SessionUser } from '../../../contract/auth.ts'
import { endPush } from '../pwa/push-end.ts'
import { forgetShared } from '../pwa/shared-cache.ts'
import { DEVICE_USER, forgetStored, parseJson, readLocal, writeLocal } from '../storage.ts'
import { keepImagesFor } from './caches.ts'
import { deleteEmptyPendingData } from './pending-data.ts'
import type { DeviceStore, StoredContent } from './types.ts'

const PREFIX = 'cairn-content-'
/** Names who was signed in when the session was lost. */
const SHARED_OF = 'shared-of'

/** Milliseconds; a browser that does not answer by then is treated as one without storage. A busy one may take a second. */
const TIMEOUT = 4_000

let open: { userId: string; store: Promise<DeviceStore | null> } | null = null

/** The last user known to be signed in here. Offline, the app continues with that user's stored content. */
export function deviceUser(): SessionUser | null {
  return parseJson(readLocal(DEVICE_USER), SessionUser)
}

/** Opens the store of an account before it is needed. */
export function openDevice(userId: string): void {
  if (open?.userId === userId || typeof indexedDB === 'undefined') return
  closeDevice()
  // If the session has ended meanwhile, the database has been deleted: opening it would create it again.
  const load = import('./store.ts').then(({ openDeviceStore }) => (open === mine ? openDeviceStore(userId, PREFIX + userId) : null))
  const mine: typeof open = { userId, store: load.catch(() => null) }
  open = mine
}

/** The store of the signed-in user, or null where nothing can be stored. */
export async function device(): Promise<DeviceStore | null> {
  const current = open
  const store = (await current?.store) ?? null
  return open === current ? store : null
}

/** Stored content of a collection. Null if there is none, or if the browser takes too long. */
export async function storedContent(collectionId: string): Promise<StoredContent | null> {
  if (!open) return null
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT))
  return Promise.race([device().then((store) => store?.content(collectionId) ?? null), late])
}

/**
 * Keeps data of this user from now on. Data of all other users is deleted. What was shared with the app waits after a lost session, but only for
 * the same user.
 */
export function keepDeviceFor(user: SessionUser | null, ended: 'left' | 'lost' = 'lost'): void {
  const before = [open?.userId, deviceUser()?.id].filter((id): id is string => id !== undefined && id !== user?.id)
  writeLocal(DEVICE_USER, user && JSON.stringify(user))
  void keepImagesFor(user?.id ?? null)
  if (before.length > 0) {
    if (open?.userId !== user?.id) closeDevice()
    void erase(before.map((id) => PREFIX + id))
    for (const id of before) void deleteEmptyPendingData(id, () => deviceUser()?.id === id)
    void endPush()
    forgetStored()
  }
  const owner = before[0] ?? readLocal(SHARED_OF)
  if (owner && (user ? owner !== user.id : ended === 'left')) void forgetShared()
  writeLocal(SHARED_OF, user || ended === 'left' ? null : owner)
  if (!user) return
  openDevice(user.id)
}

function closeDevice(): void {
  void open?.store.then((store) => store?.close())
  open = null
}

/** Uses the browser's own API: library code may not be loaded yet without a connection. */
async function erase(names: readonly string[]): Promise<void> {
  try {
    for (const name of names) indexedDB.deleteDatabase(name)
    // Leftovers of an earlier deletion that was interrupted by closing the window.
    for (const { name } of await indexedDB.databases()) {
      if (name?.startsWith(PREFIX) && name !== `${PREFIX}${open?.userId}`) indexedDB.deleteDatabase(name)
    }
  } catch {
    // Where storage is blocked, nothing is stored.
  }
}
