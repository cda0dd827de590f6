import { sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { Person, PersonEdit } from '../../contract/people.ts'
import type { Role } from '../../contract/policy.ts'
import { type Db, firstRows, oneRow, present } from '../db/client.ts'
import { lockCollection } from './collections.ts'
import { type Caller, ITEMS, type ItemKind, roleIn, rolesFor } from './permissions.ts'
import { recordPersonRemoval } from './undo-person.ts'

/** Person `p` as JSON. */
export const PERSON = sql`json_build_object('id', p.id, 'collection_id', p.collection_id, 'name', p.name, 'user_id', p.user_id)`

/** Ordered by name. Null if the caller is not a member. */
export async function listPeople(db: Db, userId: string, collectionId: string, only?: 'unlinked'): Promise<Person[] | null> {
  const { list } = await oneRow<{ list: Person[] | null }>(
    db,
    sql`select case when me.role is not null then (
        select coalesce(json_agg(${PERSON} order by lower(p.name), p.id), '[]') from people p
        where p.collection_id = ${collectionId} ${only ? sql`and p.user_id is null` : sql``}) end as list
      from (select ${roleIn(collectionId, userId)} as role) me`,
  )
  return list
}

/** `role` is the caller's, null if they are not a member. `person` is the row after the write. */
export interface PersonWrite {
  role: Role | null
  done: boolean
  person: Person | null
}

/** Inserts nothing if the collection is full or the id exists. `person` is the row with this id in this collection. */
export async function insertPerson(
  { db, user, checks }: Caller<'people.edit'>,
  { id, collectionId, name }: { id: string; collectionId: string; name: string },
): Promise<PersonWrite & { full: boolean }> {
  const [, outcome, after] = await firstRows<[unknown, Omit<PersonWrite, 'person'> & { full: boolean }, { person: Person }]>(
    db,
    lockCollection(collectionId),
    sql`with me as materialized (
      select ${roleIn(collectionId, user.id)} as role,
        (select count(*) from people where collection_id = ${collectionId}) >= ${LIMITS.peoplePerCollection} as full
    ),
    made as (
      insert into people (id, collection_id, name) select ${id}, ${collectionId}, ${name} from me
      where me.role = any(${rolesFor(checks['people.edit'])}) and not me.full on conflict (id) do nothing returning id
    )
    select me.*, exists (select from made) as done from me`,
    sql`select ${PERSON} as person from people p where p.id = ${id} and p.collection_id = ${collectionId}`,
  )
  return { ...present(outcome), person: after?.person ?? null }
}

type PersonKey = { collectionId: string; id: string }

/** Lock order: people before collections. */
const lockPerson = (userId: string, { collectionId, id }: PersonKey) =>
  sql`select from people p join memberships m on m.collection_id = p.collection_id and m.user_id = ${userId}
    where p.id = ${id} and p.collection_id = ${collectionId} for update of p`

/** Triggers of tags write to every collection of the tagged items. */
export const lockCollectionsOf = ({ collectionId, id }: PersonKey) => {
  const tagged = (kind: ItemKind) => {
    const { links, tags, key } = ITEMS[kind]
    return sql`select l.collection_id from people p join ${tags} x on x.person_id = p.id join ${links} l on l.${key} = x.${key}
      where p.id = ${id} and p.collection_id = ${collectionId}`
  }
  return sql`select lock_collections(array(select ${collectionId}::uuid union ${tagged('post')} union ${tagged('asset')}))`
}

export interface LinkWrite extends PersonWrite {
  /** The person is in the collection. */
  found: boolean
  /** The user to link is a member. `taken`: they are linked to another person of the collection. */
  member: boolean
  taken: boolean
}

/** Changes only the given fields. A null `userId` unlinks. */
export async function updatePerson({ db, user, checks }: Caller<'people.edit'>, key: PersonKey, edit: PersonEdit): Promise<LinkWrite> {
  const userId = user.id
  const { collectionId, id } = key
  const links = typeof edit.userId === 'string'
  const linked = edit.userId === undefined ? sql`p.user_id` : sql`${edit.userId}::text`
  const [, , outcome, after] = await firstRows<[unknown, unknown, Omit<LinkWrite, 'person'>, { person: Person }]>(
    db,
    lockPerson(userId, key),
    lockCollection(collectionId),
    sql`with checks as materialized (
      select ${roleIn(collectionId, userId)} as role,
        exists (select from people where id = ${id} and collection_id = ${collectionId}) as found,
        ${!links} or ${roleIn(collectionId, edit.userId ?? '')} is not null as member,
        exists (select from people where collection_id = ${collectionId} and user_id = ${edit.userId ?? null} and id <> ${id}) as taken
    ),
    changed as (
      update people p set name = coalesce(${edit.name ?? null}, p.name), user_id = ${linked} from checks
      where p.id = ${id} and p.collection_id = ${collectionId}
        and checks.role = any(${rolesFor(checks['people.edit'])}) and checks.member and not checks.taken
      returning p.id
    )
    select checks.*, exists (select from changed) as done from checks`,
    sql`select ${PERSON} as person from people p where p.id = ${id} and p.collection_id = ${collectionId}`,
  )
  return { ...present(outcome), person: after?.person ?? null }
}

/** Removes the person with all tags. Their pending invitation stays, without a person. */
export async function deletePerson(
  { db, user, checks }: Caller<'people.edit'>,
  key: PersonKey,
  changeId: string,
): Promise<{ role: Role | null; done: boolean }> {
  const userId = user.id
  const { collectionId, id } = key
  const [, , outcome] = await firstRows<[unknown, unknown, { role: Role | null; done: boolean }]>(
    db,
    lockPerson(userId, key),
    lockCollectionsOf(key),
    sql`with me as materialized (select ${roleIn(collectionId, userId)} as role),
    ${recordPersonRemoval({ changeId, userId, action: 'removePerson' }, key, checks)},
    freed as (
      update invites set person_id = null from me
      where person_id = ${id} and collection_id = ${collectionId} and me.role = any(${rolesFor(checks['people.edit'])})
    ),
    removed as (
      delete from people p using me
      where p.id = ${id} and p.collection_id = ${collectionId} and me.role = any(${rolesFor(checks['people.edit'])}) returning p.id
    )
    select role, exists (select from removed) as done from me`,
  )
  return present(outcome)
}
