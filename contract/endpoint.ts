import { z } from './zod.ts'

export const Success = z.object({ success: z.literal(true) })

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a call does beside taking and giving JSON; the OpenAPI document tells of it. */
interface Traits {
  /** Needs no session. */
  public?: boolean
  /** Only for people who signed in, never for a token: sign-in itself, the account, tokens. */
  sessionOnly?: boolean
  /** Answers 201 where it made something, 200 where that was there already. */
  creates?: boolean
  /** Media types of a body of raw bytes. */
  takes?: readonly string[]
  /** Media type of an answer that is not JSON; `redirect` for one that only leads elsewhere. */
  answers?: string
  /** Conditional and range headers that it knows. */
  knows?: readonly ('if-match' | 'if-none-match' | 'range')[]
}

/**
 * One call of the API. The worker validates `query` and `body` with it, the web client is typed by it, and the
 * OpenAPI document is generated from it. `path` names its parameters in braces.
 */
export interface Endpoint<Q = unknown, B = unknown, R = unknown> extends Traits {
  method: Method
  path: string
  summary: string
  query?: z.ZodType<Q>
  body?: z.ZodType<B>
  response: z.ZodType<R>
}

export function endpoint<
  const E extends Traits & {
    method: Method
    path: `/${string}`
    summary: string
    query?: z.ZodType
    body?: z.ZodType
    response: z.ZodType
  },
>(definition: E): E {
  return definition
}
