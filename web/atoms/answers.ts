import { atom } from 'jotai'
import { t } from '#say'
import type { Comment } from '../../contract/comments.ts'
import { newId } from '../../contract/ids.ts'
import type { Subject } from '../lib/answers/pending.ts'
import type { Action } from '../lib/outbox/types.ts'
import { enqueueAtom } from './outbox.ts'
import { doneAtom, outboxAtom } from './outbox-state.ts'
import { personNameAtom } from './profile.ts'

// Comments and reactions of the user. Like all changes they show at once, survive a reload, and can be undone.

/** Characters of a comment in the titles of toasts. */
const EXCERPT = 40

function commentTitle(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const excerpt = line.length > EXCERPT ? `${[...line].slice(0, EXCERPT).join('').trim()}…` : line
  return t`Comment “${excerpt}”`
}

interface Written {
  text: string
  /** Undefined while unknown: an edited comment then keeps those that its text still names. */
  mentions: string[] | undefined
  replyTo?: string | undefined
}

export const commentAtom = atom(null, (get, set, { item, collectionId }: Subject, { text, mentions, replyTo }: Written) => {
  const comment = { id: newId(), collection_id: collectionId, text, ...(mentions ? { mentions } : {}), ...(replyTo ? { replyTo } : {}) }
  return set(enqueueAtom, commentTitle(text), [{ kind: 'comment', item, comment, author: get(personNameAtom) }], collectionId)
})

export const editCommentAtom = atom(null, (_get, set, comment: Comment, { text, mentions }: Written) =>
  set(changeCommentAtom, comment, { text, ...(mentions ? { mentions } : {}) }),
)
export const hideCommentAtom = atom(null, (_get, set, comment: Comment, hidden: boolean) => set(changeCommentAtom, comment, { hidden }))

const changeCommentAtom = atom(null, (_get, set, comment: Comment, to: Extract<Action, { kind: 'editComment' }>['to']) => {
  const { id, item, text, state, version, collection_id } = comment
  const was = { text, mentions: comment.mentions.map(({ person_id }) => person_id), hidden: state === 'hidden' }
  // Whether it is hidden does not depend on what it says, and one that the server does not have has no version.
  const base = to.hidden === undefined && version > 0 ? version : null
  return set(enqueueAtom, commentTitle(text), [{ kind: 'editComment', item, id, to, was, version: base }], collection_id)
})

export const deleteCommentAtom = atom(null, (_get, set, comment: Comment) => {
  const { id, item, text, collection_id } = comment
  return set(enqueueAtom, commentTitle(text), [{ kind: 'deleteComment', item, id, was: comment }], collection_id)
})

/** Adds a reaction or takes it back. `commentId` is null for the item itself, `title` names what it is about. */
export const reactAtom = atom(
  null,
  async (
    get,
    set,
    { item, collectionId }: Subject,
    commentId: string | null,
    { emoji, on, title }: { emoji: string; on: boolean; title: string },
  ) => {
    const outbox = get(outboxAtom)
    const last = outbox
      ?.operations()
      .findLast(
        ({ action, undone }) =>
          action.kind === 'react' && !undone && action.item.id === item.id && action.commentId === commentId && action.emoji === emoji,
      )
    // Taken back before it was sent: nothing needs to be.
    if (last?.action.kind === 'react' && last.action.on !== on && last.collectionId === collectionId) {
      if ((await outbox?.takeBack(last.id, false)) === 'dropped') {
        set(doneAtom, (done) => done.filter(({ operations }) => operations.every(({ id }) => id !== last.id)))
        return
      }
    }
    const name = t({ message: `${emoji} on ${title}`, comment: 'A reaction: ❤️ on “First snow”' })
    await set(enqueueAtom, name, [{ kind: 'react', item, commentId, emoji, on }], collectionId)
  },
)
