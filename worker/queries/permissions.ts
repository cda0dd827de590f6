import { type SQL, sql } from 'drizzle-orm'
import { type Action, may, mayAssign, ROLES } from '../../contract/policy.ts'
import type { Db } from '../db/client.ts'

/** What posts and assets have in common: a table, and a table of links to collections. */
export const ITEMS = {
  post: { table: sql.raw('posts'), links: sql.raw('post_collections'), key: sql.raw('post_id'), live: sql`i.deleted_at is null` },
  asset: {
    table: sql.raw('assets'),
    links: sql.raw('asset_collections'),
    key: sql.raw('asset_id'),
    live: sql`i.deleted_at is null and i.status = 'ready'`,
  },
} as const
export type ItemKind = keyof typeof ITEMS

/** Parameter for a list of ids that zod has checked. */
export function uuids(ids: readonly string[]): SQL {
  return sql`${`{${ids.join(',')}}`}::uuid[]`
}

declare const named: unique symbol
type Checked<A extends Action> = A & { readonly [named]: true }
/** An action that the route has named; what a member may see, rather than change, needs no name. */
export type CheckedAction = Checked<Action> | 'members.seeEmails' | 'invites.see'
export type Checks<A extends Action> = { readonly [K in A]: Checked<K> }

/** Who calls, and what the route lets its queries check. */
export interface Caller<A extends Action = never> {
  db: Db
  user: { id: string }
  checks: Checks<A>
}

/** Only for the marker of a route (auth/checks.ts). */
export function checksOf<A extends Action>(actions: readonly A[]): Checks<A> {
  return Object.fromEntries(actions.map((action) => [action, action])) as unknown as Checks<A>
}

/** Roles that the policy lets do something, as an array for `role = any(…)`. `own`: the thing is the member's own. */
export function rolesFor(action: CheckedAction, own = false): SQL {
  return sql`${`{${ROLES.filter((role) => may(role, action, own)).join(',')}}`}::text[]`
}

const ASSIGNABLE = ROLES.flatMap((actor) => ROLES.filter((role) => mayAssign(actor, role)).map((role) => `${actor}>${role}`))

/** Whether a member with the role `actor` may give, change or take away the role `target`; both are SQL expressions. */
export function assigns(_checks: Checks<'members.manage'>, actor: SQL, target: SQL): SQL {
  return sql`(${actor} || '>' || ${target}) = any(${`{${ASSIGNABLE.join(',')}}`}::text[])`
}

/** The role of a user in a collection that is not deleted, or null: `(select …)`. Both arguments are values or expressions. */
export function roleIn(collectionId: SQL | string, userId: string): SQL {
  return sql`(select m.role from members m join collections c on c.id = m.collection_id
    where m.collection_id = ${collectionId} and m.user_id = ${userId} and c.deleted_at is null)`
}

/** Rows `l` (link) with `m` (the caller's membership) of an item in collections that the caller sees: `from …`. */
export function linksSeenBy(kind: ItemKind, userId: string, item: SQL = sql`i.id`): SQL {
  const { links, key } = ITEMS[kind]
  return sql`from ${links} l join collections c on c.id = l.collection_id and c.deleted_at is null
    join members m on m.collection_id = l.collection_id and m.user_id = ${userId} where l.${key} = ${item}`
}

/** Ids of the collections that the caller sees, as an array that a statement makes once: what a page of many rows asks of each. */
export function collectionsSeenBy(userId: string): SQL {
  return sql`array(select m.collection_id from members m join collections c on c.id = m.collection_id
    where m.user_id = ${userId} and c.deleted_at is null)`
}

/**
 * Whether the caller sees item `i`: their own, or in a collection of theirs. The trash is invisible, and an unfinished
 * upload is visible to its owner only.
 */
export function visibleItem(kind: ItemKind, userId: string): SQL {
  return sql`(i.deleted_at is null and (i.user_id = ${userId} or (${ITEMS[kind].live} and exists (select ${linksSeenBy(kind, userId)}))))`
}

/**
 * Whether the caller may edit or remove item `i`: the author where their role in one of its collections is enough, or while
 * it is in none; somebody else where the author put it into a collection in which their role is.
 */
export function permittedItem(kind: ItemKind, userId: string, action: Checked<'item.edit' | 'item.remove'>): SQL {
  const { links, key } = ITEMS[kind]
  return sql`(
    (i.user_id = ${userId} and not exists (
      select from ${links} l join collections c on c.id = l.collection_id where l.${key} = i.id and c.deleted_at is null))
    or (i.user_id = ${userId} and exists (select ${linksSeenBy(kind, userId)} and m.role = any(${rolesFor(action, true)})))
    or exists (select ${linksSeenBy(kind, userId)} and l.user_id = i.user_id and m.role = any(${rolesFor(action)})))`
}

/** What others call the user of alias `u`: the names there are, or the part of the address that tells nobody how to write to them. */
export const displayNameOf = sql`coalesce(nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), ''),
  split_part(u.email::text, '@', 1))`
