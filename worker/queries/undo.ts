import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import { firstRows } from '../db/client.ts'
import { named, snapshotOf } from './edits.ts'
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
    now as materialized (select ${snapshotOf} as snapshot from edit s),
    item as materialized (
      select kind, b.key::uuid as id, b.value as before, s.after -> kind -> b.key as after, now.snapshot -> kind -> b.key as now
      from edit s, now, unnest(array['posts', 'assets']) kind, jsonb_each(s.before -> kind) b
    ),
    link as materialized (
      select kind, split_part(d.key, ' ', 1)::uuid as id, split_part(d.key, ' ', 2)::uuid as collection_id,
        s.before -> kind -> d.key as before, s.after -> kind -> d.key as after, now.snapshot -> kind -> d.key as now
      from edit s, now, unnest(array['post_links', 'asset_links']) kind, jsonb_object_keys((s.before -> kind) || (s.after -> kind)) d (key)
      where s.before -> kind -> d.key is distinct from s.after -> kind -> d.key
    ),
    rights as materialized (${rightsOf('post', userId, checks)} union all ${rightsOf('asset', userId, checks)}),
    differing as materialized (select what, json_agg(distinct field) as fields from (${DIFFERENCES}) d (what, field) group by what),
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
  return outcome ?? { hidden: [], forbidden: [], differing: {}, done: false }
}

/** Locks the edit's items and people, then the collections that triggers will write to, in the same order as a bulk edit. */
function lockScope(own: SQL): SQL {
  const locked = (kind: ItemKind) => sql`
    ${sql.raw(kind)} as materialized (
      select i.id from s, ${ITEMS[kind].table} i
      where i.id = any(${kind === 'post' ? sql`${named('posts')} || ${named('linkedPosts')}` : sql`${named('assets')} || ${named('linkedAssets')}`})
      order by i.id for no key update of i
    )`
  return sql`with s as materialized (select s.* from edits s where ${own}), ${locked('post')}, ${locked('asset')},
    person as materialized (
      select p.id, p.collection_id from people p
      where p.id in (select (jsonb_path_query(s.before, '$.*.*.people[*]') #>> '{}')::uuid from s) order by p.id for key share of p
    )
    select lock_collections(array(
      select l.collection_id from post join post_collections l on l.post_id = post.id
      union select l.collection_id from asset join asset_collections l on l.asset_id = asset.id
      union select l.collection_id from asset join post_assets pa on pa.asset_id = asset.id join post_collections l on l.post_id = pa.post_id
      union select collection_id from person
      union select unnest(${named('collections')}) from s))`
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

/** Fields and links that are neither as the edit left them nor as before it, and rows that no longer exist. */
const DIFFERENCES = sql`
  select kind || '.' || item.id, f.key from item, jsonb_each(item.after) f
    where item.now is not null and item.now -> f.key is distinct from f.value and item.now -> f.key is distinct from item.before -> f.key
  union all select kind || '.' || id, 'gone' from item where now is null
  union all select kind || '.' || item.id, 'people' from item, jsonb_array_elements_text(item.before -> 'people') p (id)
    where not (item.after -> 'people') ? p.id and not exists (select from people where people.id = p.id::uuid)
  union all select kind || '.' || item.id, 'assets' from item, jsonb_array_elements(item.before -> 'assets') p (pair)
    where not exists (select from assets where assets.id = (p.pair ->> 0)::uuid)
  union all select kind || '.' || item.id, 'file' from item join assets i on i.id = item.id
    where item.kind = 'assets' and item.before -> 'deleted_at' = 'null' and ${hasDuplicate}
  union all select replace(kind, '_links', 's') || '.' || id, 'collections' from link
    where now is distinct from after and now is distinct from before
  union all select replace(kind, '_links', 's') || '.' || id, 'gone' from link
    where before is not null and not exists (select from posts where posts.id = link.id union all select from assets where assets.id = link.id)`
