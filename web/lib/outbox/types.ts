import { Asset, AssetEdit } from '../../../contract/assets.ts'
import { BulkDate, bulkAssets, bulkPosts } from '../../../contract/bulk.ts'
import { DatePrecision } from '../../../contract/dates.ts'
import { Id, NewId, UserId } from '../../../contract/ids.ts'
import { Location } from '../../../contract/locations.ts'
import { NewPost, Post, PostEdit, PostType } from '../../../contract/posts.ts'
import { z } from '../../../contract/zod.ts'

export const ItemKind = z.enum(['post', 'asset'])
export type ItemKind = z.infer<typeof ItemKind>

/** A date that a shift leads to, worked out when it was asked for: laid over a row twice, it is still the same. */
const Target = z.object({ from: z.string().nullable(), date: z.string().nullable(), endsAt: z.string().nullable() })
export type Target = z.infer<typeof Target>

const of = { item: ItemKind, ids: z.array(Id) }
const dateFields = BulkDate.shape

/** A row as an editor showed it, in the fields of an edit. Nothing that the server would check: it has been there. */
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
  peopleIds: z.array(Id).optional(),
  existingAssetIds: z.array(Id).optional(),
})

/** What a person did, as data. `before` of an edit is what its editor showed; `version` the row's. */
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
  /** Without a `changeId` (its answer was lost) what went to the trash is fetched from there. The rows are what is shown meanwhile. */
  z.object({ kind: z.literal('undo'), changeId: Id.nullable(), posts: z.array(Post), assets: z.array(Asset) }),
])
export type Action = z.infer<typeof Action>
export type EditAction = Extract<Action, { kind: 'editPost' | 'editAsset' }>
export type BulkAction = Extract<Action, { ids: string[] }>

export const Problem = z.object({ code: z.string(), message: z.string(), fields: z.record(z.string(), z.string()) })
export type Problem = z.infer<typeof Problem>

/**
 * One operation of the queue. `waiting` is on its way, `sent` has its answer and waits to be seen in the content; `conflict` and
 * `refused` wait for the person. `uncertain`: the server may have it already, as an answer was lost.
 */
export const Operation = z.object({
  id: Id,
  userId: UserId,
  collectionId: Id,
  /** The order of the queue: given by the storage, since the clock of a device may be wrong. */
  seq: z.number(),
  action: Action,
  /** What it is about, in the words of its toast. */
  title: z.string(),
  state: z.enum(['waiting', 'sent', 'conflict', 'refused']),
  uncertain: z.boolean(),
  /** Taken back before its answer was known: what the server made of it is undone as soon as it is. */
  undone: z.boolean(),
  attempts: z.number(),
  problem: Problem.nullable(),
  theirs: z.union([Asset, Post]).nullable(),
  /** What undoes it, once it is sent. */
  changeId: z.string().nullable().default(null),
})
export type Operation = z.infer<typeof Operation>

/** What the server answered. `changeId` undoes it. */
export interface Answer {
  changeId: string | null
  post?: Post | undefined
  asset?: Asset | undefined
}

/** Where operations wait. Every change is one transaction, so that tabs do not step on each other. */
export interface OutboxStore {
  /** Rejects where the device cannot be read just now. */
  all(): Promise<Operation[]>
  /** Whether the browser has taken away what it held, since this was asked the last time. */
  wasCleared(): boolean
  /** The operation with its place in the queue, or null where the device has no room for it. */
  add(operation: Operation): Promise<Operation | null>
  /** Puts what `change` makes of it in its place, or takes it out at null. Resolves to what stands then. */
  change(id: string, change: (operation: Operation) => Operation | null): Promise<Operation | null>
  clear(): Promise<void>
}

/** Ids of the items that an action is about: what comes later for the same ones waits for it. */
export function itemsOf(action: Action): string[] {
  switch (action.kind) {
    case 'create':
      return [action.post.id]
    case 'editPost':
    case 'editAsset':
      return [action.id]
    case 'undo':
      return [...action.posts, ...action.assets].map(({ id }) => id)
    default:
      return action.ids
  }
}
