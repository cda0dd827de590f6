import { t } from '#say'
import { Asset } from './assets.ts'
import { endpoint, Success } from './endpoint.ts'
import { Group } from './group.ts'
import { Id } from './ids.ts'
import { LIMITS } from './limits.ts'
import { z } from './zod.ts'

const PARTS = { error: () => t`A group has 2 to ${{ most: LIMITS.partsPerGroup }} different parts` }

export const NewGroup = z
  .strictObject({
    assetIds: z
      .array(Id)
      .min(2, PARTS)
      .max(LIMITS.partsPerGroup, PARTS)
      .refine((ids) => new Set(ids).size === ids.length, PARTS),
    /** One of the parts. */
    cover: Id,
  })
  .refine(({ assetIds, cover }) => assetIds.includes(cover), { path: ['cover'], error: () => t`The cover is one of the parts` })
export type NewGroup = z.infer<typeof NewGroup>

/**
 * Needs `item.edit` on every part; or `item.add` if they are a photo and a film with the same `content_id`, in no group yet, and the photo is the cover.
 * Parts that are in another group leave it. The same parts again are 200, with their group.
 */
export const createGroup = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/groups',
  summary: 'Show assets of a collection as one item',
  creates: true,
  body: NewGroup,
  response: Success.extend({ group: Group }),
})
export const getGroup = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/groups/{groupId}',
  summary: 'A group with its parts, the cover first',
  response: Success.extend({ group: Group, assets: z.array(Asset) }),
})
/** Needs `item.edit` in the collection on one of the parts. They stay in the collection. */
export const deleteGroup = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/groups/{groupId}',
  summary: 'Show the parts of a group on their own again',
  response: Success,
})
