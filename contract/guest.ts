import { endpoint, Success } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { line } from './text.ts'
import { GUEST_NAME } from './text-words.ts'
import { oneOf, z } from './zod.ts'

/** The query parameter by which a request is a guest's, with the id of the link. */
export const LINK_PARAM = 'link'

/** Guests look, or also comment and react if the collection lets everyone do so, or also add files. */
export const LinkAllows = oneOf(['look', 'answer', 'add'])
export type LinkAllows = z.infer<typeof LinkAllows>

/** Turns the direction of what follows it. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Letters and symbols that show nothing. */
const BLANK = /[\u115f\u1160\u2800\u3164\uffa0]/g

/** The name that a guest gives. Others see it with “ (guest)” after it, so that must stay after it and cannot be all of it. */
export const GuestName = z
  .string()
  .transform((name) => name.replace(DIRECTIONS, ''))
  .pipe(line(LIMITS.guestName, GUEST_NAME))
  .refine((name) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(name.replace(BLANK, '')), { error: GUEST_NAME.empty })
  .describe(`At most ${LIMITS.guestName} characters, and not empty`)

/** A guest of a link, by the link's cookie. `user_id` is that of what they write; `allows` is what they may do now. */
export const CurrentGuest = z.object({
  user_id: UserId,
  name: z.string().nullable(),
  link: z.object({ id: Id, collection_id: Id, title: z.string(), allows: LinkAllows, download: z.boolean() }),
})
export type CurrentGuest = z.infer<typeof CurrentGuest>

/** 404 without `link`: members are not guests. */
export const getGuest = endpoint({
  method: 'GET',
  path: '/api/guest',
  guests: true,
  summary: 'Who you are as a guest of a link, and what it allows',
  response: Success.extend({ guest: CurrentGuest }),
})
export const putGuest = endpoint({
  method: 'PUT',
  path: '/api/guest',
  guests: true,
  summary: 'Say what you are called as a guest of a link',
  body: z.strictObject({ name: GuestName }),
  response: Success.extend({ guest: CurrentGuest }),
})
