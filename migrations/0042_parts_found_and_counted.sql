-- Parts of one item (0038_groups.sql) that nobody's browser has grouped are found by the minute's task. `parts_sought` of a link: 0 is that nobody has
-- looked for other files of its shot, 1 that somebody has, 2 that a person took its group apart, which stays so. Null is 0 for
-- links from before there was this, whose files have not been asked for the identifier of their shot. No row is written here: the task looks at
-- these links a few at a time (queries/shots.ts).
ALTER TABLE "asset_collections" ADD COLUMN "parts_sought" smallint;--> statement-breakpoint
ALTER TABLE "asset_collections" ALTER COLUMN "parts_sought" SET DEFAULT 0;--> statement-breakpoint
CREATE INDEX "asset_collections_unsought" ON "asset_collections" USING btree ("added_at") WHERE coalesce(parts_sought, 0) = 0 and live;--> statement-breakpoint
CREATE INDEX "assets_content_id" ON "assets" USING btree ("content_id") WHERE content_id is not null;
--> statement-breakpoint
-- `left_group` is the group, with its kind and cover, that a link would still be in if no part were in the trash: restored parts come back as one item.
ALTER TABLE "asset_collections" ADD COLUMN "left_group" jsonb;
--> statement-breakpoint
create function asset_link_grouped() returns trigger language plpgsql as $$
begin
  new.parts_sought := 1;
  new.left_group := null;
  return new;
end $$;
--> statement-breakpoint
create trigger asset_collections_grouped before update of group_id on asset_collections for each row
  when (new.group_id is not null) execute function asset_link_grouped();
--> statement-breakpoint
-- As before (0038_groups.sql), but parts remember the group that they leave because one of them is in the trash.
create or replace function settle_groups(at uuid[]) returns void language plpgsql as $$
begin
  if cardinality(at) = 0 then return; end if;
  perform lock_collections(array(select collection_id from groups where id = any(at)));
  -- These set off asset_links_regrouped again, which tells of the parts.
  update asset_collections l set group_id = null, left_group = jsonb_build_object('id', g.id, 'kind', g.kind, 'cover', g.cover)
  from groups g where g.id = any(at) and l.group_id = g.id and not l.live;
  update asset_collections l set group_id = null, left_group = jsonb_build_object('id', g.id, 'kind', g.kind, 'cover', g.cover)
  from groups g where l.group_id = g.id
    and g.id in (select group_id from asset_collections where group_id = any(at) group by group_id having count(*) < 2);
  delete from groups g where id = any(at) and not exists (select from asset_collections where group_id = g.id);
  update groups g set cover = (
    select asset_id from asset_collections l where l.group_id = g.id order by l.asset_id = g.cover desc, l.sort_at, l.asset_id limit 1)
  where id = any(at);
end $$;
--> statement-breakpoint
create function asset_links_restored() returns trigger language plpgsql as $$
declare
  back uuid[];
  places uuid[];
begin
  if not exists (select from new_rows where live and left_group is not null) then return null; end if;
  -- Grouped, not joined, for the reason in 0013_group_rows_in_triggers.sql.
  select array_agg(distinct (was ->> 'id')::uuid), array_agg(distinct collection_id) into back, places from (
    select collection_id, (array_agg(left_group) filter (where fresh))[1] as was
    from (
      select collection_id, asset_id, left_group, live, true as fresh from new_rows
      union all
      select collection_id, asset_id, null, live, false from old_rows
    ) both_rows
    group by collection_id, asset_id
    having bool_and(live) filter (where fresh) and not bool_and(live) filter (where not fresh)
  ) restored where was is not null;
  if back is null then return null; end if;
  perform lock_collections(places);
  insert into groups (id, collection_id, kind, cover)
  select (left_group ->> 'id')::uuid, collection_id, min(left_group ->> 'kind'), (array_agg(asset_id order by sort_at, asset_id))[1]
  from asset_collections l where collection_id = any(places) and live and group_id is null and (left_group ->> 'id')::uuid = any(back)
  group by 1, 2 having count(*) > 1
  on conflict (id) do nothing;
  update groups g set cover = l.asset_id from asset_collections l
  where g.id = any(back) and l.collection_id = g.collection_id and l.live and l.group_id is null
    and l.left_group ->> 'id' = g.id::text and l.left_group ->> 'cover' = l.asset_id::text;
  update asset_collections l set group_id = g.id from groups g
  where g.id = any(back) and l.collection_id = g.collection_id and l.live and l.group_id is null and l.left_group ->> 'id' = g.id::text;
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_restored after update on asset_collections
  referencing old table as old_rows new table as new_rows for each statement execute function asset_links_restored();
--> statement-breakpoint
-- What the file calls its shot is no change of the asset when it is read later. Runs after assets_touched, by its name.
create function asset_with_content_id() returns trigger language plpgsql as $$
declare
  same assets := old;
begin
  same.content_id := new.content_id;
  same.metadata_read := new.metadata_read;
  same.version := new.version;
  same.file_version := new.file_version;
  same.updated_at := new.updated_at;
  if new is not distinct from same then
    new.version := old.version;
    new.updated_at := old.updated_at;
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger assets_with_content_id before update of content_id on assets for each row
  when (new.content_id is distinct from old.content_id) execute function asset_with_content_id();
--> statement-breakpoint
-- Files of a shot are looked for again once more is known of it.
create function asset_shot_known() returns trigger language plpgsql as $$
begin
  update asset_collections set parts_sought = 0 where asset_id = new.id and parts_sought = 1;
  return null;
end $$;
--> statement-breakpoint
create trigger assets_shot_known after update on assets for each row
  when (new.content_id is distinct from old.content_id or (old.date is null and new.date is not null)) execute function asset_shot_known();
--> statement-breakpoint
-- Parts that a cover stands for: links in groups, without one for each group. People see as many items as there are assets less these.
ALTER TABLE "collections" ADD COLUMN "covered_count" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
create function parts_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and not exists (select from old_rows where group_id is not null)
    and not exists (select from new_rows where group_id is not null) then return null; end if;
  with moved as (
    select collection_id, sum(by) as by from (
      select collection_id, 1 as by from new_rows where group_id is not null
      union all
      select collection_id, -1 from old_rows where group_id is not null
    ) both_rows group by collection_id
  )
  update collections c set covered_count = covered_count + moved.by from moved where c.id = moved.collection_id and moved.by <> 0;
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_parts_counted after update on asset_collections
  referencing old table as old_rows new table as new_rows for each statement execute function parts_counted();
--> statement-breakpoint
create function parts_left_counted() returns trigger language plpgsql as $$
begin
  update collections c set covered_count = covered_count - gone.parts
  from (select collection_id, count(*) as parts from old_rows where group_id is not null group by collection_id) gone where c.id = gone.collection_id;
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_parts_left after delete on asset_collections
  referencing old table as old_rows for each statement execute function parts_left_counted();
--> statement-breakpoint
create function covers_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update collections c set covered_count = covered_count - made.covers
    from (select collection_id, count(*) as covers from new_rows group by collection_id) made where c.id = made.collection_id;
  else
    update collections c set covered_count = covered_count + gone.covers
    from (select collection_id, count(*) as covers from old_rows group by collection_id) gone where c.id = gone.collection_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger groups_inserted_counted after insert on groups
  referencing new table as new_rows for each statement execute function covers_counted();
--> statement-breakpoint
create trigger groups_deleted_counted after delete on groups
  referencing old table as old_rows for each statement execute function covers_counted();
--> statement-breakpoint
update collections c set covered_count = covered.parts
from (
  select l.collection_id, count(*) - count(distinct l.group_id) as parts from asset_collections l where l.group_id is not null group by l.collection_id
) covered
where c.id = covered.collection_id;
