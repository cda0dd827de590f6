import { endpoint, Success } from './endpoint.ts'
import { z } from './zod.ts'

/** Numbers of items in a month. The month is in each item's time zone, as in `dayOf`; null for unknown dates. */
export const Bucket = z.object({
  month: z
    .string()
    .regex(/^\d{4,}-\d\d$/)
    .nullable(),
  posts: z.number().int(),
  assets: z.number().int(),
})
export type Bucket = z.infer<typeof Bucket>

export const getTimeline = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/timeline',
  guests: true,
  summary: 'Counts per month, newest first',
  conditionalHeaders: ['if-none-match'],
  response: Success.extend({ buckets: z.array(Bucket), revision: z.number().int() }),
})
