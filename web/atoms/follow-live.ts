import type { createStore } from 'jotai'
import type { ChangeMessage, ServerMessage } from '../../contract/live.ts'
import { backOff } from '../lib/back-off.ts'
import { type Live, openLive } from '../lib/live/live.ts'
import { fetchAhead } from '../lib/load-failure.ts'
import { hasDrafts } from '../lib/posts/drafts.ts'
import { throttle } from '../lib/throttle.ts'
import { cardsWatchedAtom, outdateCardsAtom } from './cards.ts'
import {
  collectionsAtom,
  fetchAllAtom,
  fetchCollectionsAtom,
  loseCollectionAtom,
  lostCollectionAtom,
  membershipsAtom,
  selectedCollectionAtom,
} from './collections.ts'
import { behindAtom, contentErrorAtom, setRevisionAtom } from './content.ts'
import { checkMembershipsAtom, refreshContentAtom } from './content-fetch.ts'
import { feedWatchedAtom, refreshFeedAtom } from './feed.ts'
import { ELSEWHERE, liveStatusAtom, publishedViewAtom, roomsAtom, setPresentAtom } from './live.ts'
import { circleAtom, fetchCircleAtom } from './members.ts'
import { dismissOverlaysAtom } from './overlays.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { sessionUserIdAtom } from './session.ts'
import { addToastAtom } from './toasts.ts'

type Store = ReturnType<typeof createStore>

/** Milliseconds. Changes come in bursts: the delay collects them into one request, the gap limits the rate. */
const PACE = { delay: 50, gap: 1_000 }

/** For the count beside the feed's name. Milliseconds. */
const COUNT_PACE = { delay: 500, gap: 20_000 }

/** Keeps the atoms up to date with changes made elsewhere. Loaded after the first paint. Call once. Returns a function that stops it. */
export function followLive(app: Store, open: typeof openLive = openLive): () => void {
  const ask = askers(app)
  const live = open({
    onStatus: (status) => app.set(liveStatusAtom, app.get(sessionUserIdAtom) === null ? 'off' : status),
    onMessage: (room, message) => {
      receive(app, ask, room, message)
      if (message.type === 'hello') publishView(app, live, room)
    },
    onEnded: (room, reason) => {
      const collectionId = collectionOf(room)
      if (collectionId) app.set(loseCollectionAtom, collectionId, reason)
      ask.lists.ask()
    },
  })
  const follow = () => {
    const rooms = app.get(roomsAtom)
    live.follow(rooms)
    if (rooms.length === 0) app.set(liveStatusAtom, 'off')
  }
  // Cancels requests made for another user.
  const endAsking = () => {
    for (const asker of Object.values(ask)) asker.cancel()
  }
  const publishOwnView = throttle(async () => publishView(app, live), { delay: 0, gap: 300 })
  const stops = [
    app.sub(sessionUserIdAtom, endAsking),
    app.sub(roomsAtom, follow),
    app.sub(publishedViewAtom, publishOwnView.ask),
    app.sub(lostCollectionAtom, () => explainLoss(app)),
    app.sub(membershipsAtom, () => joinOrLeave(app)),
  ]
  follow()
  // Handles what happened before this was loaded.
  explainLoss(app)
  joinOrLeave(app)
  return () => {
    for (const stop of stops) stop()
    live.close()
  }
}

type Askers = ReturnType<typeof askers>

/**
 * Milliseconds. Within a second a user's own room gets only the first change (worker/queries/changes.ts), so cards and feed are fetched
 * once more when that second is over.
 */
const AFTER_BURST = 1_500

function afterwards(act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    ask() {
      clearTimeout(timer)
      timer = setTimeout(act, AFTER_BURST)
    },
    cancel: () => clearTimeout(timer),
  }
}

/** Repeats a failed request at growing intervals: there may be no further message that would trigger it. */
function retries(act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failed = 0
  const cancel = () => {
    clearTimeout(timer)
    failed = 0
  }
  const ask = () => {
    clearTimeout(timer)
    timer = setTimeout(act, backOff(++failed, Math.random()))
  }
  return { ask, cancel }
}

function askers(app: Store) {
  const contentAgain = retries(() => content.ask())
  const content = throttle(async () => {
    const id = app.get(selectedCollectionIdAtom)
    // Messages may be repeated, late or out of order, so this fetches only while content is missing.
    if (id && app.get(behindAtom)) await app.set(refreshContentAtom, id)
    const error = app.get(behindAtom) && app.get(contentErrorAtom)
    if (error && error.code !== 'forbidden') contentAgain.ask()
    else contentAgain.cancel()
  }, PACE)
  const collections = throttle(() => app.set(fetchCollectionsAtom), PACE)
  const feed = throttle(() => app.set(refreshFeedAtom), PACE)
  const feedCount = throttle(() => app.set(refreshFeedAtom), COUNT_PACE)
  return {
    collections,
    cardsLater: afterwards(() => (app.get(cardsWatchedAtom) ? collections.ask() : app.set(outdateCardsAtom))),
    ...{ feed, feedCount },
    feedLater: afterwards(() => (app.get(feedWatchedAtom) ? feed : feedCount).ask()),
    content,
    contentAgain,
    lists: throttle(() => app.set(fetchAllAtom), PACE),
    circle: throttle(async () => {
      const collection = app.get(selectedCollectionAtom)
      if (collection && app.get(circleAtom)?.collectionId === collection.id) await app.set(fetchCircleAtom, collection.id, collection.role)
    }, PACE),
  }
}

function receive(app: Store, ask: Askers, room: string, message: Exclude<ServerMessage, { type: 'bye' }>) {
  const collectionId = collectionOf(room)
  if (message.type === 'change') handleChange(app, ask, message, collectionId === null)
  else if (collectionId) app.set(setPresentAtom, room, message.present)
  if (message.type !== 'hello') return
  // Changes made while the connection was down are unknown.
  if (!collectionId) {
    feedChanged(app, ask)
    return ask.lists.ask()
  }
  app.set(setRevisionAtom, collectionId, message.revision)
  ask.content.ask()
  ask.circle.ask()
}

/** `own`: the message came to the user's own room, so it concerns them or their cards, whatever the collection. */
function handleChange(app: Store, ask: Askers, change: ChangeMessage, own: boolean) {
  const { table, collection_id, revision } = change
  if (collection_id && collection_id === app.get(selectedCollectionIdAtom)) app.set(setRevisionAtom, collection_id, revision)
  switch (table) {
    case 'collections':
      ask.collections.ask()
      // Changes to people of the collection arrive as changes to the collection.
      return ask.circle.ask()
    case 'asset_collections':
    case 'post_collections':
      cardsChanged(app, ask)
      feedChanged(app, ask)
      return ask.content.ask()
    case 'invites':
    case 'members':
      if (own && concerns(app, change)) ask.lists.ask()
      cardsChanged(app, ask)
      feedChanged(app, ask)
      ask.circle.ask()
  }
}

function cardsChanged(app: Store, ask: Askers) {
  if (app.get(cardsWatchedAtom)) ask.collections.ask()
  else app.set(outdateCardsAtom)
  ask.cardsLater.ask()
}

function feedChanged(app: Store, ask: Askers) {
  if (app.get(feedWatchedAtom)) ask.feed.ask()
  else ask.feedCount.ask()
  ask.feedLater.ask()
}

/** False if another member came, left or changed: that message only updates the cards. */
function concerns(app: Store, { table, user_id }: ChangeMessage): boolean {
  return table === 'invites' || user_id === undefined || user_id === app.get(sessionUserIdAtom)
}

function publishView(app: Store, live: Live, only?: string): void {
  const view = app.get(publishedViewAtom)
  const room = app.get(roomsAtom).find((name) => collectionOf(name) !== null)
  if (!room || (only && only !== room)) return
  live.say(room, { type: 'presence', view: view?.view ?? ELSEWHERE, ...(view?.itemId ? { itemId: view.itemId } : {}) })
}

/** A calm message: the user did nothing wrong. */
function explainLoss(app: Store): void {
  const lost = app.get(lostCollectionAtom)
  if (!lost) return
  app.set(dismissOverlaysAtom)
  const { name, reason } = lost
  const title = {
    deleted: `“${name}” was deleted`,
    removed: `You are no longer a member of “${name}”`,
    unknown: `“${name}” is no longer shared with you`,
  }[reason]
  const others = (app.get(collectionsAtom)?.length ?? 0) > 0
  app.set(addToastAtom, {
    id: 'lost-collection',
    title,
    icon: 'lock',
    type: 'background',
    description: others ? 'Your other collections are as they were.' : 'Whatever is yours is still yours.',
  })
}

/** Visible content may have changed, and drafts may belong to collections that the user has left. */
function joinOrLeave(app: Store): void {
  void app.set(checkMembershipsAtom)
  const userId = app.get(sessionUserIdAtom)
  if (userId && hasDrafts(userId)) fetchAhead(async () => app.set((await import('./lost-drafts.ts')).keepLostDraftsAtom))
}

function collectionOf(room: string): string | null {
  return room.startsWith('collection:') ? room.slice('collection:'.length) : null
}
