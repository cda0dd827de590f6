import { Asset } from './assets.ts'
import { endpoint, Success } from './endpoint.ts'
import { Post } from './posts.ts'
import { z } from './zod.ts'

const Amount = z.object({ bytes: z.number().int(), items: z.number().int() })

/** Bytes and items stored by an account or in a collection, and their quota. Items in the trash count until they are deleted. */
export const Usage = Amount.extend({ quota: Amount })
export type Usage = z.infer<typeof Usage>

export const getUsage = endpoint({
  method: 'GET',
  path: '/api/usage',
  summary: 'Bytes and items of your own posts and assets, and their quota',
  response: Success.extend({ usage: Usage }),
})
export const getCollectionUsage = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/usage',
  summary: 'Bytes and items in a collection, and their quota',
  response: Success.extend({ usage: Usage }),
})
/** Of each kind in one answer. */
export const UNATTACHED_ITEMS = 100
export const listUnattached = endpoint({
  method: 'GET',
  path: '/api/usage/unattached',
  summary: `Your own items that are in no collection, last added first, at most ${UNATTACHED_ITEMS} of each kind`,
  response: Success.extend({ posts: z.array(Post), assets: z.array(Asset) }),
})
