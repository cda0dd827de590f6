import { sql } from 'drizzle-orm'
import { type Db, firstRow, rows } from '../db/client.ts'

/** Seconds for which the sign-in service accepts what is in a link. */
const LIFETIME = 60 * 60

/** Stores the newest link under this key, which makes the older ones void. */
export async function storeMailedLink(db: Db, key: string, id: string): Promise<void> {
  await rows(
    db,
    sql`insert into mailed_links (key, id, expires_at) values (${key}, ${id}, now() + make_interval(secs => ${LIFETIME}))
      on conflict (key) do update set id = excluded.id, expires_at = excluded.expires_at`,
  )
}

/** Whether this is the newest link, and has not been used. */
export async function isNewestLink(db: Db, key: string, id: string): Promise<boolean> {
  return (await firstRow(db, sql`select from mailed_links where key = ${key} and id = ${id} and expires_at > now()`)) !== null
}

/** Uses up the link. */
export async function deleteMailedLink(db: Db, key: string, id: string): Promise<void> {
  await rows(db, sql`delete from mailed_links where key = ${key} and id = ${id}`)
}

export async function deleteOldMailedLinks(db: Db): Promise<void> {
  await rows(db, sql`delete from mailed_links where expires_at < now()`)
}
