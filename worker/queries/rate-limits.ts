import { sql } from 'drizzle-orm'
import { type Db, firstRow, rows } from '../db/client.ts'

export interface Limited {
  key: string
  /** Attempts per window. */
  limit: number
}

/** Adds `count` attempts under every key. Returns the seconds to wait if a limit is exceeded, else null. */
export async function countAttempts(
  db: Db,
  attempts: Limited[],
  { count, windowSeconds }: { count: number; windowSeconds: number },
): Promise<number | null> {
  // One order for all statements prevents deadlocks.
  const sorted = attempts.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const row = await firstRow<{ wait: number | null }>(
    db,
    sql`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb) as g(key text, "limit" int)
    ), counted as (
      insert into rate_limits as r (key, tries, resets_at)
      select key, ${count}::int, now() + make_interval(secs => ${windowSeconds}) from given order by key
      on conflict (key) do update set
        tries = case when r.resets_at <= now() then ${count}::int else r.tries + ${count}::int end,
        resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
      returning key, tries, resets_at
    )
    select ceil(extract(epoch from max(resets_at) - now()))::int as wait
    from counted join given using (key) where tries > "limit"`,
  )
  return row?.wait ?? null
}

export async function deleteExpiredWindows(db: Db): Promise<void> {
  await rows(db, sql`delete from rate_limits where resets_at < now()`)
}
