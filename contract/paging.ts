import { plural, t } from '#say'
import { Id } from './ids.ts'
import { LIMITS } from './limits.ts'
import { z } from './zod.ts'

/** Page size from a query string, 1 to `max`. */
export function pageLimit(max: number) {
  const range = { error: () => t`limit is a whole number from 1 to ${{ max: String(max) }}` }
  return z.coerce.number(range).int().min(1, range).max(max, range)
}

/**
 * Newest first by (date, id). With `since`, a revision of the collection, only items that changed after it. The compact form (`columns.ts`), half the
 * JSON, needs a collection.
 */
export const ListQuery = z.strictObject({
  collection_id: Id.optional(),
  limit: pageLimit(LIMITS.pageSize).optional(),
  cursor: z.string().max(200).optional(),
  since: z.coerce.number().int().min(0).optional(),
  form: z.literal('columns').optional(),
})
export type ListQuery = z.infer<typeof ListQuery>

/** Fields of every list beside its rows. `deleted` is only set with `since`. */
export const ListFields = {
  nextCursor: z.string().nullable(),
  revision: z.number().int().optional(),
  deleted: z.array(Id).optional(),
}

/** A link between an item and a collection that the caller can see. */
export const CollectionLink = z.object({ collection_id: Id, user_id: z.string(), added_at: z.string() })
export type CollectionLink = z.infer<typeof CollectionLink>

/** In the answer to a removal: collections that the caller sees in which some of the removed items still are. */
export const StillIn = z.array(Id)

export const CollectionIds = z.array(Id).max(LIMITS.collectionsPerCall, {
  error: () =>
    t`${plural({ count: LIMITS.collectionsPerCall }, { one: 'Choose at most # collection', other: 'Choose at most # collections' })}`,
})

/** The collections of a copy; without any, it is in none. */
export const CopyBody = z.strictObject({ collectionIds: CollectionIds.optional() })
