import { sql } from 'drizzle-orm'
import type { Person } from '../../contract/people.ts'
import type { Role } from '../../contract/policy.ts'
import { firstRows, present } from '../db/client.ts'
import { lockCollectionsOf, PERSON } from './people.ts'
import { type Caller, ITEMS, type ItemKind, roleIn, rolesFor, uuids } from './permissions.ts'
import { mergedPeople } from './undo-person.ts'

export interface Merge {
  collectionId: string
  /** The person to remove, and the person who takes over their tags, account and invitations. */
  id: string
  intoId: string
}

export interface MergeWrite {
  role: Role | null
  found: boolean
  intoFound: boolean
  /** Both are linked, which is always to different accounts. */
  clash: boolean
  done: boolean
  person: Person | null
}

/**
 * Merges two people: tags are united; the account, invitations and filters of links of the first move to the second. A concurrent statement that tags one
 * of them locks their row, so its tag is either merged as well, or it finds no person.
 */
export async function mergePeople(
  { db, user, checks }: Caller<'people.edit'>,
  { collectionId, id, intoId }: Merge,
  changeId: string,
): Promise<MergeWrite> {
  const userId = user.id
  const both = uuids([id, intoId])
  /** Link `l` shows what the first is tagged in. */
  const filtersBy = sql`l.collection_id = ${collectionId} and l.ended_at is null and l.filters -> 'people' ? ${id}::text`
  const [, , outcome, , , , after] = await firstRows<
    [unknown, unknown, Omit<MergeWrite, 'person'>, unknown, unknown, unknown, { person: Person }]
  >(
    db,
    // Lock order: people before collections.
    sql`select from people p join memberships m on m.collection_id = p.collection_id and m.user_id = ${userId}
      where p.id = any(${both}) and p.collection_id = ${collectionId} order by p.id for update of p`,
    lockCollectionsOf({ collectionId, id }),
    sql`with checks as materialized (
      select ${roleIn(collectionId, userId)} as role, one.id is not null as found, other.id is not null as "intoFound",
        one.user_id is not null and other.user_id is not null as clash,
        coalesce(one.user_id, other.user_id) is not null as linked
      from (select) nothing
      left join people one on one.id = ${id} and one.collection_id = ${collectionId}
      left join people other on other.id = ${intoId} and other.collection_id = ${collectionId} and other.id <> ${id}
    ),
    open as materialized (
      select linked from checks where role = any(${rolesFor(checks['people.edit'])}) and found and "intoFound" and not clash
    ),
    recorded as (
      insert into edits (id, user_id, action, scope, before)
      select ${changeId}::uuid, ${userId}, 'mergePeople', jsonb_build_object('person', p.id),
        jsonb_build_object('person', to_jsonb(p), 'into', ${intoId}::uuid,
          'posts', ${tagsOf('post')}, 'assets', ${tagsOf('asset')}, 'newPosts', ${tagsOf('post', intoId)}, 'newAssets', ${tagsOf('asset', intoId)},
          'invites', (select coalesce(jsonb_agg(i.id), '[]') from invites i where i.person_id = p.id),
          'links', (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'people', l.filters -> 'people')), '[]') from links l where ${filtersBy}))
      from people p, open where p.id = ${id}
    ),
    in_posts as (
      insert into post_people (post_id, person_id) select x.post_id, ${intoId}::uuid from open, post_people x where x.person_id = ${id}
      on conflict do nothing
    ),
    in_assets as (
      insert into asset_people (asset_id, person_id) select x.asset_id, ${intoId}::uuid from open, asset_people x where x.person_id = ${id}
      on conflict do nothing
    ),
    invited as (
      update invites i set person_id = case when not open.linked then ${intoId}::uuid end from open
      where i.person_id = ${id} and i.collection_id = ${collectionId}
    )
    select role, found, "intoFound", clash, exists (select from open) as done from checks`,
    sql`delete from people p using edits e where e.id = ${changeId}::uuid and p.id = ${id} and p.collection_id = ${collectionId}`,
    sql`update links l set filters = jsonb_set(l.filters, '{people}', ${mergedPeople(sql`(l.filters -> 'people')`, sql`${id}::text`, sql`${intoId}::text`)}), version = l.version + 1
      from edits e where e.id = ${changeId}::uuid and ${filtersBy}`,
    // After the delete, because an account is linked to at most one person of a collection.
    sql`update people p set user_id = e.before -> 'person' ->> 'user_id' from edits e
      where e.id = ${changeId}::uuid and p.id = ${intoId} and e.before -> 'person' ->> 'user_id' is not null`,
    sql`select ${PERSON} as person from people p where p.id = ${intoId} and p.collection_id = ${collectionId}`,
  )
  return { ...present(outcome), person: after?.person ?? null }
}

/** Items in which person `p` is tagged; with `except`, only those in which that other person is not. */
function tagsOf(kind: ItemKind, except?: string) {
  const { tags, key } = ITEMS[kind]
  const others = except ? sql`and not exists (select from ${tags} y where y.${key} = x.${key} and y.person_id = ${except})` : sql``
  return sql`(select coalesce(jsonb_agg(x.${key}), '[]') from ${tags} x where x.person_id = p.id ${others})`
}
