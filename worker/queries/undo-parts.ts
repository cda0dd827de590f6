import { type SQL, sql } from 'drizzle-orm'
import { APART } from './edits.ts'
import { ITEMS, type ItemKind, isNobodys } from './permissions.ts'

/**
 * The CTEs of the undo statement that write. They read `open` (the edit, if nothing is refused), and `item` and `link` (the states before,
 * after and now of every item and link in its scope). Links get their old times and authors back.
 */

const COLUMNS = {
  post: 'type, kind, title, body, date, date_zone, date_precision, ends_at, lat, lon, place_name, place_hidden, placed_by_other, deleted_at',
  asset: 'name, alt, date, date_zone, date_precision, lat, lon, place_name, place_hidden, placed_by_other, deleted_at',
} satisfies Record<ItemKind, string>

/** Writes only fields that the edit changed: a snapshot may have a hash in place of an unchanged body. */
const changed = sql`
  changed as materialized (
    select kind, id, before, after,
      (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(before) f where f.value is distinct from after -> f.key) as delta
    from item where now is distinct from before
  )`

function fields(kind: ItemKind): SQL {
  const columns = COLUMNS[kind]
  const values = columns.replaceAll(/\w+/g, (column) => `r.${column}`)
  return sql`${sql.raw(kind)}_fields as (
    update ${ITEMS[kind].table} i set (${sql.raw(columns)}) = (select ${sql.raw(values)} from jsonb_populate_record(i, c.delta) r),
      version = i.version + (c.delta ?| array['people', 'assets'])::int
    from open, changed c where c.kind = ${`${kind}s`} and i.id = c.id
  )`
}

function people(kind: ItemKind): SQL {
  const { tags, key } = ITEMS[kind]
  return sql`${sql.raw(kind)}_untagged as (
    delete from ${tags} x using open, changed c where c.kind = ${`${kind}s`} and x.${key} = c.id
      and (c.after -> 'people') ? x.person_id::text and not (c.before -> 'people') ? x.person_id::text
  ),
  ${sql.raw(kind)}_tagged as (
    insert into ${tags} (${key}, person_id) select c.id, p.id::uuid from open, changed c, jsonb_array_elements_text(c.before -> 'people') p (id)
    where c.kind = ${`${kind}s`} and not (c.after -> 'people') ? p.id on conflict do nothing
  )`
}

const attachments = sql`
  detached as (
    delete from post_assets x using open, changed c where c.kind = 'posts' and c.delta ? 'assets' and x.post_id = c.id
      and not exists (select from jsonb_array_elements(c.before -> 'assets') b where b ->> 0 = x.asset_id::text)
  ),
  attached as (
    insert into post_assets as x (post_id, asset_id, position) select c.id, (b ->> 0)::uuid, (b ->> 1)::smallint
    from open, changed c, jsonb_array_elements(c.before -> 'assets') b where c.kind = 'posts' and c.delta ? 'assets'
    on conflict (post_id, asset_id) do update set position = excluded.position where x.position <> excluded.position
  )`

/** An asset that was linked together with a post stays in the collection if another post there shows it by now. */
const stillShown = sql`(open.scope ?| array['posts', 'linkedPosts'] and exists (
  select from post_assets pa join posts p on p.id = pa.post_id and p.deleted_at is null
  join post_collections pl on pl.post_id = p.id and pl.collection_id = link.collection_id
  where pa.asset_id = link.id and not (coalesce(open.scope -> 'posts', '[]') || coalesce(open.scope -> 'linkedPosts', '[]')) ? p.id::text))`

/** Columns `group_id` and `parts_sought` of a link: its group, if that is still there, or that somebody took it apart. */
const GROUP_BEFORE = sql`(select g.id from groups g where g.id::text = link.before ->> 2 and g.collection_id = link.collection_id),
  case when link.before ->> 2 = ${APART} then 2 else 0 end`

function links(kind: ItemKind): SQL {
  const { links: table, key } = ITEMS[kind]
  return sql`${sql.raw(kind)}_unlinked as (
    delete from ${table} l using open, link where link.kind = ${`${kind}_links`} and link.before is null
      and l.${key} = link.id and l.collection_id = link.collection_id ${kind === 'asset' ? sql`and not ${stillShown}` : sql``}
  ),
  ${sql.raw(kind)}_linked as (
    insert into ${table} (collection_id, ${key}, user_id, added_at${kind === 'asset' ? sql`, group_id, parts_sought` : sql``})
    select link.collection_id, link.id, link.before ->> 0, (link.before ->> 1)::timestamptz
      ${kind === 'asset' ? sql`, ${GROUP_BEFORE}` : sql``}
    from open, link
    where link.kind = ${`${kind}_links`} and link.before is not null on conflict do nothing
  )`
}

/** An item of a guest or of a deleted account that was taken out of its last collection may be in the trash by now (queries/sweep.ts). */
const found = (kind: ItemKind) => sql`${sql.raw(kind)}_found as (
    update ${ITEMS[kind].table} i set deleted_at = null from open, link
    where link.kind = ${`${kind}_links`} and link.before is not null and i.id = link.id and i.deleted_at is not null
      and ${isNobodys}
      and not exists (select from item where item.kind = ${`${kind}s`} and item.id = link.id)
  )`

export const RESTORE_PARTS: SQL = sql.join(
  [
    changed,
    fields('post'),
    fields('asset'),
    people('post'),
    people('asset'),
    attachments,
    links('post'),
    links('asset'),
    found('post'),
    found('asset'),
  ],
  sql`,
  `,
)
