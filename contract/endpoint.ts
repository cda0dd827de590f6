import { z } from './zod.ts'

export const Success = z.object({ success: z.literal(true) })

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Properties of a call for the OpenAPI document. */
interface Traits {
  /** Needs no session. */
  public?: boolean
  /** Answers guests of a link too, who send its id as `link`. */
  guests?: boolean
  /** Refuses access tokens: calls about sign-in, the account and tokens. */
  sessionOnly?: boolean
  /** Responds with 201 if it created something, 200 if that existed already. */
  creates?: boolean
  /** Media types of a request body of raw bytes. */
  requestTypes?: readonly string[]
  /** Media type of a response that is not JSON, or `redirect`. */
  responseType?: string
  /** Query parameters of files. Other values and parameters are ignored. */
  fileOptions?: readonly ('download' | 'v')[]
  /** Supported conditional and range headers. */
  conditionalHeaders?: readonly ('if-match' | 'if-none-match' | 'range')[]
}

/**
 * A call of the API. The worker validates `query` and `body` with it, the web client derives its types from it, and the OpenAPI document is
 * generated from it. `path` has its parameters in braces.
 */
export interface Endpoint<Q = unknown, B = unknown, R = unknown> extends Traits {
  method: Method
  path: string
  summary: string
  query?: z.ZodType<Q>
  body?: z.ZodType<B>
  response: z.ZodType<R>
  /** The response to `form=columns`: the same, parsed from the compact form. */
  columns?: z.ZodType<R>
}

export function endpoint<
  const E extends Traits & {
    method: Method
    path: `/${string}`
    summary: string
    query?: z.ZodType
    body?: z.ZodType
    response: z.ZodType
    columns?: z.ZodType
  },
>(definition: E): E {
  return definition
}
