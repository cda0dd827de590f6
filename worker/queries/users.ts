import { sql } from 'drizzle-orm'
import type { DateSettings } from '../../contract/date-settings.ts'
import type { Role } from '../../contract/policy.ts'
import type { Theme } from '../../contract/themes.ts'
import type { Profile, ProfileEdit } from '../../contract/users.ts'
import { type Db, firstRow, firstRows } from '../db/client.ts'
import { violates } from '../http/errors.ts'
import { collectionsSeenBy, roleIn } from './permissions.ts'
import { attemptsForgotten } from './rate-limits.ts'

/** The fields from which worker/language.ts derives the language of a reader. */
export type Languages = Pick<Profile, 'displayLanguage' | 'language'>

const PROFILE = sql`id, email::text as email, first_name as "firstName", last_name as "lastName", shares_presence as "sharesPresence",
  avatar, display_language as "displayLanguage", language, region, hours, first_day as "firstDay", time_zone as "timeZone"`

interface NewUser extends Pick<Profile, 'id' | 'email' | 'firstName' | 'lastName' | 'language' | 'displayLanguage'> {
  emailVerified: boolean
  /** With an `agent`, the session begins. */
  session: { id: string; agent?: string | null } | null
}

type Stored = Profile & { before: string | null }

/** Of the account with this address. */
export function findLanguages(db: Db, email: string): Promise<Languages | null> {
  return firstRow(
    db,
    sql`select display_language as "displayLanguage", language from users where email = ${email}::citext and deleted_at is null`,
  )
}

/**
 * Inserts or updates the user with the sign-in service's present data. A trigger (users_changed) links pending invitations to this
 * address, in the order of locks. Names and the chosen language are written for a new row only, so that a cleared name stays empty. The service has one account
 * per address: another row with this address is of an account that lost it; it gets a placeholder and keeps
 * everything else. Null if the user deleted the account;
 * only a new sign-in (`signIn`) starts it again, empty: what it left goes to a former member under another id. A new address revokes every access but this session; `before` is then the one that it replaced,
 * if that was confirmed.
 */
export async function upsertUser(
  db: Db,
  user: NewUser,
  signIn?: { forget: string[] },
): Promise<{ profile: Profile; before: string | null } | null> {
  const { id: session = null, agent } = user.session ?? {}
  const write = sql`with before as materialized (select email, verified_email from users where id = ${user.id}),
    freed as (
      update users set email = id || '@moved.invalid', verified_email = null where email = ${user.email} and id <> ${user.id}
        and not exists (select from users where id = ${user.id} and deleted_at is not null) returning id
    ), present as (
      insert into users (id, email, verified_email, first_name, last_name, language, display_language)
      select ${user.id}, ${user.email}, ${user.emailVerified ? user.email : null}, ${user.firstName}, ${user.lastName}, ${user.language}, ${user.displayLanguage} from (select count(*) from freed) as first
      on conflict (id) do update set email = excluded.email, verified_email = coalesce(excluded.verified_email, users.verified_email), language = coalesce(users.language, excluded.language)
        where users.deleted_at is null
      returning *
    ), moved as materialized (select present.id from present, before where present.email <> before.email),
    ended as (delete from sessions s using moved where s.user_id = moved.id and s.id is distinct from ${session}::uuid),
    no_tokens as (delete from tokens t using moved where t.user_id = moved.id),
    no_links as (delete from calendar_links k using moved where k.user_id = moved.id),
    forgotten as (${attemptsForgotten(signIn?.forget ?? [])}),
    begun as (insert into sessions (id, user_id, agent) select ${session}::uuid, id, ${agent ?? null}::text from present where ${agent !== undefined})
    select ${PROFILE}, (select before.email::text from before, moved where before.verified_email = before.email) as before from present`
  try {
    let row = await firstRow<Stored>(db, write)
    if (!row && signIn) [, row] = await firstRows<[unknown, Stored]>(db, sql`select leave_to_former_member(${user.id})`, write)
    return withBefore(row)
  } catch (error) {
    // Of two that insert the row at once, one may meet the other's address before its id. Now the row is there.
    if (violates(error, 'users_email_key')) return upsertUser(db, user, signIn)
    throw error
  }
}

/** The profile, with what was there before the change. Null if there was no such user. */
function withBefore(row: Stored | null): { profile: Profile; before: string | null } | null {
  if (!row) return null
  const { before, ...profile } = row
  return { profile, before }
}

export async function addressIsTaken(db: Db, { id, email }: { id: string; email: string }): Promise<boolean> {
  return (await firstRow(db, sql`select id from users where email = ${email} and id <> ${id}`)) !== null
}

export async function findUserId(db: Db, email: string): Promise<string | null> {
  return (await firstRow<{ id: string }>(db, sql`select id from users where email = ${email}`))?.id ?? null
}

/** Days since the account was made, and the user's role in a collection. */
export async function findSender(db: Db, userId: string, collectionId: string): Promise<{ days: number; role: Role | null }> {
  const row = await firstRow<{ days: number; role: Role | null }>(
    db,
    sql`select extract(epoch from now() - created_at)::float8 / 86400 as days, ${roleIn(collectionId, userId)} as role from users where id = ${userId}`,
  )
  return row ?? { days: 0, role: null }
}

export async function findProfile(db: Db, userId: string): Promise<Profile | null> {
  return firstRow<Profile>(db, sql`select ${PROFILE} from users where id = ${userId} and deleted_at is null`)
}

/** Null if the address of the account is not confirmed. */
export function findConfirmedProfile(db: Db, userId: string): Promise<Profile | null> {
  return firstRow(db, sql`select ${PROFILE} from users where id = ${userId} and verified_email = email and deleted_at is null`)
}

/** Changes only the given fields. An empty name becomes null. Null if there is no such user. */
export async function updateProfile(db: Db, userId: string, edit: ProfileEdit): Promise<Profile | null> {
  const set = (
    column: 'display_language' | 'language' | 'region' | 'hours' | 'first_day' | 'time_zone',
    value: string | number | null | undefined,
  ) => (value === undefined ? sql.raw(column) : sql`${value}`)
  const name = (column: 'first_name' | 'last_name', value: string | null | undefined) =>
    value === undefined ? sql.raw(column) : sql`${value || null}::text`
  return firstRow<Profile>(
    db,
    sql`update users set first_name = ${name('first_name', edit.firstName)}, last_name = ${name('last_name', edit.lastName)},
      shares_presence = coalesce(${edit.sharesPresence ?? null}::boolean, shares_presence),
      display_language = ${set('display_language', edit.displayLanguage)}, language = ${set('language', edit.language)}, region = ${set('region', edit.region)}, hours = ${set('hours', edit.hours)},
      first_day = ${set('first_day', edit.firstDay)}, time_zone = ${set('time_zone', edit.timeZone)}
      where id = ${userId} and deleted_at is null returning ${PROFILE}`,
  )
}

/** Null if there is no such user. */
export async function findDateSettings(db: Db, userId: string): Promise<DateSettings | null> {
  return firstRow<DateSettings>(
    db,
    sql`select language, region, hours, first_day as "firstDay", time_zone as "timeZone" from users where id = ${userId}`,
  )
}

/** Sets the version of the picture. `before` is the replaced one. Null if there is no such user. */
export async function updateAvatar(
  db: Db,
  userId: string,
  version: string | null,
): Promise<{ profile: Profile; before: string | null } | null> {
  const row = await firstRow<Stored>(
    db,
    sql`with old as (select avatar as before from users where id = ${userId} for update)
      update users set avatar = ${version}::text from old where id = ${userId} and deleted_at is null returning ${PROFILE}, before`,
  )
  return withBefore(row)
}

/** Version of a user's picture. Null without one, and if the caller shares no collection with them. */
export async function findAvatar(db: Db, callerId: string, userId: string): Promise<string | null> {
  const row = await firstRow<{ avatar: string | null }>(
    db,
    sql`select u.avatar from users u where u.id = ${userId} and u.deleted_at is null and (u.id = ${callerId} or exists (
      select from members m where m.user_id = u.id and m.collection_id = any(${collectionsSeenBy(callerId)})))`,
  )
  return row?.avatar ?? null
}

export async function findUserTheme(db: Db, userId: string): Promise<Theme | null> {
  return (await firstRow<{ theme: Theme | null }>(db, sql`select theme from users where id = ${userId}`))?.theme ?? null
}

/** False if there is no such user. */
export async function updateUserTheme(db: Db, userId: string, theme: Theme): Promise<boolean> {
  const row = await firstRow(
    db,
    sql`update users set theme = ${JSON.stringify(theme)}::jsonb where id = ${userId} and deleted_at is null returning id`,
  )
  return row !== null
}
