import type { createStore } from 'jotai'
import { t } from '#say'
import { type ChangeMessage, type ChangeTable, ELSEWHERE, type ServerMessage } from '../../contract/live.ts'
import { guestLink } from '../lib/guest/link.ts'
import { type Live, openLive } from '../lib/live/live.ts'
import { fetchAhead } from '../lib/load-failure.ts'
import { countDrafts } from '../lib/posts/drafts.ts'
import { throttle } from '../lib/throttle.ts'
import { deletingAccountAtom } from './account-end.ts'
import { collectionsAtom, listsLackAtom, listsShowAtom, loseCollectionAtom, lostCollectionAtom, membershipsAtom } from './collections.ts'
import { setRevisionAtom } from './content.ts'
import { checkMembershipsAtom } from './content-fetch.ts'
import { countUnseenAtom, feedWatchedAtom } from './feed.ts'
import { unseenAtom, unseenKnownAtom } from './feed-badge.ts'
import { liveStatusAtom, publishedViewAtom, roomsAtom } from './live.ts'
import { askers } from './live-askers.ts'
import { dismissOverlaysAtom } from './overlays.ts'
import { setPresentAtom } from './presence.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { sessionUserIdAtom } from './session.ts'
import { addToastAtom } from './toasts.ts'

type Store = ReturnType<typeof createStore>

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
    },
  })
  const follow = () => {
    const rooms = app.get(roomsAtom)
    live.follow(rooms)
    if (rooms.length === 0) app.set(liveStatusAtom, 'off')
  }
  const publishOwnView = throttle(async () => publishView(app, live), { delay: 0, gap: 300 })
  document.addEventListener('visibilitychange', publishOwnView.ask)
  // No message says that the feed was seen on another device, or in another window.
  const recount = () => {
    if (document.visibilityState === 'visible' && app.get(unseenAtom) > 0) ask.feed()
  }
  document.addEventListener('visibilitychange', recount)
  globalThis.addEventListener?.('focus', recount)
  const stops = [
    // Cancels requests made for another user.
    app.sub(sessionUserIdAtom, ask.cancel),
    app.sub(roomsAtom, follow),
    app.sub(publishedViewAtom, publishOwnView.ask),
    app.sub(lostCollectionAtom, () => explainLoss(app)),
    app.sub(membershipsAtom, () => joinOrLeave(app)),
    app.sub(collectionsAtom, () => app.set(countUnseenAtom)),
  ]
  follow()
  // Handles what happened before this was loaded.
  explainLoss(app)
  joinOrLeave(app)
  return () => {
    for (const stop of stops) stop()
    document.removeEventListener('visibilitychange', publishOwnView.ask)
    document.removeEventListener('visibilitychange', recount)
    globalThis.removeEventListener?.('focus', recount)
    ask.cancel()
    live.close()
  }
}

type Askers = ReturnType<typeof askers>

function receive(app: Store, ask: Askers, room: string, message: Exclude<ServerMessage, { type: 'bye' }>) {
  const collectionId = collectionOf(room)
  // A room that was joined for threads alone: the user's own says what else concerns them.
  if (collectionId && collectionId !== app.get(selectedCollectionIdAtom)) {
    if (message.type === 'hello' || (message.type === 'change' && message.table === 'comments'))
      ask.threadsIn(collectionId, message.revision)
    return
  }
  if (message.type === 'change') handleChange(app, ask, message, collectionId === null)
  else if (collectionId) app.set(setPresentAtom, room, message)
  if (message.type !== 'hello') return
  // Changes made while the connection was down are unknown.
  if (!collectionId) return catchUpOwn(app, ask, message.revision)
  app.set(setRevisionAtom, collectionId, message.revision)
  if (guestLink) ask.afterHello()
  ask.content.ask()
  ask.threads.ask()
  ask.shareLinks.ask()
  ask.circle(collectionId, message.revision)
}

function catchUpOwn(app: Store, ask: Askers, revision: number) {
  const lacks = () => app.get(listsLackAtom)(revision)
  ask.lists.ask(lacks)
  ask.joinRequests.ask()
  ask.contributions.ask()
  // The feed has nothing that the lists do not announce.
  if (lacks() || !app.get(unseenKnownAtom)) ask.feed()
  ask.afterHello()
}

/** `own`: the message came to the user's own room, so it concerns them or their cards, whatever the collection. */
function handleChange(app: Store, ask: Askers, change: ChangeMessage, own: boolean) {
  const { table, collection_id, revision } = change
  if (collection_id && collection_id === app.get(selectedCollectionIdAtom)) app.set(setRevisionAtom, collection_id, revision)
  const lack = () => !app.get(listsShowAtom)(change)
  if (guestLink) return askAsGuest(ask, change, lack)
  switch (table as ChangeTable) {
    case 'collections':
      ask.collections.ask(lack)
      // Changes to people of the collection arrive as changes to the collection.
      return ask.circle(collection_id, revision)
    case 'asset_collections':
    case 'post_collections':
      ask.cards(lack, true)
      ask.feed()
      return ask.content.ask()
    case 'invites':
      if (own) ask.lists.ask(lack)
      return ask.circle(collection_id, revision)
    case 'members':
      if (own && concerns(app, change)) ask.lists.ask(lack)
      ask.cards(lack, false)
      ask.feed()
      return ask.circle(collection_id, revision)
    case 'users':
      if (own) return ask.profile.ask()
      ask.feed()
      ask.circle(collection_id, revision)
      // Their items are published as changes of their own.
      return ask.content.ask()
    case 'comments':
      // Only those that concern the user are counted, and come to their own room.
      if (own || app.get(feedWatchedAtom)) ask.feed()
      ask.threads.ask()
      return ask.content.ask()
    case 'join_requests':
      ask.collections.ask(lack)
      ask.joinRequests.ask()
      return ask.content.ask()
    case 'contributions':
      ask.collections.ask(lack)
      ask.contributions.ask()
      return ask.content.ask()
    case 'links':
      ask.shareLinks.ask()
      return ask.content.ask()
    default:
      return ask.content.ask()
  }
}

/** Guests are told only that the collection changed. */
function askAsGuest(ask: Askers, { collection_id, revision }: ChangeMessage, lack: () => boolean): void {
  ask.collections.ask(lack)
  ask.circle(collection_id, revision)
  ask.threads.ask()
  ask.content.ask()
}

/** False if another member came, left or changed: that message only updates the cards. */
function concerns(app: Store, { user_id }: ChangeMessage): boolean {
  return user_id === undefined || user_id === app.get(sessionUserIdAtom)
}

/** Where a guest looks is told to nobody, and members do not look at a hidden tab: they are notified of what is new in it. */
function publishView(app: Store, live: Live, only?: string): void {
  if (guestLink) return
  const view = document.visibilityState === 'hidden' ? null : app.get(publishedViewAtom)
  const room = app.get(roomsAtom).find((name) => collectionOf(name) !== null)
  if (!room || (only && only !== room)) return
  live.say(room, { type: 'presence', view: view?.view ?? ELSEWHERE, ...(view?.itemId ? { itemId: view.itemId } : {}) })
}

/** A calm message: the user did nothing wrong. */
function explainLoss(app: Store): void {
  const lost = app.get(lostCollectionAtom)
  if (!lost || app.get(deletingAccountAtom)) return
  app.set(dismissOverlaysAtom)
  const { name, reason } = lost
  const title = {
    deleted: t`“${name}” was deleted`,
    removed: t`You are no longer a member of “${name}”`,
    unknown: t`“${name}” is no longer shared with you`,
  }[reason]
  const others = (app.get(collectionsAtom)?.length ?? 0) > 0
  app.set(addToastAtom, {
    id: 'lost-collection',
    title,
    icon: 'lock',
    type: 'background',
    description: others ? t`Your other collections are as they were.` : t`Whatever is yours is still yours.`,
  })
}

/** Visible content may have changed, and drafts may belong to collections that the user has left. */
function joinOrLeave(app: Store): void {
  void app.set(checkMembershipsAtom)
  const userId = app.get(sessionUserIdAtom)
  if (userId && countDrafts(userId) > 0) fetchAhead(async () => app.set((await import('./lost-drafts.ts')).keepLostDraftsAtom))
}

function collectionOf(room: string): string | null {
  return room.startsWith('collection:') ? room.slice('collection:'.length) : null
}
