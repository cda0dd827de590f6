import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { Role } from '../../contract/policy.ts'
import { firstRows } from '../db/client.ts'
import type { EditRecord } from './edits.ts'
import { type Caller, type Checks, ITEMS, type ItemKind, roleIn, rolesFor } from './permissions.ts'

/** The CTE `recorded` of the statement that removes person `p`: the edit with the person, their tags and pending invitations. Reads `me`. */
export function recordPersonRemoval(
  { changeId, userId, action }: EditRecord,
  { collectionId, id }: { collectionId: string; id: string },
  checks: Checks<'people.edit'>,
) {
  const list = (table: string, column: string) =>
    sql.raw(`(select coalesce(jsonb_agg(x.${column}), '[]') from ${table} x where x.person_id = p.id)`)
  return sql`recorded as (
    insert into edits (id, user_id, action, scope, before)
    select ${changeId}::uuid, ${userId}, ${action}, jsonb_build_object('person', p.id),
      jsonb_build_object('person', to_jsonb(p), 'posts', ${list('post_people', 'post_id')}, 'assets', ${list('asset_people', 'asset_id')},
        'invites', ${list('invites', 'id')})
    from people p, me where p.id = ${id} and p.collection_id = ${collectionId} and me.role = any(${rolesFor(checks['people.edit'])})
  )`
}

/** The people of a link's filter after a merge. */
export const mergedPeople = (people: SQL, id: SQL, intoId: SQL) => sql`(${people} - ${id} - ${intoId} || to_jsonb(${intoId}))`

export interface PersonUndoOutcome {
  /** The caller's present role in the collection; null if they are not a member. */
  role: Role | null
  /**
   * Reasons why the person cannot be restored: the id exists, the person whom they were merged into does not, the account is linked to another person, or
   * the collection is full.
   */
  idTaken: boolean
  intoGone: boolean
  taken: boolean
  full: boolean
}

/** Whether this user is a member. */
const isMember = (collectionId: SQL, userId: SQL) =>
  sql`exists (select from members m where m.collection_id = ${collectionId} and m.user_id = ${userId})`

/**
 * Restores a person with their tags, as far as the items still exist. If they were merged into another person (`into`), the tags, account,
 * invitations and filters of links that moved with the merge move back, except the tags that somebody has removed since, and the filters that are others now.
 * The account of somebody who has left since is not linked again. Null if it has been undone already.
 */
export async function undoPerson({ db, user, checks }: Caller<'people.edit'>, changeId: string): Promise<PersonUndoOutcome | null> {
  const userId = user.id
  const own = sql`s.id = ${changeId} and s.user_id = ${userId}`
  /** Undone by this transaction. */
  const undoneNow = sql`${own} and s.undone_at = now() and s.before ? 'into'`
  const untagged = (kind: ItemKind) => sql`${sql.raw(kind)}_untagged as (
    delete from ${ITEMS[kind].tags} x using edits s
    where ${undoneNow} and x.person_id = (s.before ->> 'into')::uuid
      and (s.before -> ${kind === 'post' ? 'newPosts' : 'newAssets'}::text) ? x.${ITEMS[kind].key}::text
  )`
  const stillTagged = (kind: ItemKind) => {
    const { tags, key } = ITEMS[kind]
    return sql`where not open.before ? 'into' or exists (select from ${tags} t where t.${key} = i.id and t.person_id = (open.before ->> 'into')::uuid)`
  }
  const [, , , outcome] = await firstRows<[unknown, unknown, unknown, PersonUndoOutcome, unknown, unknown, unknown]>(
    db,
    sql`select from edits s where ${own} for no key update of s`,
    // Lock order: people before collections.
    sql`select from people p join edits s on p.id = (s.before ->> 'into')::uuid where ${own} for update of p`,
    sql`with s as materialized (select s.* from edits s where ${own})
      select lock_collections(array(
        select (s.before -> 'person' ->> 'collection_id')::uuid from s
        union select l.collection_id from s, jsonb_array_elements_text(s.before -> 'posts') x (id) join post_collections l on l.post_id = x.id::uuid
        union select l.collection_id from s, jsonb_array_elements_text(s.before -> 'assets') x (id) join asset_collections l on l.asset_id = x.id::uuid))`,
    sql`with was as materialized (
      select s.id as edit_id, s.before, p.* from edits s, jsonb_populate_record(null::people, s.before -> 'person') p
      where ${own} and s.undone_at is null
    ),
    checks as materialized (
      select ${roleIn(sql`was.collection_id`, userId)} as role, exists (select from people p where p.id = was.id) as "idTaken",
        was.before ? 'into' and not exists (select from people p where p.id = (was.before ->> 'into')::uuid) as "intoGone",
        exists (select from people p where p.collection_id = was.collection_id and p.user_id = was.user_id
          and p.id is distinct from (was.before ->> 'into')::uuid) as taken,
        (select count(*) from people p where p.collection_id = was.collection_id) >= ${LIMITS.peoplePerCollection} as full
      from was
    ),
    open as materialized (
      select was.* from was, checks where checks.role = any(${rolesFor(checks['people.edit'])}) and not (checks."idTaken" or checks."intoGone" or checks.taken or checks.full)
    ),
    made as (
      insert into people (id, collection_id, name, user_id, created_at) select id, collection_id, name, case when not before ? 'into' and ${isMember(sql`open.collection_id`, sql`open.user_id`)} then user_id end, created_at from open
    ),
    in_posts as (
      insert into post_people (post_id, person_id) select i.id, open.id
      from open, jsonb_array_elements_text(open.before -> 'posts') x (id) join posts i on i.id = x.id::uuid ${stillTagged('post')} on conflict do nothing
    ),
    in_assets as (
      insert into asset_people (asset_id, person_id) select i.id, open.id
      from open, jsonb_array_elements_text(open.before -> 'assets') x (id) join assets i on i.id = x.id::uuid ${stillTagged('asset')} on conflict do nothing
    ),
    invited as (
      update invites i set person_id = open.id from open
      where coalesce(i.person_id, (open.before ->> 'into')::uuid) is not distinct from (open.before ->> 'into')::uuid and i.collection_id = open.collection_id and (open.before -> 'invites') ? i.id::text
    ),
    undone as (update edits s set undone_at = now() from open where s.id = open.edit_id)
    select checks.* from checks`,
    sql`with ${untagged('post')}, ${untagged('asset')}
      update people p set user_id = null from edits s
      where ${undoneNow} and p.id = (s.before ->> 'into')::uuid and p.user_id = s.before -> 'person' ->> 'user_id'`,
    sql`update people p set user_id = s.before -> 'person' ->> 'user_id' from edits s
      where ${undoneNow} and p.id = (s.scope ->> 'person')::uuid and ${isMember(sql`p.collection_id`, sql`s.before -> 'person' ->> 'user_id'`)}`,
    sql`update links l set filters = jsonb_set(l.filters, '{people}', x.link -> 'people'), version = l.version + 1
      from edits s, jsonb_array_elements(s.before -> 'links') x (link)
      where ${undoneNow} and l.id = (x.link ->> 'id')::uuid and l.ended_at is null
        and l.filters -> 'people' = ${mergedPeople(sql`(x.link -> 'people')`, sql`(s.scope ->> 'person')`, sql`(s.before ->> 'into')`)}`,
  )
  return outcome
}
