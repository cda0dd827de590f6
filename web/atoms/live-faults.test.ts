import fc from 'fast-check'
import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { getSession } from '../../contract/auth.ts'
import { listCollections } from '../../contract/collections.ts'
import type { ServerMessage } from '../../contract/live.ts'
import type { Post } from '../../contract/posts.ts'
import { ApiError, call } from '../lib/api.ts'
import { assetsPage, type PageQuery, postsPage } from '../lib/content/source.ts'
import { openLive } from '../lib/live/live.ts'
import type { SocketHandlers } from '../lib/live/socket.ts'
import { fetchAllAtom } from './collections.ts'
import { assetsAtom, postsAtom } from './content.ts'
import { fetchContentAtom } from './content-fetch.ts'
import { followLive } from './follow-live.ts'
import { selectCollectionAtom } from './selected-collection.ts'
import { askSessionAtom } from './session.ts'

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/device/device.ts')
vi.mock('../lib/live/socket.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

const KYOTO = '0198b2c4-0000-7000-8000-000000000001'
const ROOM = `collection:${KYOTO}`
const MINUTE = 60_000
const CHANGES = 150

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  vi.stubGlobal('document', new EventTarget())
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Returns the same numbers from 0 to 1 for the same seed (mulberry32). */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

type Row = Post & Asset

/** A collection on a server that answers late and sometimes not at all. */
function server(random: () => number) {
  const lists = { post: new Map<string, Row>(), asset: new Map<string, Row>() }
  const changedAt = { post: new Map<string, number>(), asset: new Map<string, number>() }
  let revision = 1
  /** Returns the kind of the change. */
  const change = () => {
    revision++
    const kind = random() < 0.5 ? 'post' : 'asset'
    const rows = lists[kind]
    const known = [...rows.keys()]
    const some = known[Math.floor(random() * known.length)]
    const id = some !== undefined && random() < 0.6 ? some : `0198b2c4-0000-7000-8000-${String(revision).padStart(12, '0')}`
    changedAt[kind].set(id, revision)
    if (id === some && random() < 0.3) rows.delete(id)
    // The lists read these fields.
    else rows.set(id, { id, date: null, date_zone: null, version: revision } as unknown as Row)
    return kind
  }
  const pageOf =
    (kind: 'post' | 'asset') =>
    async (_: string, { since }: PageQuery) => {
      await wait(random() * 3_000)
      // Only deltas fail: if the first page fails, the screen reports it and offers a retry.
      if (since !== undefined && random() < 0.1) throw new ApiError('unavailable', 'Later', { status: 503 })
      const ids = [...changedAt[kind]].filter(([, at]) => at > (since ?? 0)).map(([id]) => id)
      const answer = {
        rows: ids.flatMap((id) => lists[kind].get(id) ?? []),
        deleted: since === undefined ? [] : ids.filter((id) => !lists[kind].has(id)),
        nextCursor: null,
        revision,
      }
      await wait(random() * 3_000)
      return answer
    }
  return { lists, change, pageOf, revision: () => revision }
}

/** Connections that deliver twice, out of order and up to a minute late, and that break. */
function network(random: () => number, revision: () => number) {
  const lines = new Set<SocketHandlers>()
  const deliver = (line: SocketHandlers, message: ServerMessage, latest: number) => {
    const arrive = () => {
      if (!lines.has(line)) return
      line.onReceived()
      line.onMessage(message)
    }
    for (let times = random() < 0.3 ? 2 : 1; times > 0; times--) setTimeout(arrive, random() * latest)
  }
  const breaks = (line: SocketHandlers) => {
    if (lines.delete(line)) line.onLost()
  }
  const connect = (room: string, line: SocketHandlers) => {
    // A ticket may be slow to come, and not come at all.
    const coming = setTimeout(
      () => {
        if (random() < 0.3) return line.onLost()
        lines.add(line)
        line.onReceived()
        line.onMessage({ type: 'hello', room, revision: room === ROOM ? revision() : 0, present: [] })
      },
      random() * (random() < 0.1 ? 20_000 : 2_000),
    )
    return {
      send: (text: string) => void (text === 'ping' && setTimeout(() => lines.has(line) && line.onReceived(), 100)),
      close: () => {
        clearTimeout(coming)
        lines.delete(line)
      },
    }
  }
  return {
    connect,
    tell(kind: 'post' | 'asset', latest: number) {
      const message: ServerMessage = {
        type: 'change',
        table: `${kind}_collections`,
        event: 'UPDATE',
        collection_id: KYOTO,
        revision: revision(),
      }
      for (const line of lines) deliver(line, message, latest)
    },
    breakAll: () => {
      for (const line of [...lines]) breaks(line)
    },
  }
}

const versions = (rows: Iterable<Pick<Row, 'id' | 'version'>>) => [...rows].map(({ id, version }) => `${id} ${version}`).sort()

/** Replays the history of this seed, and checks that the screen ends up in the server's state. */
async function live(seed: number): Promise<void> {
  const random = dice(seed)
  vi.spyOn(Math, 'random').mockImplementation(random)
  const kyoto = server(random)
  const net = network(random, kyoto.revision)
  vi.mocked(postsPage).mockImplementation(kyoto.pageOf('post'))
  vi.mocked(assetsPage).mockImplementation(kyoto.pageOf('asset'))
  vi.mocked(call).mockImplementation((async (endpoint: unknown) => {
    if (endpoint === getSession) return { user: { id: 'ada' }, expiresAt: null }
    if (endpoint === listCollections) return { collections: [{ id: KYOTO, name: 'Kyoto', role: 'read' }] }
    return { invitedCollections: [] }
  }) as typeof call)

  const store = createStore()
  const stop = followLive(store, (handlers) => openLive(handlers, net.connect))
  await store.set(askSessionAtom)
  store.set(selectCollectionAtom, KYOTO)
  await store.set(fetchAllAtom)
  void store.set(fetchContentAtom, KYOTO)
  for (let i = 0; i < CHANGES; i++) {
    net.tell(kyoto.change(), MINUTE)
    // Breaks all connections, as a restarted room does.
    if (random() < 0.05) net.breakAll()
    await vi.advanceTimersByTimeAsync(random() * 2_000)
  }
  await vi.advanceTimersByTimeAsync(5 * MINUTE)
  stop()
  expect(versions(store.get(postsAtom))).toEqual(versions(kyoto.lists.post.values()))
  expect(versions(store.get(assetsAtom))).toEqual(versions(kyoto.lists.asset.values()))
}

test("Repeated, reordered and late messages over breaking connections leave the screen in the server's state", async () => {
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1 }), live), { numRuns: 200 })
}, 60_000)
