import { z } from './zod.ts'

/** HTTP status by error code. */
export const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  quota_exceeded: 413,
  unsupported_media: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** `fields` maps dotted paths of the request body to messages. */
export const Refusal = z.object({
  code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})

export type Refusal = z.infer<typeof Refusal>

/** Body of every error response. */
export const Failure = z.object({ success: z.literal(false), error: Refusal })
export type Failure = z.infer<typeof Failure>
