import { t } from '#say'
import { Asset } from './assets.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { LIMITS } from './limits.ts'
import { z } from './zod.ts'

/** A file that a guest of a link has sent, and that waits for an admin. `user_name` of the asset is the guest's. `link` is null once it has been deleted. */
export const Contribution = z.object({
  asset: Asset,
  link: z.object({ id: Id, name: z.string().nullable() }).nullable(),
  created_at: z.string(),
})
export type Contribution = z.infer<typeof Contribution>

const Answered = z.strictObject({
  ids: z
    .array(Id)
    .min(1, { error: () => t`Choose at least one file` })
    .max(LIMITS.bulkIds, { error: () => t`Answer at most ${{ limit: String(LIMITS.bulkIds) }} at once` }),
})
/** `ids` are those that were answered now: a guest may have taken a file back, or another admin may have answered. */
const Result = Success.extend({ ids: z.array(Id) })

/** At most 1,000 can wait in a collection. */
export const listContributions = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/contributions',
  summary: 'Files of guests that wait for an admin, oldest first',
  response: Success.extend({ contributions: z.array(Contribution) }),
})
export const acceptContributions = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/contributions/accept',
  summary: 'Put files of guests into the collection',
  body: Answered,
  response: Result,
})
/** They are deleted after 30 days, as from the trash. */
export const declineContributions = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/contributions/decline',
  summary: 'Turn files of guests down',
  body: Answered,
  response: Result,
})
