import type { createStore } from 'jotai'
import { unlessSignedOut } from '../lib/api.ts'
import { isMetered } from '../lib/metered.ts'
import { setTimer } from '../lib/scheduling.ts'
import { readLocal, writeLocal } from '../lib/storage.ts'
import { isActive } from '../lib/uploads/items.ts'
import { withLock } from '../lib/with-lock.ts'
import { sessionUserIdAtom } from './session.ts'
import { uploadItemsAtom } from './uploads.ts'

/** Milliseconds: after the page was opened, between two looks at whether it is time, and between two questions if nothing is left. */
const FIRST = 60_000
const EVERY = 10 * 60_000
const DAY = 24 * 60 * 60_000

const keyOf = (userId: string) => `unread-asked ${userId}`
const isDue = (userId: string) => Math.abs(Date.now() - Number(readLocal(keyOf(userId)) ?? 0)) > DAY

/** Reads files of the user that nobody has read, in one tab at a time, when nothing else is to do. Call once. */
export function followUnread(app: ReturnType<typeof createStore>): void {
  let running = false
  const attempt = async () => {
    const userId = app.get(sessionUserIdAtom)
    // Phones end hidden pages, which would look as if the file had done it (reading-guard.ts).
    const isSeen = () => document.visibilityState === 'visible'
    const mayGoOn = () =>
      isSeen() && app.get(sessionUserIdAtom) === userId && navigator.onLine && !isMetered() && !app.get(uploadItemsAtom).some(isActive)
    if (running || userId === null || !isDue(userId) || !mayGoOn()) return
    running = true
    const leaving = new AbortController()
    const stop = app.sub(sessionUserIdAtom, () => leaving.abort())
    const work = () => unlessSignedOut(run(userId, mayGoOn, leaving.signal))
    await withLock(keyOf(userId), work, leaving.signal).catch(() => {})
    stop()
    running = false
  }
  setTimer(() => void attempt(), FIRST)
  setInterval(() => void attempt(), EVERY)
}

async function run(userId: string, mayGoOn: () => boolean, signal: AbortSignal): Promise<void> {
  // Another tab may have done it while this one waited.
  if (!isDue(userId)) return
  const { readUnread } = await import('../lib/uploads/read-unread.ts')
  if (await readUnread(mayGoOn, signal)) writeLocal(keyOf(userId), String(Date.now()))
}
