import { Asset, AssetEdit } from '../../../contract/assets.ts'
import { BulkDate, bulkAssets, bulkPosts } from '../../../contract/bulk.ts'
import { Comment, CommentEdit, NewComment } from '../../../contract/comments.ts'
import { DatePrecision } from '../../../contract/dates.ts'
import { Id, NewId, UserId } from '../../../contract/ids.ts'
import { Location } from '../../../contract/locations.ts'
import { NewPost, Post, PostEdit, PostType } from '../../../contract/posts.ts'
import type { Reaction } from '../../../contract/reactions.ts'
import { z } from '../../../contract/zod.ts'

export const ItemKind = z.enum(['post', 'asset'])
export type ItemKind = z.infer<typeof ItemKind>

/** An item in a collection, under which people comment and react. */
export const AnsweredItem = z.object({ kind: ItemKind, id: Id })
export type AnsweredItem = z.infer<typeof AnsweredItem>

/** Dates of a row before and after a bulk date change, computed when the change is made: applying it twice gives the same result. */
const Target = z.object({ from: z.string().nullable(), date: z.string().nullable(), endsAt: z.string().nullable() })
export type Target = z.infer<typeof Target>

const of = { item: ItemKind, ids: z.array(Id) }
const dateFields = BulkDate.shape

/** A row as shown in an editor, in the fields of an edit. Not validated as strictly as input: the values come from the server. */
const Shown = z.object({
  type: PostType.optional(),
  kind: z.string().nullable().optional(),
  title: z.string().optional(),
  body: z.string().optional(),
  name: z.string().optional(),
  alt: z.string().nullable().optional(),
  date: z.string().nullable().optional(),
  dateZone: z.string().nullable().optional(),
  datePrecision: DatePrecision.optional(),
  endsAt: z.string().nullable().optional(),
  location: Location.nullable().optional(),
  placeHidden: z.boolean().optional(),
  peopleIds: z.array(Id).optional(),
  existingAssetIds: z.array(Id).optional(),
})

const Rows = z.object({ posts: z.array(Post), assets: z.array(Asset) })
export type Rows = z.infer<typeof Rows>

const commented = { item: AnsweredItem }
const CommentState = z.object({ text: z.string(), mentions: z.array(Id), hidden: z.boolean() })

/** An action of the user, as data. `before` of an edit has the values shown in its editor; `version` is that of the row. */
export const Action = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create'), post: NewPost.safeExtend({ id: NewId }), author: z.string() }),
  z.object({ kind: z.literal('editPost'), id: Id, patch: PostEdit, before: Shown, version: z.number() }),
  z.object({ kind: z.literal('editAsset'), id: Id, patch: AssetEdit, before: Shown, version: z.number() }),
  z.object({ kind: z.literal('link'), ...of, collectionIds: bulkPosts.addToCollections.body.shape.collectionIds }),
  z.object({ kind: z.literal('unlink'), ...of, collectionId: bulkAssets.removeFromCollection.body.shape.collectionId }),
  z.object({
    kind: z.literal('date'),
    ...of,
    change: z.object({
      date: dateFields.date,
      shift: dateFields.shift,
      dateZone: dateFields.dateZone,
      datePrecision: dateFields.datePrecision,
    }),
    targets: z.record(z.string(), Target),
  }),
  z.object({ kind: z.literal('location'), ...of, location: bulkPosts.setLocation.body.shape.location }),
  z.object({ kind: z.literal('people'), ...of, add: z.array(Id), remove: z.array(Id) }),
  z.object({ kind: z.literal('trash'), ...of }),
  z.object({ kind: z.literal('comment'), ...commented, comment: NewComment.safeExtend({ id: NewId }), author: z.string() }),
  /** `was` is the comment that the user saw. Its `version` is null where any may be overwritten. */
  z.object({ kind: z.literal('editComment'), ...commented, id: Id, to: CommentEdit, was: CommentState, version: z.number().nullable() }),
  /** `was` is null for one that nobody else has seen as anything else: an own comment that is undone. */
  z.object({ kind: z.literal('deleteComment'), ...commented, id: Id, was: Comment.nullable() }),
  z.object({ kind: z.literal('react'), ...commented, commentId: Id.nullable(), emoji: z.string(), on: z.boolean() }),
  /** Without a `changeId` (its response was lost), the trashed items are restored from the trash. The rows are shown meanwhile. */
  z.object({
    kind: z.literal('undo'),
    changeId: Id.nullable(),
    ...Rows.shape,
    comment: Comment.optional(),
  }),
])
export type Action = z.infer<typeof Action>
export type EditAction = Extract<Action, { kind: 'editPost' | 'editAsset' }>
export type BulkAction = Extract<Action, { ids: string[] }>
export type AnswerAction = Extract<Action, { item: AnsweredItem }>

export const Problem = z.object({ code: z.string(), message: z.string(), fields: z.record(z.string(), z.string()) })
export type Problem = z.infer<typeof Problem>

/** The server's message. What follows a colon are ids, which mean nothing on a screen. */
export function reasonOf({ message }: Problem): string {
  return message.replace(/\s*[:：]\s*[\da-f]{8}-[\da-f]{4}-.*$/, '')
}

/**
 * One operation of the queue. `waiting` is still to be sent, `sent` has its response and waits until the content shows it; `conflict` and
 * `refused` wait for the user. `uncertain`: a response was lost, so the server may have the change already.
 */
export const Operation = z.object({
  id: Id,
  userId: UserId,
  collectionId: Id,
  /** Position in the queue. Assigned by the storage, since the clock of a device may be wrong. */
  seq: z.number(),
  action: Action,
  /** Name of its item in toasts. */
  title: z.string(),
  state: z.enum(['waiting', 'sent', 'conflict', 'refused']),
  uncertain: z.boolean(),
  /** Taken back before its response was known: the change is undone as soon as it is. */
  undone: z.boolean(),
  /** The rows before a change that was taken back. */
  before: Rows.optional(),
  attempts: z.number(),
  problem: Problem.nullable(),
  theirs: z.union([Asset, Post]).nullable(),
  /** Id that undoes the change, once it is sent. */
  changeId: z.string().nullable().default(null),
})
export type Operation = z.infer<typeof Operation>

/** Response of the server. `changeId` undoes the change. */
export interface SendResult {
  changeId: string | null
  post?: Post | undefined
  asset?: Asset | undefined
  comment?: Comment | undefined
  reactions?: Reaction[] | undefined
}

/** Storage of waiting operations. Every change is one transaction, so that tabs do not overwrite each other. */
export interface OutboxStore {
  /** Rejects if the device cannot be read at the moment. */
  all(): Promise<Operation[]>
  /** Whether the browser has cleared the storage since the last call. */
  wasCleared(): boolean
  /** The operation with its position in the queue, or null if the device has no room for it. */
  add(operation: Operation): Promise<Operation | null>
  /** Replaces an operation by the result of `change`, or removes it on null. Resolves to the new operation. */
  change(id: string, change: (operation: Operation) => Operation | null): Promise<Operation | null>
  clear(): Promise<void>
}

/** Ids of the items that an action changes: later operations on the same items wait for it. */
export function itemsOf(action: Action): string[] {
  switch (action.kind) {
    case 'create':
      return [action.post.id]
    case 'editPost':
    case 'editAsset':
      return [action.id]
    case 'comment':
      // Not the item, whose changes need not wait for words about it.
      return [action.comment.id, ...(action.comment.replyTo ? [action.comment.replyTo] : [])]
    case 'editComment':
    case 'deleteComment':
      return [action.id]
    case 'react':
      return [`${action.commentId ?? action.item.id} ${action.emoji}`, ...(action.commentId ? [action.commentId] : [])]
    case 'undo':
      return [...action.posts, ...action.assets, ...(action.comment ? [action.comment] : [])].map(({ id }) => id)
    default:
      return action.ids
  }
}

/** Whether an action is about what people say about an item. */
export function isAnswer(action: Action): action is AnswerAction {
  return action.kind === 'comment' || action.kind === 'editComment' || action.kind === 'deleteComment' || action.kind === 'react'
}
