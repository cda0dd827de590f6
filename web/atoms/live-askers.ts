import type { createStore } from 'jotai'
import { backOff } from '../lib/back-off.ts'
import { guestLink } from '../lib/guest/link.ts'
import { throttle } from '../lib/throttle.ts'
import { cardsWatchedAtom, outdateCardsAtom } from './cards.ts'
import { circleAtom } from './circle.ts'
import { fetchAllAtom, fetchCollectionsAtom, listsAnsweredAtom, selectedCollectionAtom } from './collections.ts'
import { behindAtom, contentErrorAtom, knownRevisionAtom, underWayAtom } from './content.ts'
import { refreshContentAtom } from './content-fetch.ts'
import { refreshContributionsAtom } from './contributions.ts'
import { feedWatchedAtom, refreshFeedAtom } from './feed.ts'
import { fetchGuestAtom } from './guest.ts'
import { refreshJoinRequestsAtom } from './join-requests.ts'
import { fetchCircleAtom } from './members.ts'
import { isSendingAtom } from './pending.ts'
import { fetchProfileAtom } from './profile.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { refreshShareLinksAtom } from './share-links.ts'
import { catchUpThreadsAtom } from './threads.ts'

type Store = ReturnType<typeof createStore>

/** Milliseconds. Changes come in bursts: the delay collects them into one request, the gap limits the rate. */
const PACE = { delay: 50, gap: 1_000 }

/** How often the content waits for the answer to a change of the user, each time for the gap. */
const MAX_DEFERRED = 2

/**
 * Milliseconds. Within a second a user's own room gets only the first change (worker/queries/changes.ts), so cards and feed are fetched
 * when that second is over; while they are on the screen, at once as well.
 */
const AFTER_BURST = 1_500

/** For the count beside the feed's name. Milliseconds. */
const COUNT_PACE = { delay: AFTER_BURST, gap: 20_000 }

/** Fetches what messages announce, unless it is here or on its way: once for a burst of messages, and at a limited rate. */
export function askers(app: Store) {
  const all: { cancel(): void }[] = []
  const listed = <A extends { cancel(): void }>(asker: A): A => {
    all.push(asker)
    return asker
  }
  const paced = (work: () => Promise<unknown>, pace = PACE) => listed(throttle(work, pace))

  // A failed request is repeated at growing intervals: there may be no further message that would trigger it.
  const contentAgain = listed(
    afterPause(
      () => content.ask(),
      (failures) => backOff(failures, Math.random()),
    ),
  )
  let deferred = 0
  const content = paced(async () => {
    // The message may be about the user's own change and have overtaken the answer, after which the content is fetched anyway.
    if (app.get(isSendingAtom) && deferred < MAX_DEFERRED) {
      deferred++
      return content.ask()
    }
    deferred = 0
    // A refresh under way may bring what was announced, such as the user's own change.
    await app.get(underWayAtom).refresh?.done
    const id = app.get(selectedCollectionIdAtom)
    // Messages may be repeated, late or out of order, so this fetches only while content is missing.
    if (id && app.get(behindAtom)) await app.set(refreshContentAtom, id)
    const error = app.get(behindAtom) && app.get(contentErrorAtom)
    if (error && error.code !== 'forbidden') contentAgain.ask()
    else contentAgain.cancel()
  })

  const lacking = (fetch: () => Promise<unknown>) => listed(whileLacking(fetch, () => app.set(listsAnsweredAtom)))
  const lists = lacking(() => app.set(fetchAllAtom))
  const link = paced(() => app.set(fetchGuestAtom).catch(() => undefined))
  const collections = lacking(async () => {
    const before = app.get(selectedCollectionAtom)
    await app.set(fetchCollectionsAtom)
    const after = app.get(selectedCollectionAtom)
    // The title and the permissions of a link depend on them.
    if (guestLink && (after?.name !== before?.name || after?.answers !== before?.answers)) link.ask()
  })
  const cardsNow = lacking(async () => {
    if (app.get(cardsWatchedAtom)) await app.set(fetchCollectionsAtom)
    else app.set(outdateCardsAtom)
  })
  const burst = () => AFTER_BURST
  const cardsLater = listed(afterPause(() => cardsNow.ask(), burst))

  const feedNow = paced(() => app.set(refreshFeedAtom))
  const feedCount = paced(() => app.set(refreshFeedAtom), COUNT_PACE)
  const feedLater = listed(afterPause(feedNow.ask, burst))

  let awaited = { collectionId: '', revision: 0 }
  const circle = paced(async () => {
    const collection = app.get(selectedCollectionAtom)
    const existing = app.get(circleAtom)
    if (!collection || existing?.collectionId !== collection.id || collection.id !== awaited.collectionId) return
    if (existing.revision >= awaited.revision) return
    await app.set(fetchCircleAtom, collection.id, collection.role)
  })

  const elsewhere = new Map<string, number>()
  const threads = paced(async () => {
    const others = [...elsewhere]
    elsewhere.clear()
    await app.set(catchUpThreadsAtom)
    for (const [collectionId, revision] of others) await app.set(catchUpThreadsAtom, collectionId, revision)
  })
  const shareLinks = paced(async () => {
    const id = app.get(selectedCollectionIdAtom)
    if (id) await app.set(refreshShareLinksAtom, id, app.get(knownRevisionAtom)(id))
  })
  const joinRequests = paced(() => app.set(refreshJoinRequestsAtom))
  const contributions = paced(() => app.set(refreshContributionsAtom))
  const profile = paced(() => app.set(fetchProfileAtom).catch(() => undefined))
  let helloSaid = false

  return {
    content,
    lists,
    collections,
    /** `lack`: whether the cards do not show the change. `more`: whether it may hide changes after it in the same second. */
    cards(lack: () => boolean, more: boolean) {
      cardsNow.ask(lack)
      if (more) cardsLater.ask()
    },
    feed() {
      if (!app.get(feedWatchedAtom)) return feedCount.ask()
      feedNow.ask()
      feedLater.ask()
    },
    /** `revision`: of the collection, with the change. */
    circle(collectionId: string | undefined, revision: number) {
      if (!collectionId || collectionId !== app.get(selectedCollectionIdAtom)) return
      const known = awaited.collectionId === collectionId ? awaited.revision : 0
      awaited = { collectionId, revision: Math.max(known, revision) }
      circle.ask()
    },
    threads,
    /** `revision`: of a collection that is not open, with the change. */
    threadsIn(collectionId: string, revision: number) {
      elsewhere.set(collectionId, Math.max(revision, elsewhere.get(collectionId) ?? 0))
      threads.ask()
    },
    shareLinks,
    joinRequests,
    contributions,
    profile,
    /**
     * The first hello follows an answer about the session, with which the profile was compared, or which was about the link. A change of a link ends the
     * connections of its guests.
     */
    afterHello() {
      if (helloSaid && guestLink) collections.ask()
      if (helloSaid) (guestLink ? link : profile).ask()
      helloSaid = true
    },
    cancel() {
      for (const each of all) each.cancel()
      awaited = { collectionId: '', revision: 0 }
      elsewhere.clear()
      helloSaid = false
    },
  }
}

/** Fetches once requests under way are answered, if something is still lacking then. */
function whileLacking(fetch: () => Promise<unknown>, answered: () => Promise<unknown>) {
  let lacks: (() => boolean)[] = []
  const asker = throttle(async () => {
    await answered()
    const lacking = lacks.some((lack) => lack())
    lacks = []
    if (lacking) await fetch()
  }, PACE)
  return {
    ask(lack = () => true) {
      if (!lack()) return
      lacks.push(lack)
      asker.ask()
    },
    cancel() {
      lacks = []
      asker.cancel()
    },
  }
}

/** Acts once, after a pause since it was last asked for. `asked` counts the requests since `cancel`. */
function afterPause(act: () => void, pause: (asked: number) => number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  return {
    ask() {
      clearTimeout(timer)
      timer = setTimeout(act, pause(++asked))
    },
    cancel() {
      clearTimeout(timer)
      asked = 0
    },
  }
}
