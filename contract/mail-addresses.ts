import { endpoint, Success } from './endpoint.ts'
import { z } from './zod.ts'

/** The address to which members write posts by mail. */
export const MailAddress = z.object({
  /** The site takes mails. */
  available: z.boolean(),
  /** Null where an admin has not turned it on. */
  address: z.string().nullable(),
  /** The address from which the caller may write, and whether it has been confirmed. */
  sender: z.object({ email: z.string(), confirmed: z.boolean() }),
})
export type MailAddress = z.infer<typeof MailAddress>

/** For those who may add to the collection. */
export const getMailAddress = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/mail',
  summary: 'The address for posts by mail',
  response: Success.extend({ mail: MailAddress }),
})
/** For admins. An earlier address takes no more mail. */
export const putMailAddress = endpoint({
  method: 'PUT',
  path: '/api/collections/{id}/mail',
  summary: 'Take posts by mail, at a new address',
  response: Success.extend({ address: z.string() }),
})
export const deleteMailAddress = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/mail',
  summary: 'Take no more posts by mail',
  response: Success,
})
