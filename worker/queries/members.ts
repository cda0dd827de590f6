import { type SQL, sql } from 'drizzle-orm'
import type { Member } from '../../contract/members.ts'
import type { InviteRole, Role } from '../../contract/policy.ts'
import { type Db, firstRows, oneRow, present } from '../db/client.ts'
import { lockCollection } from './collections.ts'
import { type EditRecord, recordAfter, recordBefore, type Scope } from './edits.ts'
import { assigns, type Caller, displayNameOf, ITEMS, type ItemKind, roleIn, rolesFor } from './permissions.ts'
import type { Languages } from './users.ts'

/** A person who answers what others ask in a collection. `email` is null unless they have confirmed it: mail goes to nobody else's address. */
export interface Admin extends Languages {
  id: string
  email: string | null
}

/** JSON of the `Admin`s of collection `c`: members `m` with the user `a`. */
export const adminsWhere = (which: SQL) => sql`(select coalesce(json_agg(json_build_object('id', a.id,
    'email', case when a.verified_email = a.email then a.email end, 'displayLanguage', a.display_language, 'language', a.language)), '[]')
  from members m join users a on a.id = m.user_id where m.collection_id = c.id and m.role = any(${rolesFor('invites.see')}) and ${which})`

/** Member `m` with user `u`, and with the address if `emails` is true. */
export const memberJson = (emails: SQL) => sql`json_build_object(
  'collection_id', m.collection_id, 'user_id', m.user_id, 'role', m.role, 'joined_at', m.joined_at, 'name', ${displayNameOf}, 'avatar', u.avatar)::jsonb
  || case when ${emails} then jsonb_build_object('email', u.email) else '{}' end`

const seesEmails = (userId: string, collectionId: string) =>
  sql`(coalesce(${roleIn(collectionId, userId)} = any(${rolesFor('members.seeEmails')}), false))`

/** Owner first, then by role and name. Null if the caller is not a member. */
export async function listMembers(db: Db, userId: string, collectionId: string): Promise<Member[] | null> {
  const { list } = await oneRow<{ list: Member[] | null }>(
    db,
    sql`select json_agg(${memberJson(sql`me.role = any(${rolesFor('members.seeEmails')})`)}
        order by array_position('{owner,admin,write,read}', m.role), lower(${displayNameOf}), m.user_id) as list
      from (select ${roleIn(collectionId, userId)} as role) me
      join members m on m.collection_id = ${collectionId} join users u on u.id = m.user_id where me.role is not null`,
  )
  return list
}

/** The roles of the caller and of the member before the write. */
export interface MemberWrite {
  role: Role | null
  target: Role | null
  done: boolean
  member: Member | null
}

/** Changes the role if the policy lets the caller remove the present role and grant the new one. Callers cannot change their own. */
export async function updateMember(
  { db, user, checks }: Caller<'members.manage'>,
  { collectionId, memberId, role }: { collectionId: string; memberId: string; role: InviteRole },
): Promise<MemberWrite> {
  const userId = user.id
  const [, outcome, after] = await firstRows<[unknown, Omit<MemberWrite, 'member'>, { member: Member }]>(
    db,
    lockCollection(collectionId),
    sql`with roles as materialized (select ${roleIn(collectionId, userId)} as role, ${roleIn(collectionId, memberId)} as target),
    changed as (
      update members set role = ${role} from roles
      where collection_id = ${collectionId} and user_id = ${memberId} and user_id <> ${userId}
        and ${assigns(checks, sql`roles.role`, sql`roles.target`)} and ${assigns(checks, sql`roles.role`, sql`${role}::text`)}
      returning user_id
    )
    select role, target, exists (select from changed) as done from roles`,
    sql`select ${memberJson(seesEmails(userId, collectionId))} as member from members m join users u on u.id = m.user_id
      where m.collection_id = ${collectionId} and m.user_id = ${memberId}`,
  )
  return { ...present(outcome), member: after?.member ?? null }
}

/** Removes a member whom the caller outranks; with a `changeId` also what they put into the collection, which that id undoes. */
export async function deleteMember(
  { db, user, checks }: Caller<'members.manage'>,
  { collectionId, memberId, changeId }: { collectionId: string; memberId: string; changeId?: string | undefined },
): Promise<Omit<MemberWrite, 'member'>> {
  const userId = user.id
  const scope = scopeOfAdded(collectionId, memberId)
  const [, outcome] = await firstRows<[unknown, Omit<MemberWrite, 'member'>, unknown]>(
    db,
    changeId ? lockAllOfAdded(collectionId, memberId) : lockCollection(collectionId),
    sql`with roles as materialized (select ${roleIn(collectionId, userId)} as role, ${roleIn(collectionId, memberId)} as target),
    removed as (
      delete from members using roles
      where collection_id = ${collectionId} and user_id = ${memberId} and user_id <> ${userId} and ${assigns(checks, sql`roles.role`, sql`roles.target`)}
      returning user_id
    )
    ${changeId ? sql`, ${unlinkAdded(collectionId, memberId, { changeId, userId, action: 'unlink' }, scope)}` : sql``}
    select roles.role, target, exists (select from removed) as done from roles`,
    recordAfter(changeId ?? null, scope),
  )
  return present(outcome)
}

/** Locks every collection of what the member put into this one: triggers write to them, too. */
const lockAllOfAdded = (collectionId: string, memberId: string) => {
  const added = (kind: ItemKind) =>
    sql`(select ${ITEMS[kind].key} as id from ${ITEMS[kind].links} where collection_id = ${collectionId} and user_id = ${memberId})`
  return sql`select lock_collections(array(select ${collectionId}::uuid
    union select l.collection_id from ${added('post')} i join post_collections l on l.post_id = i.id
    union select l.collection_id from ${added('asset')} i join asset_collections l on l.asset_id = i.id
    union select l.collection_id from ${added('asset')} i join post_assets pa on pa.asset_id = i.id join post_collections l on l.post_id = pa.post_id))`
}

/** Links that the member made to the collection. */
function scopeOfAdded(collectionId: string, memberId: string): Scope {
  const added = (kind: ItemKind) => sql`(select coalesce(jsonb_agg(l.${ITEMS[kind].key}), '[]') from ${ITEMS[kind].links} l
    where l.collection_id = ${collectionId} and l.user_id = ${memberId})`
  return { collections: sql`jsonb_build_array(${collectionId}::text)`, linkedPosts: added('post'), linkedAssets: added('asset') }
}

/** CTEs that take these links out of the collection, as one edit, if the CTE `removed` has a row. */
function unlinkAdded(collectionId: string, memberId: string, edit: EditRecord, scope: Scope): SQL {
  const unlinked = (kind: ItemKind) => sql`${sql.raw(kind)}_unlinked as (
    delete from ${ITEMS[kind].links} l using open where l.collection_id = ${collectionId} and l.user_id = ${memberId})`
  return sql`open as materialized (select user_id from removed), ${recordBefore(edit, scope)}, ${unlinked('post')}, ${unlinked('asset')}`
}

/** Removes the caller from the collection, unless they own it. Returns their role before. */
export async function deleteOwnMembership({ db, user, checks }: Caller<'collection.leave'>, collectionId: string): Promise<Role | null> {
  const userId = user.id
  const [, outcome] = await firstRows<[unknown, { role: Role | null }]>(
    db,
    lockCollection(collectionId),
    sql`with me as materialized (select ${roleIn(collectionId, userId)} as role),
    gone as (
      delete from members using me
      where collection_id = ${collectionId} and user_id = ${userId} and me.role = any(${rolesFor(checks['collection.leave'])})
    )
    select role from me`,
  )
  return present(outcome).role
}
