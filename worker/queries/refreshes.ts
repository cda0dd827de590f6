import { sql } from 'drizzle-orm'
import { type Db, firstRow, rows } from '../db/client.ts'

type RefreshState = 'claimed' | 'failed' | 'done' | 'refused' | 'ended'

export interface RefreshRow {
  /** Whether the caller is the one who refreshes. */
  mine: boolean
  /** Null where somebody is writing the row at this very moment. */
  state: RefreshState | null
  /** The new session, sealed, once it is done. */
  sealed: string | null
  /** Whether whoever claimed it has had their time. */
  lapsed: boolean
}

export interface Claim {
  key: string
  /** Names the claimer. */
  claim: string
}

/** For how long a finished refresh is known: a browser that lost the answer comes back with the old credential. */
const REMEMBERED_HOURS = 24

const STATE = sql`r.state, r.sealed, coalesce(r.claimed_until <= now(), false) as lapsed`

/** Takes the refresh unless somebody has it, or it is over. One statement, so that of many callers one gets it. */
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

/** False where it was ended meanwhile, or somebody else was done first. */
export async function finishRefresh(db: Db, key: string, sealed: string): Promise<boolean> {
  const row = await firstRow(
    db,
    sql`update refreshes set state = 'done', sealed = ${sealed} where key = ${key} and state not in ('done', 'ended') returning key`,
  )
  return row !== null
}

/** The claimer's word that it failed (others may try again) or was refused. Without effect once the claim has gone to another. */
export async function closeRefresh(db: Db, { key, claim }: Claim, state: 'failed' | 'refused'): Promise<void> {
  await rows(
    db,
    sql`update refreshes set state = ${state}, claimed_until = now() where key = ${key} and claim = ${claim} and state = 'claimed'`,
  )
}

/** Nobody refreshes with this credential again. Gives the sealed session that a refresh has already brought, which lives on. */
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

/** Refreshes that no browser can have missed. */
export async function deleteOldRefreshes(db: Db): Promise<void> {
  await rows(db, sql`delete from refreshes where claimed_until < now() - make_interval(hours => ${REMEMBERED_HOURS})`)
}
