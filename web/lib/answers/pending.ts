import type { Comment } from '../../../contract/comments.ts'
import { timeOfId } from '../../../contract/ids.ts'
import type { Reaction } from '../../../contract/reactions.ts'
import { type Action, type AnsweredItem, isAnswer, type Operation } from '../outbox/types.ts'
import { mergeComments } from './thread.ts'

type Person = Reaction['who'][number]

/** An item in a collection. */
export interface Subject {
  collectionId: string
  item: AnsweredItem
}

/** Comments that are on the screen. `problem` says why the server refused a new one. */
export interface ShownComment extends Comment {
  problem?: { operationId: string; message: string }
}

function isAbout({ action, collectionId }: Operation, subject: Subject): boolean {
  if (collectionId !== subject.collectionId) return false
  const item = isAnswer(action) ? action.item : action.kind === 'undo' ? action.comment?.item : undefined
  return item?.id === subject.item.id
}

/** Operations that are shown as if the server had done them, in their order. */
function shown(operations: readonly Operation[], subject: Subject): Action[] {
  return operations.filter((each) => !each.undone && each.state !== 'refused' && isAbout(each, subject)).map(({ action }) => action)
}

/** Comments with what is still to be sent. Pure and idempotent, so that nothing flickers while an answer and a change bring the same. */
export function withPending(
  comments: readonly Comment[],
  operations: readonly Operation[],
  subject: Subject,
  me: Person,
): readonly ShownComment[] {
  let rows: readonly ShownComment[] = comments
  for (const operation of operations) {
    const { action, state } = operation
    if (operation.undone || !isAbout(operation, subject)) continue
    if (action.kind === 'comment') {
      if (rows.some(({ id }) => id === action.comment.id)) continue
      const refused = state === 'refused' && { problem: { operationId: operation.id, message: messageOf(operation) } }
      rows = mergeComments(rows, [{ ...written(action, me), ...refused }])
    } else if (state !== 'refused') rows = applied(rows, action, me)
  }
  return rows
}

function applied(rows: readonly ShownComment[], action: Action, me: Person): readonly ShownComment[] {
  const change = (id: string, to: (comment: ShownComment) => ShownComment) => rows.map((row) => (row.id === id ? to(row) : row))
  switch (action.kind) {
    case 'editComment': {
      const { text, mentions, hidden } = action.to
      return change(action.id, (row) => ({
        ...row,
        ...(text === undefined ? {} : { text, edited_at: row.edited_at ?? row.created_at }),
        ...(mentions ? { mentions: row.mentions.filter(({ person_id }) => mentions.includes(person_id)) } : {}),
        ...(hidden === undefined || row.state === 'deleted' ? {} : { state: hidden ? 'hidden' : 'shown' }),
      }))
    }
    case 'deleteComment':
      return withoutComment(rows, action.id)
    case 'react':
      return action.commentId ? change(action.commentId, (row) => ({ ...row, reactions: toggled(row.reactions, action, me) })) : rows
    case 'undo':
      if (!action.comment) return rows
      return mergeComments(rows, [{ ...action.comment, version: Math.max(action.comment.version, versionOf(rows, action.comment.id)) }])
    default:
      return rows
  }
}

/** A deleted comment stays without its text while others answer it. */
function withoutComment(rows: readonly ShownComment[], id: string): readonly ShownComment[] {
  if (!rows.some(({ reply_to }) => reply_to === id)) return rows.filter((row) => row.id !== id)
  return rows.map((row) => (row.id === id ? { ...row, state: 'deleted', text: '', mentions: [], reactions: [] } : row))
}

function versionOf(rows: readonly Comment[], id: string): number {
  return rows.find((row) => row.id === id)?.version ?? 0
}

/** A comment before the server has it. Created at the time in its id: a reload must not change it. */
function written({ comment, item }: Extract<Action, { kind: 'comment' }>, me: Person): Comment {
  return {
    id: comment.id,
    item,
    collection_id: comment.collection_id,
    author: me,
    state: 'shown',
    text: comment.text,
    mentions: [],
    reply_to: comment.replyTo ?? null,
    reactions: [],
    created_at: new Date(timeOfId(comment.id)).toISOString(),
    edited_at: null,
    version: 0,
  }
}

function messageOf({ problem }: Operation): string {
  return Object.values(problem?.fields ?? {})[0] ?? problem?.message ?? ''
}

/** Reactions to an item with those that are still to be sent. */
export function reactionsWith(
  reactions: readonly Reaction[],
  operations: readonly Operation[],
  subject: Subject,
  me: Person,
): readonly Reaction[] {
  let result = reactions
  for (const action of shown(operations, subject))
    if (action.kind === 'react' && action.commentId === null) result = toggled(result, action, me)
  return result
}

function toggled<T extends readonly Reaction[]>(reactions: T, { emoji, on }: { emoji: string; on: boolean }, me: Person): Reaction[] {
  const existing = reactions.find((reaction) => reaction.emoji === emoji)
  if (!existing) return on ? [...reactions, { emoji, count: 1, mine: true, who: [me] }] : [...reactions]
  if (existing.mine === on) return [...reactions]
  const others = existing.who.filter(({ id, original_author }) => id !== me.id || original_author !== undefined)
  const next = { ...existing, mine: on, count: existing.count + (on ? 1 : -1), who: on ? [...others, me] : others }
  return reactions.flatMap((reaction) => (reaction !== existing ? reaction : next.count > 0 ? next : []))
}

/** The number of comments with those that are still to be written or deleted. */
export function countWith(count: number, operations: readonly Operation[], subject: Subject): number {
  let sum = count
  for (const action of shown(operations, subject)) {
    if (action.kind === 'comment' || action.kind === 'undo') sum++
    if (action.kind === 'deleteComment') sum--
  }
  return Math.max(0, sum)
}
