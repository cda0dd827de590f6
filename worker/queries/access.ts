import { sql } from 'drizzle-orm'
import type { AccessKind, CalendarLinkAccess, LinkAccess, PushAccess, SessionAccess } from '../../contract/access.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Token } from '../../contract/tokens.ts'
import { type Db, firstRow, rows } from '../db/client.ts'
import { pictureAccess } from './picture-access.ts'
import { TOKEN } from './tokens.ts'

/** Everything that opens the caller's collections, newest first. `current` is the id of the caller's session. */
export async function listAccess(db: Db, userId: string, current: string): Promise<AccessList> {
  const list = await firstRow<AccessList>(
    db,
    sql`select
      (select coalesce(json_agg(json_build_object('id', s.id, 'agent', s.agent, 'created_at', s.created_at, 'used_at', s.used_at,
        'current', s.id = ${current}) order by s.id = ${current} desc, s.used_at desc, s.id), '[]')
        from sessions s where s.user_id = ${userId}) as sessions,
      (select coalesce(json_agg(${TOKEN} order by t.id desc), '[]') from tokens t where t.user_id = ${userId}) as tokens,
      (select coalesce(json_agg(json_build_object('id', k.collection_id, 'collection', c.name, 'notes', k.notes, 'created_at', k.created_at,
        'last_used_at', k.last_used_at) order by k.created_at desc), '[]')
        from calendar_links k join collections c on c.id = k.collection_id and c.deleted_at is null
        where k.user_id = ${userId}) as "calendarLinks",
      (select coalesce(json_agg(json_build_object('id', p.id, 'agent', s.agent, 'created_at', p.created_at,
        'current', s.id = ${current}) order by p.created_at desc), '[]')
        from push_subscriptions p join sessions s on s.id = p.session_id where p.user_id = ${userId}) as push,
      (select coalesce(json_agg(json_build_object('id', l.id, 'collection_id', l.collection_id, 'collection', c.name, 'name', l.name,
        'created_at', l.created_at, 'last_used_at', l.last_used_at) order by l.id desc), '[]')
        from links l join collections c on c.id = l.collection_id where l.user_id = ${userId} and link_open(l)) as links`,
  )
  return list ?? { sessions: [], tokens: [], calendarLinks: [], push: [], links: [] }
}

interface AccessList {
  sessions: SessionAccess[]
  tokens: Token[]
  calendarLinks: CalendarLinkAccess[]
  push: PushAccess[]
  links: LinkAccess[]
}

/** Table and id of each kind. A calendar link goes by the id of its collection. */
const TABLES: Record<AccessKind, { table: string; key: string }> = {
  session: { table: 'sessions', key: 'id' },
  token: { table: 'tokens', key: 'id' },
  calendar: { table: 'calendar_links', key: 'collection_id' },
  push: { table: 'push_subscriptions', key: 'id' },
}

/** False if the user has no such access. */
export async function revokeAccess(db: Db, userId: string, { kind, id }: { kind: AccessKind; id: string }): Promise<boolean> {
  const { table, key } = TABLES[kind]
  const gone = sql`delete from ${sql.identifier(table)} where ${sql.identifier(key)} = ${id} and user_id = ${userId} returning user_id`
  const revoked = (await firstRow(db, gone)) !== null
  if (revoked) pictureAccess.forget(id)
  return revoked
}

/**
 * Revokes every access of a user: sessions, tokens, calendar links, and with the sessions their notifications. `keep` is the id of a session
 * that stays.
 */
export async function revokeAllAccess(db: Db, userId: string, keep: string | null = null): Promise<void> {
  await rows(
    db,
    sql`with ended as (delete from sessions where user_id = ${userId} and id is distinct from ${keep}::uuid),
    no_tokens as (delete from tokens where user_id = ${userId})
    delete from calendar_links where user_id = ${userId}`,
  )
}

export async function deleteSession(db: Db, id: string): Promise<void> {
  await rows(db, sql`delete from sessions where id = ${id}`)
  pictureAccess.forget(id)
}

/** Runs the check of a database in the name of a session, for calls that need nothing else from it. */
export async function checkAccess(db: Db): Promise<void> {
  await rows(db, sql`select`)
}

/** Deletes sessions that have not been used for long, or were begun longest ago. */
export async function deleteOldSessions(db: Db): Promise<void> {
  const days = (number: number) => sql`now() - make_interval(days => ${number})`
  await rows(
    db,
    sql`delete from sessions where id in (select id from sessions
      where used_at < ${days(LIMITS.sessionIdleDays)} or created_at < ${days(LIMITS.sessionDays)} limit 100 for update skip locked)`,
  )
}
