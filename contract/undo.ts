import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { z } from './zod.ts'

/** Idempotent. Guests undo the deletion of their own comments. */
export const undoChange = endpoint({
  method: 'POST',
  path: '/api/undo/{changeId}',
  guests: true,
  summary: 'Undo your own edit, bulk edit, link, unlink or delete, as long as nobody has changed the same since',
  response: Success.extend({
    changeId: Id,
    postIds: z.array(Id),
    assetIds: z.array(Id),
    personId: Id.optional(),
    commentId: Id.optional(),
  }),
})
