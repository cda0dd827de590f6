import { sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { Token, TokenScope } from '../../contract/tokens.ts'
import { type Db, firstRow, firstRows } from '../db/client.ts'

export const TOKEN = sql`json_build_object('id', t.id, 'name', t.name, 'scope', t.scope, 'created_at', t.created_at,
  'last_used_at', t.last_used_at, 'expires_at', t.expires_at)`

/** Newest first. */
export async function listTokens(db: Db, userId: string): Promise<Token[]> {
  const row = await firstRow<{ list: Token[] }>(
    db,
    sql`select coalesce(json_agg(${TOKEN} order by t.id desc), '[]') as list from tokens t where t.user_id = ${userId}`,
  )
  return row?.list ?? []
}

export interface TokenRow {
  id: string
  name: string
  scope: TokenScope
  hash: string
  /** The caller's confirmed address. */
  verifiedEmail: string
  expiresAt: string | null
}

/** Inserts nothing if the user has too many tokens or the id exists. `token` is the caller's row with this id. */
export async function insertToken(db: Db, userId: string, row: TokenRow): Promise<{ made: boolean; full: boolean; token: Token | null }> {
  const [, outcome, after] = await firstRows<[unknown, { made: boolean; full: boolean }, { token: Token }]>(
    db,
    // Two concurrent inserts must not exceed the limit together.
    sql`select from users where id = ${userId} for no key update`,
    sql`with checks as materialized (select count(*) >= ${LIMITS.tokensPerUser} as full from tokens where user_id = ${userId}),
    made as (
      insert into tokens (id, user_id, name, scope, hash, verified_email, expires_at)
      select ${row.id}::uuid, ${userId}, ${row.name}, ${row.scope}, ${row.hash}, ${row.verifiedEmail}, ${row.expiresAt}::timestamptz
      from checks where not checks.full on conflict (id) do nothing returning id
    )
    select checks.full, exists (select from made) as made from checks`,
    sql`select ${TOKEN} as token from tokens t where t.id = ${row.id} and t.user_id = ${userId}`,
  )
  return { made: outcome?.made ?? false, full: outcome?.full ?? false, token: after?.token ?? null }
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
}

/**
 * The owner of a token. Null if it is unknown or expired, or if the owner no longer has the address for which it was made.
 * `last_used_at` is written at most once a minute, so that most reads do not write.
 */
export async function findBearer(db: Db, hash: string): Promise<TokenBearer | null> {
  return firstRow<TokenBearer>(
    db,
    sql`with found as materialized (
      select t.id as token, t.scope, u.id, u.email::text as email, true as "emailVerified",
        coalesce(t.last_used_at < now() - interval '1 minute', true) as use_is_due
      from tokens t join users u on u.id = t.user_id
      where t.hash = ${hash} and t.verified_email = u.email and (t.expires_at is null or t.expires_at > now())
    ),
    use_recorded as (update tokens set last_used_at = now() from found where tokens.id = found.token and found.use_is_due)
    select id, email, "emailVerified", scope, token as "tokenId" from found`,
  )
}
