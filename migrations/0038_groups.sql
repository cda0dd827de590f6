-- Assets that one collection shows as one item. The group is a column of the link, so an asset is in at most one group of each collection, and leaves it
-- together with the collection. It stays there in the trash: what a group is, is read from its visible parts (queries/group-shape.ts).
-- `parts_sought`: whether other files of its shot were looked for (queries/shots.ts). 0: no; 1: yes; 2: a person took its group apart; null: no, and it
-- is from before this.
CREATE TABLE "groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cover" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "groups_kind" CHECK ("groups"."kind" in ('live', 'raw', 'burst', 'stack'))
);
--> statement-breakpoint
ALTER TABLE "asset_collections" ADD COLUMN "group_id" uuid;--> statement-breakpoint
ALTER TABLE "asset_collections" ADD COLUMN "parts_sought" smallint;--> statement-breakpoint
-- Not together with the column, or the links of today would get it too.
ALTER TABLE "asset_collections" ALTER COLUMN "parts_sought" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "content_id" text;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "groups_collection" ON "groups" USING btree ("collection_id");--> statement-breakpoint
ALTER TABLE "asset_collections" ADD CONSTRAINT "asset_collections_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "asset_collections_group" ON "asset_collections" USING btree ("group_id") WHERE group_id is not null;--> statement-breakpoint
CREATE INDEX "asset_collections_grouped" ON "asset_collections" USING btree ("collection_id","group_id") WHERE group_id is not null and live;--> statement-breakpoint
CREATE INDEX "asset_collections_unsought" ON "asset_collections" USING btree ("parts_sought","added_at" DESC NULLS LAST) WHERE coalesce(parts_sought, 0) = 0 and live;--> statement-breakpoint
CREATE INDEX "assets_content_id" ON "assets" USING btree ("content_id") WHERE content_id is not null;
--> statement-breakpoint
-- Every asset whose group, or whose group's visible parts, are others now is told as changed.
create function tell_parts(at uuid[], except_for uuid[] default '{}') returns void language plpgsql as $$
begin
  perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text))
  from asset_collections where group_id = any(at) and live and asset_id <> all(except_for);
end $$;
--> statement-breakpoint
create function asset_links_regrouped() returns trigger language plpgsql as $$
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
      bool_or(live) filter (where not fresh) as was_live, bool_or(live) filter (where fresh) as live_now
    from (
      select collection_id, asset_id, group_id, live, true as fresh from new_rows
      union all
      select collection_id, asset_id, group_id, live, false from old_rows
    ) both_rows
    group by collection_id, asset_id
  ), changed as (select * from moved where was is distinct from is_now or was_live <> live_now)
  select array(select was from changed where was is not null union select is_now from changed where is_now is not null),
    -- These are told as new or gone.
    array(select asset_id from changed where was_live <> live_now),
    array_agg(collection_id) filter (where is_now is null and live_now and was_live),
    array_agg(asset_id::text) filter (where is_now is null and live_now and was_live)
  into touched, shown_or_hidden, left_places, left_assets from changed;
  perform tell_parts(touched, shown_or_hidden);
  perform record_rows('asset_collections', 'UPDATE', left_places, left_assets);
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_regrouped after update on asset_collections
  referencing old table as old_rows new table as new_rows for each statement execute function asset_links_regrouped();
--> statement-breakpoint
create function asset_links_left_groups() returns trigger language plpgsql as $$
begin
  perform tell_parts(array(select distinct group_id from old_rows where group_id is not null));
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_deleted_left_groups after delete on asset_collections
  referencing old table as old_rows for each statement execute function asset_links_left_groups();
--> statement-breakpoint
-- Assets that are put into another collection together are one item there too, if whoever does it sees them so elsewhere.
create function asset_links_brought_groups() returns trigger language plpgsql as $$
declare
  brought jsonb;
begin
  if (select count(*) from new_rows where live and group_id is null) < 2 then return null; end if;
  select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'collection_id', collection_id, 'kind', kind, 'cover', cover, 'ids', ids)) into brought
  from (
    select collection_id, kind, cover, array_agg(asset_id) as ids from (
      select distinct on (n.collection_id, n.asset_id) n.collection_id, n.asset_id, g.id, g.kind, g.cover
      from new_rows n
      join asset_collections l on l.asset_id = n.asset_id and l.collection_id <> n.collection_id and l.live
      join groups g on g.id = l.group_id
      where n.live and n.group_id is null and exists (select from memberships m where m.collection_id = g.collection_id and m.user_id = n.user_id)
      order by n.collection_id, n.asset_id, g.created_at desc, g.id
    ) part
    group by collection_id, id, kind, cover having count(*) > 1 and bool_or(asset_id = cover)
  ) whole;
  if brought is null then return null; end if;
  insert into groups (id, collection_id, kind, cover)
  select id, collection_id, kind, cover from jsonb_to_recordset(brought) as b(id uuid, collection_id uuid, kind text, cover uuid);
  update asset_collections l set group_id = b.id from jsonb_to_recordset(brought) as b(id uuid, collection_id uuid, ids uuid[])
  where l.collection_id = b.collection_id and l.asset_id = any(b.ids);
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_inserted_groups after insert on asset_collections
  referencing new table as new_rows for each statement execute function asset_links_brought_groups();
--> statement-breakpoint
-- Whoever changes a group changes what its parts show.
create function groups_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_rows('groups', 'DELETE', array_agg(collection_id), array_agg(id::text)) from old_rows;
  else
    perform record_rows('groups', tg_op, array_agg(collection_id), array_agg(id::text)) from new_rows;
    perform tell_parts(array(select id from new_rows));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger groups_inserted after insert on groups
  referencing new table as new_rows for each statement execute function groups_changed();
--> statement-breakpoint
create trigger groups_updated after update on groups
  referencing new table as new_rows for each statement execute function groups_changed();
--> statement-breakpoint
create trigger groups_deleted after delete on groups
  referencing old table as old_rows for each statement execute function groups_changed();
--> statement-breakpoint
-- As before (0037_metadata_read.sql), but the camera's identifier of a shot is no change of the asset either.
create or replace function asset_touched() returns trigger language plpgsql as $$
declare
  same assets := old;
begin
  if (new.alt, new.date, new.date_zone, new.date_precision, new.lat, new.lon, new.place_name)
      is distinct from (old.alt, old.date, old.date_zone, old.date_precision, old.lat, old.lon, old.place_name) then
    new.metadata_read := coalesce(new.metadata_read, 0);
  end if;
  same.version := new.version;
  same.file_version := new.file_version;
  same.updated_at := new.updated_at;
  same.metadata_read := new.metadata_read;
  same.content_id := new.content_id;
  if new is distinct from same then new.version := old.version + 1; end if;
  if new.version <> old.version then new.updated_at := now(); end if;
  if (new.status, new.checksum, new.renditions, new.file_version) is distinct from (old.status, old.checksum, old.renditions, old.file_version) then
    new.file_version := new.version;
  else
    new.file_version := coalesce(old.file_version, old.version);
  end if;
  return new;
end $$;
--> statement-breakpoint
-- As before (0013_group_rows_in_triggers.sql), but files of a shot are looked for again once more is known of it, and collections are locked before
-- links, as by those who group. Otherwise each could wait for the other.
create or replace function assets_changed() returns trigger language plpgsql as $$
declare
  refiled uuid[];
  touched uuid[];
  gone uuid[];
  come uuid[];
  edited uuid[];
  learned uuid[];
begin
  select array_agg(id) filter (where moved), array_agg(id) filter (where rewritten and ready), array_agg(id) filter (where was and not shown),
    array_agg(id) filter (where shown and not was), array_agg(id) filter (where shown and was and rewritten), array_agg(id) filter (where known)
  into refiled, touched, gone, come, edited, learned
  from (
    select id, bool_or(live) filter (where not fresh) as was, bool_or(live) filter (where fresh) as shown, bool_or(ready) as ready,
      min(version) <> max(version) as rewritten,
      min(moment) <> max(moment) or min(zone) <> max(zone) or bool_or(live) <> bool_and(live) as moved,
      min(shot) <> max(shot) or (bool_or(dated) filter (where fresh) and not bool_or(dated) filter (where not fresh)) as known
    from (
      select id, true as fresh, status = 'ready' as ready, status = 'ready' and deleted_at is null as live, version,
        coalesce(date, '-infinity') as moment, coalesce(date_zone, '') as zone, coalesce(content_id, '') as shot, date is not null as dated
      from new_rows
      union all
      select id, false, status = 'ready', status = 'ready' and deleted_at is null, version, coalesce(date, '-infinity'), coalesce(date_zone, ''),
        coalesce(content_id, ''), date is not null
      from old_rows
    ) both_rows group by id
  ) item;

  if refiled is not null then
    perform lock_collections_of_assets(refiled);
    update asset_collections l
    set sort_at = coalesce(a.date, '-infinity'), month = month_of(a.date, a.date_zone), live = a.deleted_at is null and a.status = 'ready'
    from assets a where l.asset_id = any(refiled) and a.id = l.asset_id;
  end if;
  if learned is not null then
    perform lock_collections_of_assets(learned);
    update asset_collections set parts_sought = 0 where asset_id = any(learned) and parts_sought = 1;
  end if;
  if touched is null then return null; end if;

  perform lock_collections_of_assets(touched);
  perform record_rows('asset_collections', 'DELETE', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(gone);
  perform record_rows('asset_collections', 'INSERT', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(come);
  perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(edited);
  perform record_posts_with(touched);
  return null;
end $$;
