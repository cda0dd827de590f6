-- A group without a part, as after its parts were removed from the collection, is kept as long as that may be undone, and then swept (queries/sweep.ts).
ALTER TABLE "groups" ADD COLUMN "emptied_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "groups_emptied" ON "groups" USING btree ("emptied_at") WHERE emptied_at is not null;
--> statement-breakpoint
create function mark_emptied(at uuid[]) returns void language plpgsql as $$
begin
  update groups g set emptied_at = now() where g.id = any(at) and not exists (select from asset_collections l where l.group_id = g.id);
end $$;
--> statement-breakpoint
-- As before (0038_groups.sql), and the date of a part may change the order of all.
create or replace function asset_links_regrouped() returns trigger language plpgsql as $$
declare
  touched uuid[];
  shown_or_hidden uuid[];
  left_places uuid[];
  left_assets text[];
begin
  if not exists (select from old_rows where group_id is not null) and not exists (select from new_rows where group_id is not null) then return null; end if;
  -- Grouped, not joined, for the reason in 0013_group_rows_in_triggers.sql.
  with moved as (
    select collection_id, asset_id, (array_agg(group_id) filter (where not fresh))[1] as was, (array_agg(group_id) filter (where fresh))[1] as is_now,
      bool_or(live) filter (where not fresh) as was_live, bool_or(live) filter (where fresh) as live_now, min(sort_at) <> max(sort_at) as redated
    from (
      select collection_id, asset_id, group_id, live, sort_at, true as fresh from new_rows
      union all
      select collection_id, asset_id, group_id, live, sort_at, false from old_rows
    ) both_rows
    group by collection_id, asset_id
  ), changed as (select * from moved where was is distinct from is_now or was_live <> live_now or (redated and live_now))
  select array(select was from changed where was is not null union select is_now from changed where is_now is not null),
    -- These are told as new or gone.
    array(select asset_id from changed where was_live <> live_now),
    array_agg(collection_id) filter (where was is not null and is_now is null and live_now and was_live),
    array_agg(asset_id::text) filter (where was is not null and is_now is null and live_now and was_live)
  into touched, shown_or_hidden, left_places, left_assets from changed;
  perform tell_parts(touched, shown_or_hidden);
  perform record_rows('asset_collections', 'UPDATE', left_places, left_assets);
  perform mark_emptied(touched);
  return null;
end $$;
--> statement-breakpoint
create or replace function asset_links_left_groups() returns trigger language plpgsql as $$
declare
  touched uuid[] := array(select distinct group_id from old_rows where group_id is not null);
begin
  perform tell_parts(touched);
  perform mark_emptied(touched);
  return null;
end $$;
--> statement-breakpoint
-- As before, but nobody is told of `emptied_at`.
create or replace function groups_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_rows('groups', 'DELETE', array_agg(collection_id), array_agg(id::text)) from old_rows;
  elsif tg_op = 'INSERT' then
    perform record_rows('groups', 'INSERT', array_agg(collection_id), array_agg(id::text)) from new_rows;
    perform tell_parts(array(select id from new_rows));
  else
    perform record_rows('groups', 'UPDATE', array_agg(n.collection_id), array_agg(n.id::text))
    from new_rows n join old_rows o on o.id = n.id where (n.kind, n.cover) is distinct from (o.kind, o.cover);
    perform tell_parts(array(select n.id from new_rows n join old_rows o on o.id = n.id where (n.kind, n.cover) is distinct from (o.kind, o.cover)));
  end if;
  return null;
end $$;
--> statement-breakpoint
drop trigger groups_updated on groups;
--> statement-breakpoint
create trigger groups_updated after update on groups
  referencing old table as old_rows new table as new_rows for each statement execute function groups_changed();
--> statement-breakpoint
update groups g set emptied_at = now() where not exists (select from asset_collections l where l.group_id = g.id);
