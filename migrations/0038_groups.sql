-- Assets that one collection shows as one item. The group is a column of the link, so an asset is in at most one group of each collection, and leaves it
-- together with the collection. Every part that comes, goes, or gets another cover is told as a changed asset, and the group itself in table `groups`.
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
ALTER TABLE "assets" ADD COLUMN "content_id" text;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "groups_collection" ON "groups" USING btree ("collection_id");--> statement-breakpoint
ALTER TABLE "asset_collections" ADD CONSTRAINT "asset_collections_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "asset_collections_group" ON "asset_collections" USING btree ("group_id") WHERE group_id is not null;
--> statement-breakpoint
-- Of groups that parts may have left: those of fewer than two visible parts are dissolved, others keep a cover that is one of them.
create function settle_groups(at uuid[]) returns void language plpgsql as $$
begin
  if cardinality(at) = 0 then return; end if;
  perform lock_collections(array(select collection_id from groups where id = any(at)));
  -- These set off asset_links_regrouped again, which tells of the parts.
  update asset_collections set group_id = null where group_id = any(at) and not live;
  update asset_collections set group_id = null
  where group_id in (select group_id from asset_collections where group_id = any(at) group by group_id having count(*) < 2);
  delete from groups g where id = any(at) and not exists (select from asset_collections where group_id = g.id);
  update groups g set cover = (
    select asset_id from asset_collections l where l.group_id = g.id order by l.asset_id = g.cover desc, l.sort_at, l.asset_id limit 1)
  where id = any(at);
end $$;
--> statement-breakpoint
create function asset_links_regrouped() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if not exists (select from old_rows where group_id is not null) and not exists (select from new_rows where group_id is not null) then return null; end if;
  -- Grouped, not joined, for the reason in 0013_group_rows_in_triggers.sql.
  with moved as materialized (
    select collection_id, asset_id, (array_agg(group_id) filter (where not fresh))[1] as was, bool_and(live) filter (where fresh) as shown
    from (
      select collection_id, asset_id, group_id, live, true as fresh from new_rows
      union all
      select collection_id, asset_id, group_id, live, false from old_rows
    ) both_rows
    group by collection_id, asset_id
    having (array_agg(group_id) filter (where fresh))[1] is distinct from (array_agg(group_id) filter (where not fresh))[1]
      or not bool_and(live) filter (where fresh)
  ), told as (
    select record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text)) from moved where shown
  )
  select array(select distinct was from moved where was is not null) into touched from told;
  perform settle_groups(touched);
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_regrouped after update on asset_collections
  referencing old table as old_rows new table as new_rows for each statement execute function asset_links_regrouped();
--> statement-breakpoint
create function asset_links_left_groups() returns trigger language plpgsql as $$
begin
  perform settle_groups(array(select distinct group_id from old_rows where group_id is not null));
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_deleted_left_groups after delete on asset_collections
  referencing old table as old_rows for each statement execute function asset_links_left_groups();
--> statement-breakpoint
-- Whoever changes a group changes what its parts show.
create function groups_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_rows('groups', 'DELETE', array_agg(collection_id), array_agg(id::text)) from old_rows;
  elsif tg_op = 'INSERT' then
    perform record_rows('groups', 'INSERT', array_agg(collection_id), array_agg(id::text)) from new_rows;
  else
    perform record_rows('groups', 'UPDATE', array_agg(collection_id), array_agg(id::text)) from new_rows;
    perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text))
    from asset_collections where group_id in (select id from new_rows);
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
