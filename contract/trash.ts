import { t } from '#say'
import { Asset } from './assets.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { LIMITS } from './limits.ts'
import { pageLimit } from './paging.ts'
import { Post } from './posts.ts'
import { z } from './zod.ts'

export const TrashQuery = z.strictObject({
  limit: pageLimit(LIMITS.trashPageSize).optional(),
  cursor: z.string().max(200).optional(),
})
export type TrashQuery = z.infer<typeof TrashQuery>

/** Times at which the item was trashed, and at which it will be deleted. */
const Trashed = { deleted_at: z.string(), purged_at: z.string() }
export const listTrash = endpoint({
  method: 'GET',
  path: '/api/trash',
  summary: 'What the caller may restore, last deleted first',
  query: TrashQuery,
  response: Success.extend({
    posts: z.array(Post.extend(Trashed)),
    assets: z.array(Asset.extend(Trashed)),
    nextCursor: z.string().nullable(),
  }),
})

const selection = (max: number) => {
  const ids = z.array(Id).max(max).optional()
  return z.strictObject({ postIds: ids, assetIds: ids }).superRefine(({ postIds, assetIds }, ctx) => {
    if (!postIds?.length && !assetIds?.length) ctx.addIssue({ code: 'custom', path: ['postIds'], message: t`Choose at least one item` })
  })
}
export const TrashSelection = selection(LIMITS.bulkIds)
export type TrashSelection = z.infer<typeof TrashSelection>
export const restoreTrash = endpoint({
  method: 'POST',
  path: '/api/trash/restore',
  summary: 'Bring items back with their collections, people and pictures',
  body: TrashSelection,
  response: Success.extend({ postIds: z.array(Id), assetIds: z.array(Id) }),
})
/** Fewer at once, because their files are deleted one by one. */
export const TRASH_DELETION = 100
export const TrashDeletion = selection(TRASH_DELETION)
export const deleteTrash = endpoint({
  method: 'DELETE',
  path: '/api/trash',
  summary: 'Delete your own items in the trash permanently',
  body: TrashDeletion,
  response: Success,
})
