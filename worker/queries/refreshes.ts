import { sql } from 'drizzle-orm'
import { type Db, firstRow, rows } from '../db/client.ts'

type RefreshState = 'claimed' | 'failed' | 'done' | 'refused' | 'ended'

export interface RefreshRow {
  /** The caller holds the claim and must refresh. */
  mine: boolean
  /** Null if a concurrent statement is inserting the row. */
  state: RefreshState | null
  /** The new session, sealed, if the state is `done`. */
  sealed: string | null
  /** The claim has expired. */
  lapsed: boolean
}

export interface Claim {
  key: string
  /** Id of the claimer. */
  claim: string
}

/** A finished refresh is kept for so long: a browser that did not receive the response sends the old credential again. */
const REMEMBERED_HOURS = 24

const STATE = sql`r.state, r.sealed, coalesce(r.claimed_until <= now(), false) as lapsed`

/** Claims the refresh unless it is claimed or finished. One statement, so that only one of several concurrent callers gets it. */
export async function claimRefresh(db: Db, { key, claim }: Claim, seconds: number): Promise<RefreshRow> {
  const row = await firstRow<RefreshRow>(
    db,
    sql`with taken as (
      insert into refreshes as r (key, claim, claimed_until) values (${key}, ${claim}, now() + make_interval(secs => ${seconds}))
      on conflict (key) do update set claim = excluded.claim, claimed_until = excluded.claimed_until, state = 'claimed'
        where r.state in ('claimed', 'failed') and r.claimed_until <= now()
      returning key
    )
    select exists (select from taken) as mine, ${STATE} from (select) as one left join refreshes r on r.key = ${key}`,
  )
  if (!row) throw new Error('The refresh could not be claimed')
  return row
}

export function findRefresh(db: Db, key: string): Promise<RefreshRow | null> {
  return firstRow<RefreshRow>(db, sql`select false as mine, ${STATE} from refreshes r where key = ${key}`)
}

/** False if the session was ended meanwhile, or another request finished first. */
export async function finishRefresh(db: Db, key: string, sealed: string): Promise<boolean> {
  const row = await firstRow(
    db,
    sql`update refreshes set state = 'done', sealed = ${sealed} where key = ${key} and state not in ('done', 'ended') returning key`,
  )
  return row !== null
}

/** Records that the refresh failed (others may retry) or was refused. No effect if another request has the claim by now. */
export async function closeRefresh(db: Db, { key, claim }: Claim, state: 'failed' | 'refused'): Promise<void> {
  await rows(
    db,
    sql`update refreshes set state = ${state}, claimed_until = now() where key = ${key} and claim = ${claim} and state = 'claimed'`,
  )
}

/** Prevents further refreshes with this credential. Returns the sealed session of a finished refresh, which is still valid. */
export async function endRefresh(db: Db, key: string): Promise<string | null> {
  const row = await firstRow<{ sealed: string | null }>(
    db,
    sql`with before as (select sealed from refreshes where key = ${key}), ended as (
      insert into refreshes (key, claim, claimed_until, state) values (${key}, '', now(), 'ended')
      on conflict (key) do update set state = 'ended', sealed = null
    )
    select sealed from before`,
  )
  return row?.sealed ?? null
}

/** Deletes rows older than REMEMBERED_HOURS. */
export async function deleteOldRefreshes(db: Db): Promise<void> {
  await rows(db, sql`delete from refreshes where claimed_until < now() - make_interval(hours => ${REMEMBERED_HOURS})`)
}
