import { type SQL, sql } from 'drizzle-orm'
import { EAST_ASIAN, HAN_HANGUL } from '../../contract/full-name.ts'
import { isGuestUser } from '../../contract/links.ts'
import { type Action, AnswerRole, may, mayAnswer, mayAssign, ROLES } from '../../contract/policy.ts'
import type { Db } from '../db/client.ts'

/** Tables of both kinds of items. `live` is true for item `i` unless it is in the trash or being uploaded. */
export const ITEMS = {
  post: {
    table: sql.raw('posts'),
    links: sql.raw('post_collections'),
    tags: sql.raw('post_people'),
    key: sql.raw('post_id'),
    live: sql`i.deleted_at is null`,
  },
  asset: {
    table: sql.raw('assets'),
    links: sql.raw('asset_collections'),
    tags: sql.raw('asset_people'),
    key: sql.raw('asset_id'),
    live: sql`i.deleted_at is null and i.status = 'ready'`,
  },
} as const
export type ItemKind = keyof typeof ITEMS

/** Parameter for a list of ids. They must be checked by zod: they are not escaped. */
export function uuids(ids: readonly string[]): SQL {
  return sql`${`{${ids.join(',')}}`}::uuid[]`
}

/** Parameter for a list of any texts. */
export function texts(list: readonly string[]): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(list)}::jsonb))`
}

/** True for item `i` if it is in no collection, except in deleted ones. */
export function unattached(kind: ItemKind): SQL {
  const { links, key } = ITEMS[kind]
  return sql`not exists (select from ${links} l join collections c on c.id = l.collection_id and c.deleted_at is null where l.${key} = i.id)`
}

declare const named: unique symbol
type Checked<A extends Action> = A & { readonly [named]: true }
/** An action that the route declares with `checks(…)`. Actions that only show something need no declaration. */
export type CheckedAction = Checked<Action> | 'members.seeEmails' | 'invites.see' | 'comment.seeHidden'
export type Checks<A extends Action> = { readonly [K in A]: Checked<K> }

/** The caller, and the actions that the route lets its queries check. */
export interface Caller<A extends Action = never> {
  db: Db
  user: { id: string }
  checks: Checks<A>
  /** The id that the caller has chosen for the change (CHANGE_HEADER). */
  changeId?: string
}

/** Only for the route markers (auth/checks.ts), and for mails, which come by no route. */
export function checksOf<A extends Action>(actions: readonly A[]): Checks<A> {
  return Object.fromEntries(actions.map((action) => [action, action])) as unknown as Checks<A>
}

/** Roles to which the policy permits the action, as an array for `role = any(…)`. `own`: the item is the member's own. */
export function rolesFor(action: CheckedAction, own = false): SQL {
  return sql`${`{${ROLES.filter((role) => may(role, action, own)).join(',')}}`}::text[]`
}

const ASSIGNABLE = ROLES.flatMap((actor) => ROLES.filter((role) => mayAssign(actor, role)).map((role) => `${actor}>${role}`))

/** True if a member with the role `actor` may grant, change or remove the role `target`. Both are SQL expressions. */
export function assigns(_checks: Checks<'members.manage'>, actor: SQL, target: SQL): SQL {
  return sql`(${actor} || '>' || ${target}) = any(${`{${ASSIGNABLE.join(',')}}`}::text[])`
}

const ANSWERING = AnswerRole.options.flatMap((lowest) => ROLES.filter((role) => mayAnswer(role, lowest)).map((role) => `${role}>${lowest}`))

/** True for membership `m` of collection `c` if the member may comment and react there. */
export function answers(_action: Checked<'comment.add'>): SQL {
  return sql`coalesce((m.role || '>' || c.answers) = any(${`{${ANSWERING.join(',')}}`}::text[]), false)`
}

// Permissions come from the view `memberships`. It has all members, or only those of one collection if check_access has limited the transaction to it.

/** The only collection that the access token is for, or null. */
export const onlyCollection = sql`nullif(current_setting('cairn.collection', true), '')::uuid`

/** Differs after every change of the guest's link, for entity tags; empty for members. */
export const linkVersion = sql`coalesce(current_setting('cairn.link_version', true), '')`

/** True if item `i` (or `a`) is the caller's own. With an access token for one collection, only in that collection. */
export function ownItem(kind: ItemKind, userId: string, alias: 'i' | 'a' = 'i'): SQL {
  const item = sql.raw(alias)
  return sql`(${item}.user_id = ${userId} and (${onlyCollection} is null
    or exists (select from ${linksOf(kind, sql`${item}.id`)} own where own.collection_id = ${onlyCollection})))`
}

/** The role of a user in a collection, as `(select …)`. Null if they are not a member or the collection is deleted. */
export function roleIn(collectionId: SQL | string, userId: string): SQL {
  return sql`(select m.role from memberships m join collections c on c.id = m.collection_id
    where m.collection_id = ${collectionId} and m.user_id = ${userId} and c.deleted_at is null)`
}

/**
 * The links of one item. `offset 0` makes Postgres read them by the item. Without it, it may read all links of all the caller's collections
 * instead, to look items up in them, if it expects the collections to be small.
 */
export function linksOf(kind: ItemKind, item: SQL): SQL {
  const { links, key } = ITEMS[kind]
  return sql`(select * from ${links} where ${key} = ${item} offset 0)`
}

/** `from …` over the links `l` of an item to collections of the caller, with `m`, the caller's membership. */
export function linksSeenBy(kind: ItemKind, userId: string, item: SQL = sql`i.id`): SQL {
  return sql`from ${linksOf(kind, item)} l join collections c on c.id = l.collection_id and c.deleted_at is null
    join memberships m on m.collection_id = l.collection_id and m.user_id = ${userId} where true`
}

/** Ids of the caller's collections, as an array that Postgres computes once per statement instead of once per row. */
export function collectionsSeenBy(userId: string): SQL {
  return sql`array(select m.collection_id from memberships m join collections c on c.id = m.collection_id
    where m.user_id = ${userId} and c.deleted_at is null)`
}

/**
 * True if item `i` is the caller's own or in one of their collections. Items in the trash are invisible, and unfinished uploads are visible
 * to their author only.
 */
export function visibleItem(kind: ItemKind, userId: string): SQL {
  return sql`(i.deleted_at is null and (${ownItem(kind, userId)} or (${ITEMS[kind].live} and exists (select ${linksSeenBy(kind, userId)}))))`
}

/**
 * True if the caller may put their own asset `i` (or `a`) into collections in place of the same file that they are sending. A guest's file is where the link
 * leads already.
 */
export const reusable = (userId: string, action: Checked<'item.add'>, alias: 'i' | 'a' = 'i') =>
  isGuestUser(userId) ? ownItem('asset', userId, alias) : permittedAuthor('asset', userId, action, alias)

/** True if asset `i` was sent by a guest, and waits for an answer of admins, of whom the caller is one. They may look at its pictures and its file. */
export const awaitsAnswerOf = (
  userId: string,
) => sql`(i.deleted_at is null and exists (select from contributions w where w.asset_id = i.id and w.state = 'waiting'
  and ${roleIn(sql`w.collection_id`, userId)} = any(${rolesFor('invites.see')})))`

/** True if asset `i` waits for an admin, who accepts what they have looked at: until then nobody changes its film or its pictures. */
export const isAwaited = sql`exists (select from contributions w where w.asset_id = i.id and w.state = 'waiting')`

/** `from …` over the links `l` of the item to collections that are not deleted, with `m`, the caller's membership if they have one. */
const allLinks = (kind: ItemKind, userId: string, item: SQL) => sql`from ${linksOf(kind, item)} l
  join collections c on c.id = l.collection_id and c.deleted_at is null
  left join memberships m on m.collection_id = l.collection_id and m.user_id = ${userId} where true`

// The conditions below are the rule of docs/decisions/039, of which tests/api/item-rights.test.ts has a copy.

/** True if the caller may do this to item `i` as its author: their role must suffice in every collection that the item is in. */
export function permittedAuthor(
  kind: ItemKind,
  userId: string,
  action: Checked<'item.edit' | 'item.add' | 'item.link'>,
  alias: 'i' | 'a' = 'i',
): SQL {
  return sql`(${ownItem(kind, userId, alias)} and not exists (
    select ${allLinks(kind, userId, sql`${sql.raw(alias)}.id`)} and not coalesce(m.role = any(${rolesFor(action, true)}), false)))`
}

/** True if the caller may edit item `i`: as its author, or with the role for it in a collection into which the author put the item. */
export function permittedEdit(kind: ItemKind, userId: string, action: Checked<'item.edit'>): SQL {
  return sql`(${permittedAuthor(kind, userId, action)} or (i.user_id <> ${userId}
    and exists (select ${linksSeenBy(kind, userId)} and l.user_id = i.user_id and m.role = any(${rolesFor(action)}))))`
}

/** True for membership `m` if the caller may take item `i` out of that collection. */
export function removableFrom(userId: string, action: Checked<'item.remove'>): SQL {
  return sql`coalesce(m.role = any(${rolesFor(action)}) or (i.user_id = ${userId} and m.role = any(${rolesFor(action, true)})), false)`
}

/**
 * True if the caller may move item `i` to the trash, or restore it: they may take it out of every collection that it is in, and are its author
 * or it is only where its author put it.
 */
export function permittedTrash(kind: ItemKind, userId: string, action: Checked<'item.remove'>): SQL {
  return sql`(not exists (select ${allLinks(kind, userId, sql`i.id`)} and not (${removableFrom(userId, action)} and (i.user_id = ${userId} or l.user_id = i.user_id)))
    and (${ownItem(kind, userId)} or exists (select ${linksSeenBy(kind, userId)})))`
}

/** True for item `i` if its author is a guest or has deleted their account: taking it out of its last collection takes it from no one. */
export const isNobodys = sql`(i.user_id like 'guest:%' or exists (select from users u where u.id = i.user_id and u.deleted_at is not null))`

/**
 * True if item `i`, which the caller may move to the trash, would not be lost to its author there: they may restore it, in every collection that it
 * is in, or are nobody. Otherwise it only leaves its collections.
 */
export function restorableByAuthor(kind: ItemKind, userId: string, action: Checked<'item.remove'>): SQL {
  return sql`(i.user_id = ${userId} or ${isNobodys} or not exists (select from ${linksOf(kind, sql`i.id`)} l
    join collections c on c.id = l.collection_id and c.deleted_at is null
    left join members m on m.collection_id = l.collection_id and m.user_id = i.user_id
    where not coalesce(m.role = any(${rolesFor(action, true)}), false)))`
}

const written = sql.raw(`'^[${EAST_ASIAN}]+$'`)

/** First and last name of user `u` as far as given, in the order of `fullName`; null without one. */
export const fullNameOf = sql`case when u.first_name ~ ${written} and u.last_name ~ ${written} and u.last_name ~ ${sql.raw(`'[${HAN_HANGUL}]'`)}
  then u.last_name || u.first_name else nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), '') end`

/** Name of user `u` for others: the full name, else the part of the address before the `@`. Guests choose their names, so theirs is marked. */
export const displayNameOf = sql`(coalesce(${fullNameOf},
  split_part(u.email::text, '@', 1)) || case when u.id like 'guest:%' then ' (guest)' else '' end)`

/** True if that is a part of the address. */
export const isUnnamed = sql`coalesce(u.first_name, '') = '' and coalesce(u.last_name, '') = ''`
