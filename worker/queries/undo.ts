import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import { firstRows, present } from '../db/client.ts'
import { snapshotOf } from './edits.ts'
import {
  type Caller,
  type Checks,
  ITEMS,
  type ItemKind,
  linksSeenBy,
  ownItem,
  permittedEdit,
  permittedTrash,
  roleIn,
  rolesFor,
} from './permissions.ts'
import { hasDuplicate } from './trash.ts'
import { RESTORE_PARTS } from './undo-parts.ts'

type UndoChecks = 'item.edit' | 'item.remove'

/** Reasons for a refusal, all empty if `done` (or if a concurrent call has undone it). */
export interface UndoOutcome {
  /** Ids of items and collections: `hidden`, no longer visible to the caller; `forbidden`, their role is too low by now. */
  hidden: string[]
  forbidden: string[]
  /** Rows that changed after the edit: `posts.<id>` → names of fields. */
  differing: Record<string, string[]>
  done: boolean
}

/**
 * Restores all fields, people, assets and links to the snapshot before the edit, or nothing. Refused if any of them is neither as the edit
 * left it nor as before, or if the caller may not make this edit by now.
 */
export async function undoEdit({ db, user, checks }: Caller<UndoChecks>, changeId: string): Promise<UndoOutcome> {
  const userId = user.id
  const own = sql`s.id = ${changeId} and s.user_id = ${userId}`
  const [, , outcome] = await firstRows<[unknown, unknown, UndoOutcome]>(
    db,
    sql`select from edits s where ${own} for no key update of s`,
    lockScope(own),
    sql`with edit as materialized (select s.* from edits s where ${own} and s.undone_at is null),
    now as materialized (select ${snapshotOf()} as snapshot from edit s),
    item as materialized (
      select kind, key::uuid as id, b.value as before, a.value as after, n.value as now
      from edit s, now, unnest(array['posts', 'assets']) kind, jsonb_each(s.before -> kind) b
        left join jsonb_each(s.after -> kind) a using (key) left join jsonb_each(now.snapshot -> kind) n using (key)
    ),
    link as materialized (
      select kind, split_part(key, ' ', 1)::uuid as id, split_part(key, ' ', 2)::uuid as collection_id,
        b.value as before, a.value as after, n.value as now
      from edit s, now, unnest(array['post_links', 'asset_links']) kind, jsonb_each(s.before -> kind) b
        full join jsonb_each(s.after -> kind) a using (key) left join jsonb_each(now.snapshot -> kind) n using (key)
      -- Without the group, which is no reason to refuse.
      where b.value - 2 is distinct from a.value - 2
    ),
    -- Items whose words are others by now, where some were taken out of a collection. Undoing leaves no edit, only its time.
    rewritten as materialized (
      select k.kind || '.' || x.id as what from edit s join edits e on e.created_at > s.created_at or e.undone_at > s.created_at,
        unnest(array['posts', 'assets']) k (kind), jsonb_array_elements_text(e.scope -> k.kind) x (id)
      where exists (select from link where before is not null and now is null)
    ),
    rights as materialized (${rightsOf('post', userId, checks)} union all ${rightsOf('asset', userId, checks)}),
    differing as materialized (select what, json_agg(distinct field) as fields
      from (${DIFFERENCES} union all ${becamePrivate('post', userId)} union all ${becamePrivate('asset', userId)}) d (what, field) group by what),
    decision as materialized (
      select array(select distinct what from rights where not seen) as hidden,
        array(select distinct what from rights where seen and not permitted) as forbidden,
        (select coalesce(json_object_agg(what, fields), '{}') from differing) as differing
    ),
    open as materialized (
      select s.id, s.scope from edit s, decision where hidden = '{}' and forbidden = '{}' and not exists (select from differing)
        and s.created_at >= now() - make_interval(days => ${LIMITS.undoDays})
    ),
    ${RESTORE_PARTS},
    undone as (update edits s set undone_at = now() from open where s.id = open.id)
    select hidden, forbidden, differing, exists (select from open) as done from decision`,
  )
  return present(outcome)
}

/** Locks the edit's items and people, then the collections that triggers will write to, in the same order as a bulk edit. */
function lockScope(own: SQL): SQL {
  const ids = (list: string) => sql`select jsonb_array_elements_text(s.scope -> ${sql.raw(`'${list}'`)})::uuid from s`
  // Not a join with `s`: a lock of rows that were joined carries the whole edit through the sort of every row.
  const locked = (kind: ItemKind, list: string, links: string) => sql`
    ${sql.raw(kind)} as materialized (
      select i.id from ${ITEMS[kind].table} i where i.id = any(array(${ids(list)} union ${ids(links)})) order by i.id for no key update of i
    )`
  return sql`with s as materialized (select s.* from edits s where ${own}),
    ${locked('post', 'posts', 'linkedPosts')}, ${locked('asset', 'assets', 'linkedAssets')},
    person as materialized (
      select p.id, p.collection_id from people p
      where p.id = any(array(select (jsonb_path_query(s.before, '$.*.*.people[*]') #>> '{}')::uuid from s)) order by p.id for key share of p
    )
    select lock_collections(array(
      select l.collection_id from post join post_collections l on l.post_id = post.id
      union select l.collection_id from asset join asset_collections l on l.asset_id = asset.id
      union select l.collection_id from asset join post_assets pa on pa.asset_id = asset.id join post_collections l on l.post_id = pa.post_id
      union select collection_id from person
      union ${ids('collections')}))`
}

/** For items, the right to make the edit; for links, the right to remove the item from that collection. */
function rightsOf(kind: ItemKind, userId: string, checks: Checks<UndoChecks>): SQL {
  const { table } = ITEMS[kind]
  return sql`
    select i.id::text as what, ${ownItem(kind, userId)} or exists (select ${linksSeenBy(kind, userId)}) as seen,
      case when s.action = 'trash' then ${permittedTrash(kind, userId, checks['item.remove'])} else ${permittedEdit(kind, userId, checks['item.edit'])} end as permitted
    from edit s, item join ${table} i on i.id = item.id where item.kind = ${`${kind}s`}
    union all
    select link.collection_id::text, r.role is not null,
      r.role = any(${rolesFor(checks['item.remove'])}) or (i.user_id = ${userId} and r.role = any(${rolesFor(checks['item.remove'], true)}))
    from link join ${table} i on i.id = link.id cross join lateral (select ${roleIn(sql`link.collection_id`, userId)} as role) r
    where link.kind = ${`${kind}_links`}`
}

/**
 * Items that the edit took out of a collection, that the caller no longer sees as they are, and that anybody has edited since: putting them back would
 * show what was written in private, or for another collection. The edits of an account end with it. An author who is outside sees their item as it was
 * (author-snapshots.ts).
 */
const becamePrivate = (kind: ItemKind, userId: string) => sql`
  select ${`${kind}s`}::text || '.' || i.id, 'collections' from edit s, link join ${ITEMS[kind].table} i on i.id = link.id
    where link.kind = ${`${kind}_links`} and link.before is not null and link.now is null
      and (${`${kind}s`}::text || '.' || i.id in (select what from rewritten)
        or exists (select from users u where u.id = i.user_id and u.deleted_at > s.created_at)
        or i.user_id = ${userId} and exists (select from author_snapshots a where a.${ITEMS[kind].key} = i.id))
      and (not ${ownItem(kind, userId)} or author_is_outside(${kind === 'post' ? sql`i.id, null` : sql`null, i.id`}, i.user_id))
      and not exists (select ${linksSeenBy(kind, userId)})`

/** Fields and links that are neither as the edit left them nor as before it, and rows that no longer exist. */
const DIFFERENCES = sql`
  select kind || '.' || item.id, f.key from item, jsonb_each(item.after) f
    where item.now <> item.after and item.now -> f.key is distinct from f.value and item.now -> f.key is distinct from item.before -> f.key
  union all select kind || '.' || id, 'gone' from item where now is null
  union all select kind || '.' || item.id, 'people' from item, jsonb_array_elements_text(item.before -> 'people') p (id)
    where not (item.after -> 'people') ? p.id and not exists (select from people where people.id = p.id::uuid)
  union all select kind || '.' || item.id, 'assets' from item, jsonb_array_elements(item.before -> 'assets') p (pair)
    where not exists (select from assets where assets.id = (p.pair ->> 0)::uuid)
  union all select kind || '.' || item.id, 'file' from item, lateral (select * from assets where assets.id = item.id offset 0) i
    where item.kind = 'assets' and item.before -> 'deleted_at' = 'null' and ${hasDuplicate}
  union all select replace(kind, '_links', 's') || '.' || id, 'collections' from link
    where now - 2 is distinct from after - 2 and now - 2 is distinct from before - 2
  union all select replace(kind, '_links', 's') || '.' || id, 'gone' from link
    where before is not null and not exists (select from posts where posts.id = link.id union all select from assets where assets.id = link.id)`
