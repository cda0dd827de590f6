import { sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { Token, TokenScope } from '../../contract/tokens.ts'
import { type Db, firstRow, firstRows, oneRow, present } from '../db/client.ts'
import { roleIn } from './permissions.ts'

export const TOKEN = sql`json_build_object('id', t.id, 'name', t.name, 'scope', t.scope,
  'collection', (select json_build_object('id', c.id, 'name', c.name) from collections c where c.id = t.collection_id), 'created_at', t.created_at,
  'last_used_at', t.last_used_at, 'expires_at', t.expires_at)`

/** Newest first. */
export async function listTokens(db: Db, userId: string): Promise<Token[]> {
  const { list } = await oneRow<{ list: Token[] }>(
    db,
    sql`select coalesce(json_agg(${TOKEN} order by t.id desc), '[]') as list from tokens t where t.user_id = ${userId}`,
  )
  return list
}

export interface TokenRow {
  id: string
  name: string
  scope: TokenScope
  /** The only collection that the token opens; null for all of the caller's. */
  collectionId: string | null
  hash: string
  /** The caller's confirmed address. */
  verifiedEmail: string
  expiresAt: string | null
}

/** `seen`: the caller sees the collection. `token` is the caller's row with this id. */
interface TokenWrite {
  made: boolean
  full: boolean
  seen: boolean
  token: Token | null
}

/** Inserts nothing if the user has too many tokens or does not see the collection, or if the id exists. */
export async function insertToken(db: Db, userId: string, row: TokenRow): Promise<TokenWrite> {
  const { collectionId } = row
  const [, , outcome, after] = await firstRows<[unknown, unknown, Omit<TokenWrite, 'token'>, { token: Token }]>(
    db,
    // A concurrent deletion of the collection would not see the token.
    sql`select from collections where id = ${collectionId} for share`,
    // Two concurrent inserts must not exceed the limit together.
    sql`select from users where id = ${userId} for no key update`,
    sql`with checks as materialized (
      select count(*) >= ${LIMITS.tokensPerUser} as full, ${collectionId}::uuid is null or ${roleIn(sql`${collectionId}::uuid`, userId)} is not null as seen
      from tokens where user_id = ${userId}
    ),
    made as (
      insert into tokens (id, user_id, collection_id, name, scope, hash, verified_email, expires_at)
      select ${row.id}::uuid, ${userId}, ${collectionId}::uuid, ${row.name}, ${row.scope}, ${row.hash}, ${row.verifiedEmail},
        ${row.expiresAt}::timestamptz
      from checks where not checks.full and checks.seen on conflict (id) do nothing returning id
    )
    select checks.*, exists (select from made) as made from checks`,
    sql`select ${TOKEN} as token from tokens t where t.id = ${row.id} and t.user_id = ${userId}`,
  )
  return { ...present(outcome), token: after?.token ?? null }
}

/** False if the caller has no such token. */
export async function deleteToken(db: Db, userId: string, id: string): Promise<boolean> {
  return (await firstRow(db, sql`delete from tokens where id = ${id} and user_id = ${userId} returning id`)) !== null
}

export interface TokenBearer {
  id: string
  email: string
  emailVerified: boolean
  scope: TokenScope
  tokenId: string
  collectionId: string | null
}

/**
 * The owner of a token. Null if it is unknown or expired, or if the owner no longer has the address for which it was made.
 * `last_used_at` is written at most once a minute, so that most reads do not write.
 */
export async function findBearer(db: Db, hash: string): Promise<TokenBearer | null> {
  return firstRow<TokenBearer>(
    db,
    sql`with found as materialized (
      select t.id as token, t.scope, t.collection_id, u.id, u.email::text as email, true as "emailVerified",
        coalesce(t.last_used_at < now() - interval '1 minute', true) as use_is_due
      from tokens t join users u on u.id = t.user_id
      where t.hash = ${hash} and t.verified_email = u.email and (t.expires_at is null or t.expires_at > now())
    ),
    use_recorded as (update tokens set last_used_at = now() from found where tokens.id = found.token and found.use_is_due)
    select id, email, "emailVerified", scope, token as "tokenId", collection_id as "collectionId" from found`,
  )
}
