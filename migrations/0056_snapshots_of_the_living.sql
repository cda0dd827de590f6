CREATE INDEX "edits_undone" ON "edits" USING btree ("undone_at") WHERE undone_at is not null;
--> statement-breakpoint
-- As in 0031_author_snapshots.sql. Whoever deleted their account sees nothing again, so nothing is kept for them.
create or replace function posts_snapshot() returns trigger language plpgsql as $$
declare
  outside uuid[];
begin
  with link as materialized (
    select o.id, o.user_id, l.collection_id from old_rows o join post_collections l on l.post_id = o.id
  ), pair as materialized (
    select p.collection_id, p.user_id, m.user_id is not null or exists (select from users u where u.id = p.user_id and u.deleted_at is not null) as inside
    from (select distinct collection_id, user_id from link) p
    join collections c on c.id = p.collection_id and c.deleted_at is null
    left join members m on m.collection_id = p.collection_id and m.user_id = p.user_id
  )
  select array_agg(id) into outside
  from (select link.id from link join pair using (collection_id, user_id) group by link.id having not bool_or(pair.inside)) item;
  if outside is null then return null; end if;

  insert into author_snapshots (post_id, user_id, fields)
  select o.id, o.user_id, jsonb_build_object('type', o.type, 'kind', o.kind, 'title', o.title, 'body', o.body,
    'date', o.date, 'date_zone', o.date_zone, 'date_precision', o.date_precision, 'ends_at', o.ends_at, 'location',
    case when o.lat is not null then jsonb_strip_nulls(jsonb_build_object('lat', o.lat, 'lon', o.lon, 'name', o.place_name)) end)
  from old_rows o join posts p on p.id = o.id
  where (p.type, p.kind, p.title, p.body, p.date, p.date_zone, p.date_precision, p.ends_at, p.lat, p.lon, p.place_name)
      is distinct from (o.type, o.kind, o.title, o.body, o.date, o.date_zone, o.date_precision, o.ends_at, o.lat, o.lon, o.place_name)
    and o.id = any(outside)
  on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
-- As in 0048_contributions.sql.
create or replace function assets_snapshot() returns trigger language plpgsql as $$
declare
  outside uuid[];
begin
  with link as materialized (
    select o.id, o.user_id, l.collection_id from old_rows o join asset_collections l on l.asset_id = o.id
  ), pair as materialized (
    select p.collection_id, p.user_id, m.user_id is not null or p.user_id like 'guest:%' or exists (select from users u where u.id = p.user_id and u.deleted_at is not null) as inside
    from (select distinct collection_id, user_id from link) p
    join collections c on c.id = p.collection_id and c.deleted_at is null
    left join members m on m.collection_id = p.collection_id and m.user_id = p.user_id
  )
  select array_agg(id) into outside
  from (select link.id from link join pair using (collection_id, user_id) group by link.id having not bool_or(pair.inside)) item;
  if outside is null then return null; end if;

  insert into author_snapshots (asset_id, user_id, fields)
  select o.id, o.user_id, jsonb_build_object('name', o.name, 'alt', o.alt,
    'date', o.date, 'date_zone', o.date_zone, 'date_precision', o.date_precision, 'location',
    case when o.lat is not null then jsonb_strip_nulls(jsonb_build_object('lat', o.lat, 'lon', o.lon, 'name', o.place_name)) end)
  from old_rows o join assets a on a.id = o.id
  where (a.name, a.alt, a.date, a.date_zone, a.date_precision, a.lat, a.lon, a.place_name)
      is distinct from (o.name, o.alt, o.date, o.date_zone, o.date_precision, o.lat, o.lon, o.place_name)
    and o.id = any(outside)
  on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
delete from author_snapshots s using users u where u.id = s.user_id and u.deleted_at is not null;
