import { plural, t } from '#say'
import { Asset } from './assets.ts'
import { columnsOf } from './columns.ts'
import { DatePrecision, Moment, When } from './dates.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id, NewId, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { Location } from './locations.ts'
import { OriginalAuthor } from './original-author.ts'
import { CollectionIds, CollectionLink, CopyBody, ListFields, ListQuery, StillIn } from './paging.ts'
import { Place } from './places.ts'
import { Answers } from './reactions.ts'
import { line, text } from './text.ts'
import { BODY, TITLE } from './text-words.ts'
import { z } from './zod.ts'

export const PostType = z.enum(['event', 'note'])
export type PostType = z.infer<typeof PostType>

export const EVENT_KINDS = ['trip', 'meeting', 'birthday', 'celebration', 'concert', 'sport', 'other'] as const
export const NOTE_KINDS = ['journal', 'idea', 'recipe', 'quote', 'place', 'other'] as const
/** Kinds by type. */
export const KINDS: Record<PostType, readonly string[]> = { event: EVENT_KINDS, note: NOTE_KINDS }
const Kind = z.enum([...new Set([...EVENT_KINDS, ...NOTE_KINDS])] as [string, ...string[]])

/** An asset as part of a post, so that showing it needs no other call. */
export const PostAsset = Asset.pick({
  id: true,
  name: true,
  type: true,
  width: true,
  height: true,
  duration: true,
  thumbhash: true,
  alt: true,
  renditions: true,
  version: true,
  file_version: true,
})
export type PostAsset = z.infer<typeof PostAsset>

/** An event or a note. `body` is sanitised HTML. */
export const Post = z.object({
  id: Id,
  user_id: UserId,
  user_name: z.string(),
  type: PostType,
  kind: z.string().nullable(),
  title: z.string(),
  body: z.string(),
  /** Who wrote it where it was imported from. Always sent; rows that a browser stored before there was this field lack it. */
  original_author: z.string().nullable().optional(),
  date: z.string().nullable(),
  date_zone: z.string().nullable(),
  date_precision: DatePrecision,
  ends_at: z.string().nullable(),
  location: Location.nullable(),
  /** As of an asset. */
  place: Place.nullable().optional(),
  assets: z.array(PostAsset),
  people: z.array(Id),
  collections: z.array(CollectionLink),
  version: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  /** What the collection of the list says about it, or null. Answers that are not about one collection lack it. */
  answers: Answers.nullable().optional(),
})
export type Post = z.infer<typeof Post>

const fields = {
  type: PostType,
  kind: Kind.nullable().optional(),
  title: line(LIMITS.postTitle, TITLE),
  body: text(LIMITS.postBody, BODY).optional(),
  ...When,
  endsAt: Moment.nullable().optional(),
  location: Location.nullable().optional(),
  /** Only author and admins see where. */
  placeHidden: z.boolean().optional(),
  peopleIds: z.array(Id).max(LIMITS.peoplePerItem).optional(),
  existingAssetIds: z
    .array(Id)
    .max(LIMITS.assetsPerPost, {
      error: () =>
        t`${plural({ count: LIMITS.assetsPerPost }, { one: 'A post has at most # asset', other: 'A post has at most # assets' })}`,
    })
    .optional(),
  collectionIds: CollectionIds.optional(),
}

type Checkable = {
  type?: PostType | undefined
  kind?: string | null | undefined
  date?: string | null | undefined
  endsAt?: string | null | undefined
}
function checkConsistency(post: Checkable, ctx: z.core.$RefinementCtx<Checkable>) {
  if (post.type && post.kind && !KINDS[post.type].includes(post.kind)) {
    const kinds = KINDS[post.type].join(', ')
    const message = post.type === 'event' ? t`For events choose one of ${kinds}` : t`For notes choose one of ${kinds}`
    ctx.addIssue({ code: 'custom', path: ['kind'], message })
  }
  if (post.date && post.endsAt && Date.parse(post.endsAt) < Date.parse(post.date)) {
    ctx.addIssue({ code: 'custom', path: ['endsAt'], message: t`The end must not be before the start` })
  }
}

export const NewPost = z.strictObject({ id: NewId.optional(), ...fields, originalAuthor: OriginalAuthor }).superRefine(checkConsistency)
export type NewPost = z.infer<typeof NewPost>

/** PATCH changes only the sent fields. `collectionIds` adds links, as `linkPost` does, and removes none. */
export const PostEdit = z
  .strictObject({ ...fields, type: PostType.optional(), title: fields.title.optional() })
  .superRefine(checkConsistency)
export type PostEdit = z.infer<typeof PostEdit>

/** PUT replaces all editable fields. A missing field becomes empty, but for `placeHidden`, which stays. `collectionIds` adds links and removes none, as in PATCH. */
export const PostReplacement = z.strictObject(fields).superRefine(checkConsistency)

/** `changeId` undoes the call. */
const WithChangeId = { changeId: Id }
const OnePost = Success.extend({ post: Post })
export const listPosts = endpoint({
  method: 'GET',
  path: '/api/post',
  guests: true,
  summary: 'Posts, newest first',
  conditionalHeaders: ['if-none-match'],
  query: ListQuery,
  response: Success.extend({ posts: z.array(Post), ...ListFields }),
  columns: Success.extend({ posts: columnsOf(Post), ...ListFields }),
})
export const createPost = endpoint({
  method: 'POST',
  path: '/api/post',
  summary: 'Write a post',
  creates: true,
  body: NewPost,
  response: OnePost,
})
export const getPost = endpoint({
  method: 'GET',
  path: '/api/post/{id}',
  guests: true,
  summary: 'One post',
  query: z.strictObject({ collection_id: Id.optional() }),
  response: OnePost,
})
export const updatePost = endpoint({
  method: 'PATCH',
  path: '/api/post/{id}',
  summary: 'Change a post',
  conditionalHeaders: ['if-match'],
  body: PostEdit,
  response: OnePost.extend(WithChangeId),
})
export const replacePost = endpoint({
  method: 'PUT',
  path: '/api/post/{id}',
  summary: 'Replace the editable fields',
  conditionalHeaders: ['if-match'],
  body: PostReplacement,
  response: OnePost.extend(WithChangeId),
})
export const deletePost = endpoint({
  method: 'DELETE',
  path: '/api/post/{id}',
  summary: 'Move a post to the trash',
  response: Success.extend({ ...WithChangeId, stillIn: StillIn }),
})
export const linkPost = endpoint({
  method: 'POST',
  path: '/api/post/{id}/collections',
  summary: 'Put a post into more collections',
  body: z.strictObject({ collectionIds: CollectionIds.min(1) }),
  response: OnePost.extend(WithChangeId),
})
export const copyPost = endpoint({
  method: 'POST',
  path: '/api/post/{id}/copy',
  summary: 'Copy one of your posts into a new one',
  creates: true,
  body: CopyBody,
  response: OnePost,
})
