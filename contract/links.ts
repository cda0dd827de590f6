import { plural, t } from '#say'
import { Moment } from './dates.ts'
import { endpoint, Success } from './endpoint.ts'
import { GuestName, LinkAllows } from './guest.ts'
import { Id, NewId, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { MEDIA_KINDS } from './media-kinds.ts'
import { InviteRole, Permissions } from './policy.ts'
import { EVENT_KINDS, NOTE_KINDS } from './posts.ts'
import { line } from './text.ts'
import { NAME } from './text-words.ts'
import { oneOf, z } from './zod.ts'

const GUEST = 'guest:'

/** The user id under which a guest's requests run. */
export const guestUserId = (guestId: string) => GUEST + guestId
export const isGuestUser = (userId: string) => userId.startsWith(GUEST)
/** The id of somebody who signs in. */
export const AccountId = UserId.refine((id) => !isGuestUser(id), { error: () => t`Nobody signs in as a guest` })

/** What a link shows: the whole collection, what a filter accepts, or chosen items. */
export const LinkKind = oneOf(['collection', 'filter', 'items'])
export type LinkKind = z.infer<typeof LinkKind>

/** How much guests see of places. */
export const LinkLocation = oneOf(['hidden', 'town', 'exact'])
export type LinkLocation = z.infer<typeof LinkLocation>

const choice = <const T extends readonly [string, ...string[]]>(values: T) => z.array(z.enum(values)).max(values.length).default([])

/** The filters of the views (web/lib/filters/content.ts). An empty list does not filter. */
export const LinkFilters = z.strictObject({
  contentTypes: choice(['post', ...MEDIA_KINDS]),
  postTypes: choice(['event', 'note']),
  eventTypes: choice(EVENT_KINDS),
  noteTypes: choice(NOTE_KINDS),
  /** Ids of people of the collection; an item matches if it has one of them. */
  people: z.array(Id).max(LIMITS.peoplePerCollection).default([]),
})
export type LinkFilters = z.infer<typeof LinkFilters>

const itemIds = z
  .array(Id)
  .min(1, { error: () => t`Choose at least one post or photo` })
  .max(LIMITS.itemsPerLink, { error: () => t`A link shows at most ${{ limit: String(LIMITS.itemsPerLink) }} chosen items` })
const filters = LinkFilters.refine((f) => Object.values(f).some((list) => list.length > 0), { error: () => t`Choose at least one filter` })
const password = z
  .string()
  .min(LIMITS.passwordMin, {
    error: () =>
      t`${plural({ count: LIMITS.passwordMin }, { one: 'A password has at least # character', other: 'A password has at least # characters' })}`,
  })
  .max(LIMITS.passwordMax, {
    error: () =>
      t`${plural({ count: LIMITS.passwordMax }, { one: 'A password has at most # character', other: 'A password has at most # characters' })}`,
  })
const endsAt = Moment.refine((moment) => Date.parse(moment) > Date.now(), { error: () => t`Choose a time in the future` })

const Settings = z.strictObject({
  /** For the list of links, and what guests read above the collection. */
  name: line(LIMITS.linkName, NAME).nullable().optional(),
  /** Null for none. */
  password: password.nullable().optional(),
  /** Null for no end. */
  endsAt: endsAt.nullable().optional(),
  /** `look` by default. `add` only for the kind `collection`. */
  allows: LinkAllows.optional(),
  /** An admin must accept added files before others see them; on by default. */
  approve: z.boolean().optional(),
  /** `hidden` by default. */
  location: LinkLocation.optional(),
  /** Guests may download originals; not by default. */
  download: z.boolean().optional(),
  /** Guests give a name; not by default. */
  askName: z.boolean().optional(),
  /** People who sign in may ask to become members; off by default. Only for the kind `collection`. */
  join: z.boolean().optional(),
  /** The role that they ask for. If missing, the one that the link has had, or `read`. Only together with `join`. */
  role: InviteRole.optional(),
  /** Apps in which the link is sent show its title and newest picture, unless it asks for a password or a name; so by default. */
  preview: z.boolean().optional(),
  /** Posts and assets; a post brings its assets that are in the collection. Only for the kind `items`. */
  itemIds: itemIds.optional(),
  /** Only for the kind `filter`. */
  filters: filters.optional(),
})
const hasUseForRole = ({ join, role }: z.infer<typeof Settings>) => role === undefined || join === true
const NO_USE_FOR_ROLE = { path: ['role'], error: () => t`A role goes with join: true` }
export const NewLink = Settings.extend({ id: NewId.optional(), kind: LinkKind })
  .refine(hasUseForRole, NO_USE_FOR_ROLE)
  .refine(({ kind, join }) => !join || kind === 'collection', {
    path: ['join'],
    error: () => t`Only a link to the whole collection lets people ask to become members`,
  })
  .refine(({ kind, allows }) => allows !== 'add' || kind === 'collection', {
    path: ['allows'],
    error: () => t`Only a link to the whole collection lets guests add something`,
  })
  .refine(({ kind, itemIds }) => (kind === 'items') === (itemIds !== undefined), {
    path: ['itemIds'],
    error: () => t`A link of the kind items has itemIds, others have none`,
  })
  .refine(({ kind, filters }) => (kind === 'filter') === (filters !== undefined), {
    path: ['filters'],
    error: () => t`A link of the kind filter has filters, others have none`,
  })
export type NewLink = z.infer<typeof NewLink>
/** Everything but the kind and the address. A missing field stays. */
export const LinkEdit = Settings.refine(hasUseForRole, NO_USE_FOR_ROLE)
export type LinkEdit = z.infer<typeof LinkEdit>

/**
 * A link as those see it who may change it. `url` is sent once, by its creation. `ended`: it opens nothing any more, since it was ended, its time is over, or
 * its maker may no longer make such a link. `views` counts guests per day, each once a day, for the last 30 days.
 */
export const Link = z.object({
  id: Id,
  collection_id: Id,
  kind: LinkKind,
  name: z.string().nullable(),
  itemIds: z.array(Id).optional(),
  filters: LinkFilters.optional(),
  password: z.boolean(),
  endsAt: z.string().nullable(),
  allows: LinkAllows,
  approve: z.boolean(),
  location: LinkLocation,
  download: z.boolean(),
  askName: z.boolean(),
  preview: z.boolean(),
  join: z.boolean(),
  /** With `join`. */
  role: InviteRole.optional(),
  created_at: z.string(),
  createdBy: z.object({ id: UserId, name: z.string() }),
  ended: z.boolean(),
  lastUsedAt: z.string().nullable(),
  views: z.array(z.object({ day: z.string(), views: z.number().int() })),
  url: z.string().optional(),
})
export type Link = z.infer<typeof Link>

/** A link as its guests see it. `allows` is what they may do now, which also depends on the collection; with `add`, `permissions` say whether they may answer. */
export const OpenedLink = z.object({
  id: Id,
  collection_id: Id,
  kind: LinkKind,
  name: z.string().nullable(),
  collectionName: z.string(),
  endsAt: z.string().nullable(),
  allows: LinkAllows,
  location: LinkLocation,
  download: z.boolean(),
  askName: z.boolean(),
  join: z.boolean(),
})
export type OpenedLink = z.infer<typeof OpenedLink>

export const Entry = z.strictObject({
  password: z.string().max(LIMITS.passwordMax).optional(),
  name: GuestName.optional(),
})
export type Entry = z.infer<typeof Entry>
export const Guest = z.object({ id: Id, name: z.string().nullable() })
export type Guest = z.infer<typeof Guest>

/** Admins and the owner see all links, writers their own. */
export const listLinks = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/links',
  summary: 'Links that show the collection, or a part of it, to people without an account',
  sessionOnly: true,
  response: Success.extend({ links: z.array(Link) }),
})
/** Admins and the owner may link to anything in the collection, writers to own items. The same id again is 200, without `url`. */
export const createLink = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/links',
  summary: 'Make a link that people without an account can open',
  sessionOnly: true,
  creates: true,
  body: NewLink,
  response: Success.extend({ link: Link }),
})
/** A changed password ends the access of everyone who has opened the link, until they enter it. */
export const updateLink = endpoint({
  method: 'PATCH',
  path: '/api/collections/{id}/links/{linkId}',
  summary: 'Change a link',
  sessionOnly: true,
  body: LinkEdit,
  response: Success.extend({ link: Link }),
})
/** Its address then answers 410. */
export const endLink = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/links/{linkId}',
  summary: 'End a link at once',
  sessionOnly: true,
  response: Success,
})
/**
 * Sets a cookie, with which the calls marked for guests answer to `?link=<id of the link>`. 404 for an unknown secret, 410 for a link that has ended, 403 with
 * `fields.password` for a missing or wrong password, 400 with `fields.name` for a missing name.
 */
export const enterLink = endpoint({
  method: 'POST',
  path: '/api/links/{secret}/enter',
  summary: 'Open a link',
  public: true,
  body: Entry,
  response: Success.extend({ link: OpenedLink, guest: Guest, permissions: Permissions }),
})
/** For the links whose cookies this browser holds. A repeated call finds nothing more. */
export const claimGuests = endpoint({
  method: 'POST',
  path: '/api/links/claim',
  summary: 'Make yours what you wrote and added in this browser as a guest, before you had an account',
  sessionOnly: true,
  response: Success.extend({ comments: z.number().int(), reactions: z.number().int(), assets: z.number().int() }),
})
