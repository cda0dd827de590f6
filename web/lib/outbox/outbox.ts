import { Asset } from '../../../contract/assets.ts'
import { Comment } from '../../../contract/comments.ts'
import { Post } from '../../../contract/posts.ts'
import { Reaction } from '../../../contract/reactions.ts'
import { z } from '../../../contract/zod.ts'
import { ApiError } from '../api.ts'
import { holdLock } from '../with-lock.ts'
import { createOutboxQueue, type OutboxEvent, type OutboxQueue } from './queue.ts'
import { ConflictError, sendOperation } from './send.ts'
import type { OutboxFailure } from './step.ts'
import { openOutboxStore } from './store.ts'
import { Operation } from './types.ts'

/** Messages between the tabs of one account. */
const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed') }),
  z.object({ kind: z.literal('stuck'), operation: Operation }),
  z.object({
    kind: z.literal('done'),
    operation: Operation,
    answer: z.object({
      changeId: z.string().nullable(),
      post: Post.optional(),
      asset: Asset.optional(),
      comment: Comment.optional(),
      reactions: z.array(Reaction).optional(),
    }),
    answeredAt: z.number(),
  }),
])

export interface Outbox extends Pick<OutboxQueue, 'operations' | 'add' | 'takeBack' | 'drop' | 'retry'> {
  /** Resolves when the operations stored on this device have been read. */
  ready: Promise<void>
  /** Discards everything that waits, in all tabs. */
  clear(): Promise<void>
  close(): void
}

/**
 * Changes of one account on this device that the server has not confirmed. Any number of tabs may be open: the one that holds the Web Lock
 * sends, all show the same state. `own` marks events of changes sent by this tab.
 */
export function openOutbox(userId: string, onChange: () => void, onEvent: (event: OutboxEvent, own: boolean) => void): Outbox {
  const name = `cairn-outbox-${userId}`
  const store = openOutboxStore(userId)
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  const closing = new AbortController()
  const { signal } = closing
  const broadcast = (message: z.infer<typeof Message>) => signal.aborted || channel?.postMessage(message)

  const broadcasting = <A extends unknown[], R>(act: (...args: A) => Promise<R>) => {
    return async (...args: A) => {
      const result = await act(...args)
      broadcast({ kind: 'changed' })
      return result
    }
  }
  const queue = createOutboxQueue({
    store: { ...store, add: broadcasting(store.add), change: broadcasting(store.change) },
    send: sendOperation,
    failureOf,
    online: () => navigator.onLine,
    onChange,
    onEvent(event) {
      onEvent(event, true)
      if (event.kind !== 'memory') broadcast(event)
    },
  })

  channel?.addEventListener('message', ({ data }) => {
    const message = Message.safeParse(data).data
    if (message?.kind === 'changed') void queue.reload().then(queue.check)
    else if (message) onEvent(message, false)
  })
  addEventListener('online', queue.retryNow, { signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && queue.retryNow(), { signal })
  // Changes that exist only in memory would be lost: the browser asks before it closes the tab.
  addEventListener('beforeunload', (event) => queue.wouldLoseData() && event.preventDefault(), { signal })
  const ready = queue.reload()
  void holdLock(name, signal, { granted: queue.lead, lost: queue.follow })

  return {
    ready,
    operations: queue.operations,
    add: queue.add,
    takeBack: queue.takeBack,
    drop: queue.drop,
    retry: queue.retry,
    async clear() {
      queue.stop()
      await store.clear()
      broadcast({ kind: 'changed' })
    },
    close() {
      closing.abort()
      queue.stop()
      channel?.close()
      store.close()
    },
  }
}

function failureOf(error: unknown): OutboxFailure {
  if (error instanceof ConflictError)
    return { code: 'conflict', message: error.message, fields: {}, retryAfter: null, theirs: error.theirs }
  if (!(error instanceof ApiError)) return { code: 'unreadable', message: String(error), fields: {}, retryAfter: null, theirs: null }
  const { code, message, fields, retryAfter = null } = error
  return { code, message, fields, retryAfter, theirs: null }
}
