import { atom } from 'jotai'
import { isAnswer, type Operation, type SendResult } from '../lib/outbox/types.ts'
import { feedWatchedAtom, reactedInFeedAtom, refreshFeedAtom } from './feed.ts'
import { applyCommentAtom, catchUpThreadsAtom } from './threads.ts'

/**
 * Brings an own comment or reaction to where it is shown; resolves when it is there. Only what is new is taken from the response: the rest of
 * it may be older than what a change has brought meanwhile.
 */
export const applyOwnCommentAtom = atom(null, async (get, set, { action, collectionId }: Operation, result: SendResult | undefined) => {
  if ((action.kind === 'comment' || action.kind === 'editComment') && result?.comment) {
    const hides = action.kind === 'editComment' && action.to.hidden !== undefined
    set(applyCommentAtom, { collectionId, item: action.item }, result.comment, hides)
    // The feed counts comments.
    if (action.kind === 'comment') return get(feedWatchedAtom) ? set(refreshFeedAtom) : undefined
  }
  if (action.kind === 'react' && action.commentId === null) {
    if (result?.reactions) set(reactedInFeedAtom, collectionId, action.item.id, result.reactions)
    return
  }
  if (isAnswer(action) || (action.kind === 'undo' && action.comment))
    await Promise.all([set(catchUpThreadsAtom, collectionId), get(feedWatchedAtom) && set(refreshFeedAtom)])
})
