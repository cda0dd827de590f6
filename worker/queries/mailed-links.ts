import { sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import { type Db, firstRow, rows } from '../db/client.ts'

const UNTIL = sql`now() + make_interval(mins => ${LIMITS.mailedLinkMinutes})`

/** Stores the newest link under this key, which makes the older ones void. With `keepLive`, only if none of them still works. */
export async function storeMailedLink(
  db: Db,
  { key, id, keepLive = false }: { key: string; id: string; keepLive?: boolean },
): Promise<void> {
  await rows(
    db,
    sql`insert into mailed_links as l (key, id, expires_at) values (${key}, ${id}, ${UNTIL})
      on conflict (key) do update set id = excluded.id, expires_at = excluded.expires_at where ${!keepLive} or l.expires_at <= now()`,
  )
}

/** Whether no other event has asked for the mail of this key. */
export async function claimMail(db: Db, key: string, event: string): Promise<boolean> {
  const row = await firstRow<{ id: string }>(
    db,
    sql`insert into mailed_links as l (key, id, expires_at) values (${key}, ${event}, ${UNTIL})
      on conflict (key) do update set key = l.key returning id`,
  )
  return row?.id === event
}

/** Whether this is the newest link, and has not been used. */
export async function isNewestLink(db: Db, key: string, id: string): Promise<boolean> {
  return (await firstRow(db, sql`select from mailed_links where key = ${key} and id = ${id} and expires_at > now()`)) !== null
}

/** Makes the newest link under this key void, too. */
export async function deleteMailedLink(db: Db, key: string): Promise<void> {
  await rows(db, sql`delete from mailed_links where key = ${key}`)
}

export async function deleteOldMailedLinks(db: Db): Promise<void> {
  await rows(db, sql`delete from mailed_links where expires_at < now()`)
}
