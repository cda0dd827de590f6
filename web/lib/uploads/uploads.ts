import type { Asset } from '../../../contract/assets.ts'
import { z } from '../../../contract/zod.ts'
import { throttle } from '../throttle.ts'
import { holdLock } from '../with-lock.ts'
import { openFilesStore } from './files-store.ts'
import { createFilmMaker } from './film-maker.ts'
import { isActive, isFilming, isLosable, isRunning, type NewFile } from './items.ts'
import { createItemsFeed, withMessage } from './items-feed.ts'
import { createPreparePool } from './prepare-pool.ts'
import { createUploadQueue, type QueueDeps, type UploadQueue } from './queue.ts'
import { createScreenWake } from './screen-wake.ts'
import { failureOf, uploadTransport } from './transport.ts'
import { UploadItem } from './types.ts'

/**
 * Messages between tabs. A tab that shows the tray sends pings; the leading tab answers with its items while pings come. Tabs with an older version ask for
 * all items with each ping, and do not tell which file they have stored.
 */
const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ping'), all: z.boolean().default(true) }),
  z.object({ kind: z.literal('stored'), id: z.string().optional() }),
  z.object({ kind: z.literal('items'), items: z.array(UploadItem) }),
  z.object({ kind: z.literal('changed'), items: z.array(UploadItem), removed: z.array(z.string()) }),
  z.object({
    kind: z.literal('settled'),
    collectionId: z.string(),
    added: z.array(z.string()),
    duplicates: z.number(),
    // Tabs with an older version do not send it.
    completed: z.number().default(0),
    failed: z.number(),
  }),
  z.object({
    kind: z.literal('act'),
    act: z.enum(['pause', 'resume', 'cancel', 'dismiss', 'dismissArrived', 'addTo']),
    id: z.string().optional(),
    collectionId: z.string().optional(),
  }),
])
type Message = z.infer<typeof Message>
type Act = Extract<Message, { kind: 'act' }>['act']

const PING_EVERY = 4_000
const LISTEN_TIMEOUT = 10_000
const SHOW_EVERY = 150

export interface Uploads {
  add(collectionId: string, files: readonly File[], known?: readonly NewFile[]): Promise<void>
  act(act: Act, id?: string, collectionId?: string): void
  thumb(id: string): Blob | null
  close(): void
}

/**
 * The uploads of one account on this device. Any number of tabs may be open: the one that holds the Web Lock sends the stored files of
 * all, the others show its progress. `shown` are the assets on the screen.
 */
export function openUploads(
  userId: string,
  onItems: (items: UploadItem[]) => void,
  onEvent: QueueDeps['onEvent'],
  shown: () => readonly Asset[],
): Uploads {
  const store = openFilesStore(userId)
  const channel = new BroadcastChannel(`cairn-uploads-${userId}`)
  const closing = new AbortController()
  const { signal } = closing
  let leading = false
  let elsewhere: UploadItem[] = []
  /** Whether `elsewhere` has all items of the leading tab. */
  let complete = false
  let listenedUntil = 0

  const broadcast = (message: Message) => signal.aborted || channel.postMessage(message)
  const keepAwake = createScreenWake(signal)
  const films = createFilmMaker(userId)
  const feed = createItemsFeed()
  const showNow = () => {
    if (signal.aborted) return
    const own = queue.items()
    keepAwake(own.some((item) => isRunning(item) || isFilming(item)))
    films.hold(own.some(isActive))
    const ids = new Set(own.map((item) => item.id))
    onItems([...own, ...(leading ? [] : elsewhere.filter((item) => !ids.has(item.id)))])
    if (leading && Date.now() < listenedUntil) broadcast(feed.next(own))
    else feed.restart()
  }
  const show = throttle(async () => showNow(), { delay: 0, gap: SHOW_EVERY })

  const queue: UploadQueue = createUploadQueue({
    ...{ userId, store, failureOf, films },
    isKnown: (checksum) => shown().some((asset) => asset.checksum === checksum),
    onEvent(event) {
      // The listener reads the final state of every item.
      if (event.kind === 'settled') showNow()
      onEvent(event)
      if (event.kind === 'settled') broadcast(event)
    },
    prepare: createPreparePool().prepare,
    transport: uploadTransport,
    onChange: show.ask,
    onHandedOver: (id) => broadcast({ kind: 'stored', id }),
  })

  channel.addEventListener('message', (event) => {
    const { data: message } = Message.safeParse(event.data)
    if (message?.kind === 'ping') {
      listenedUntil = Date.now() + LISTEN_TIMEOUT
      if (message.all) feed.restart()
    }
    if (message?.kind === 'stored' && leading) void queue.adopt(message.id)
    if (message?.kind === 'act' && leading) void queue[message.act](message.id, message.collectionId)
    if (message?.kind === 'settled') onEvent(message)
    if (message?.kind === 'items') complete = true
    if ((message?.kind === 'items' || message?.kind === 'changed') && complete && !leading) elsewhere = withMessage(elsewhere, message)
    show.ask()
  })
  const ping = () => {
    const visible = document.visibilityState === 'visible'
    if (visible && !leading) broadcast({ kind: 'ping', all: !complete })
    // The browser may suspend a hidden tab.
    complete &&= visible
  }
  const pinging = setInterval(ping, PING_EVERY)
  ping()

  void holdLock(`cairn-uploads-${userId}`, signal, {
    granted() {
      leading = true
      elsewhere = []
      return queue.lead()
    },
    lost() {
      leading = false
      complete = false
      queue.follow()
      ping()
    },
  })
  const retryNow = () => document.visibilityState === 'visible' && queue.retryNow()
  addEventListener('online', retryNow, { signal })
  document.addEventListener('visibilitychange', retryNow, { signal })
  // Files that exist only in memory would be lost: the browser asks before it closes the tab.
  addEventListener('beforeunload', (event) => queue.items().some(isLosable) && event.preventDefault(), { signal })

  return {
    add(collectionId, files, known) {
      void navigator.storage?.persist?.().catch(() => false)
      return queue.add(collectionId, files, known)
    },
    act(act, id, collectionId) {
      void queue[act](id, collectionId)
      if (!leading) broadcast({ kind: 'act', act, id, collectionId })
    },
    thumb: queue.thumb,
    close() {
      closing.abort()
      clearInterval(pinging)
      queue.stop()
      show.cancel()
      channel.close()
      store.close()
    },
  }
}
