ALTER TABLE "assets" ADD COLUMN "placed_by_other" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "placed_by_other" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- A place that somebody else than the author gave is outside of home zones: else others would find the zones by trying.
create or replace function home_zones_changed() returns trigger language plpgsql as $$
declare
  inside_posts uuid[];
  inside_assets uuid[];
begin
  select array_agg(i.id) into inside_posts from moved z join posts i on i.user_id = z.user_id and not i.placed_by_other and within_metres(i.lat, i.lon, z.lat, z.lon, z.radius);
  select array_agg(i.id) into inside_assets from moved z join assets i on i.user_id = z.user_id and not i.placed_by_other and within_metres(i.lat, i.lon, z.lat, z.lon, z.radius);
  perform lock_collections(array(
    select collection_id from post_collections where post_id = any(inside_posts) and live
    union select collection_id from asset_collections where asset_id = any(inside_assets) and live));
  perform record_rows('post_collections', 'UPDATE', array_agg(collection_id), array_agg(post_id::text))
  from post_collections where post_id = any(inside_posts) and live;
  perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text))
  from asset_collections where asset_id = any(inside_assets) and live;
  return null;
end $$;
--> statement-breakpoint
create or replace view guest.posts as
  select p.id, p.user_id, p.type, p.kind, p.title, p.body, p.original_author, p.date, p.date_precision, p.ends_at, p.version, p.created_at, p.updated_at,
    p.deleted_at, p.place_hidden,
    case when seen = 2 then p.date_zone else public.offset_only(p.date, p.date_zone) end as date_zone,
    case seen when 2 then p.lat when 1 then case when p.lat is not null then coalesce(home.lat, public.town_degree(p.lat, 90)) end end as lat,
    case seen when 2 then p.lon when 1 then case when p.lon is not null then coalesce(home.lon, public.town_degree(p.lon, 180)) end end as lon,
    case when seen = 2 then p.place_name end as place_name, p.placed_by_other
  from public.posts p
  left join lateral (select public.town_degree(z.lat, 90) as lat, public.town_degree(z.lon, 180) as lon from public.home_zones z
    where z.user_id = p.user_id and not p.placed_by_other and public.within_metres(p.lat, p.lon, z.lat, z.lon, z.radius) order by z.lat, z.lon limit 1) home on true
  cross join lateral (select case when p.place_hidden then 0 else least((select current_setting('cairn.link_places', true)::int), case when home.lat is null then 2 else 1 end) end as seen) placed
  where exists (select from guest.post_collections l where l.post_id = p.id);
--> statement-breakpoint
create or replace view guest.assets as
  select a.id, a.user_id, a.status, a.name, a.type, a.size, a.checksum, a.width, a.height, a.duration, a.thumbhash, a.alt, a.original_author,
    null::text as content_id, a.renditions, a.date, a.date_precision, a.version, a.file_version, a.created_at, a.updated_at, a.deleted_at, a.place_hidden,
    case when seen = 2 then a.date_zone else public.offset_only(a.date, a.date_zone) end as date_zone,
    case seen when 2 then a.lat when 1 then case when a.lat is not null then coalesce(home.lat, public.town_degree(a.lat, 90)) end end as lat,
    case seen when 2 then a.lon when 1 then case when a.lon is not null then coalesce(home.lon, public.town_degree(a.lon, 180)) end end as lon,
    case when seen = 2 then a.place_name end as place_name, a.placed_by_other
  from public.assets a
  left join lateral (select public.town_degree(z.lat, 90) as lat, public.town_degree(z.lon, 180) as lon from public.home_zones z
    where z.user_id = a.user_id and not a.placed_by_other and public.within_metres(a.lat, a.lon, z.lat, z.lon, z.radius) order by z.lat, z.lon limit 1) home on true
  cross join lateral (select case when a.place_hidden then 0 else least((select current_setting('cairn.link_places', true)::int), case when home.lat is null then 2 else 1 end) end as seen) placed
  where exists (select from guest.asset_collections l where l.asset_id = a.id);
--> statement-breakpoint
-- Counts bytes that somebody has had stored, for which no quota counts: at most 1 GiB a day, of all guests of a link together. Above that the transaction ends
-- with CA004. Call it last in a transaction: whoever has written waits for nothing else.
create function count_written(who text, bytes int) returns void language plpgsql as $$
begin
  perform require_attempts(
    jsonb_build_array(jsonb_build_object('key', encode(sha256(convert_to(
        'written:' || case when who like 'guest:%' then (select 'link:' || g.link_id from public.guests g where g.id = substr(who, 7)::uuid) else who end,
        'UTF8')), 'hex'),
      'limit', 1048576, 'seconds', 86400, 'slowed', false)),
    greatest(1, bytes / 1024), 1, 1, 'tries');
end $$;
--> statement-breakpoint
create function edit_written() returns trigger language plpgsql as $$
begin
  perform count_written(new.user_id, pg_column_size(new.before) + pg_column_size(new.after));
  return null;
end $$;
--> statement-breakpoint
create constraint trigger edits_written after update of after on edits deferrable initially deferred
  for each row execute function edit_written();
