CREATE TABLE "author_snapshots" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"post_id" uuid,
	"asset_id" uuid,
	"user_id" text NOT NULL,
	"fields" jsonb NOT NULL,
	CONSTRAINT "author_snapshots_post" UNIQUE("post_id"),
	CONSTRAINT "author_snapshots_asset" UNIQUE("asset_id"),
	CONSTRAINT "author_snapshots_item" CHECK (num_nonnulls("author_snapshots"."post_id", "author_snapshots"."asset_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "author_snapshots" ADD CONSTRAINT "author_snapshots_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "author_snapshots" ADD CONSTRAINT "author_snapshots_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "author_snapshots_user" ON "author_snapshots" USING btree ("user_id");
--> statement-breakpoint
-- True if the item is in collections that are not deleted, and its author in none of them.
create function author_is_outside(post uuid, asset uuid, author text) returns boolean language sql stable as $$
  select coalesce(bool_and(m.user_id is null), false)
  from (
    select collection_id from post_collections where post_id = post
    union all
    select collection_id from asset_collections where asset_id = asset
  ) l
  join collections c on c.id = l.collection_id and c.deleted_at is null
  left join members m on m.collection_id = c.id and m.user_id = author
$$;
--> statement-breakpoint
-- The first change that the author does not see keeps what it replaces. Runs after posts_changed and assets_changed, which lock the collections, so that
-- memberships do not change meanwhile. Each pair of collection and author is looked up once: a statement may change thousands of items, mostly of one author.
create function posts_snapshot() returns trigger language plpgsql as $$
declare
  outside uuid[];
begin
  with link as materialized (
    select o.id, o.user_id, l.collection_id from old_rows o join post_collections l on l.post_id = o.id
  ), pair as materialized (
    select p.collection_id, p.user_id, m.user_id is not null as inside
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
create trigger posts_changed_snapshot after update on posts
  referencing old table as old_rows for each statement execute function posts_snapshot();
--> statement-breakpoint
create function assets_snapshot() returns trigger language plpgsql as $$
declare
  outside uuid[];
begin
  with link as materialized (
    select o.id, o.user_id, l.collection_id from old_rows o join asset_collections l on l.asset_id = o.id
  ), pair as materialized (
    select p.collection_id, p.user_id, m.user_id is not null as inside
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
create trigger assets_changed_snapshot after update on assets
  referencing old table as old_rows for each statement execute function assets_snapshot();
--> statement-breakpoint
-- Deletes those of these snapshots whose author sees the item again. In one order, because two collections of an item may get members at the same time.
create function delete_author_snapshots(snapshots uuid[]) returns void language plpgsql as $$
begin
  delete from author_snapshots where id in (
    select id from author_snapshots
    where id = any(snapshots) and not author_is_outside(post_id, asset_id, user_id) order by id for update);
end $$;
--> statement-breakpoint
create function members_seeing_again() returns trigger language plpgsql as $$
begin
  perform delete_author_snapshots(array(select s.id from author_snapshots s join moved m on m.user_id = s.user_id));
  return null;
end $$;
--> statement-breakpoint
create trigger members_inserted_seeing_again after insert on members
  referencing new table as moved for each statement execute function members_seeing_again();
--> statement-breakpoint
create function post_links_seeing_again() returns trigger language plpgsql as $$
begin
  perform delete_author_snapshots(array(select s.id from author_snapshots s join moved m on m.post_id = s.post_id));
  return null;
end $$;
--> statement-breakpoint
create trigger post_collections_inserted_seeing_again after insert on post_collections
  referencing new table as moved for each statement execute function post_links_seeing_again();
--> statement-breakpoint
create trigger post_collections_deleted_seeing_again after delete on post_collections
  referencing old table as moved for each statement execute function post_links_seeing_again();
--> statement-breakpoint
create function asset_links_seeing_again() returns trigger language plpgsql as $$
begin
  perform delete_author_snapshots(array(select s.id from author_snapshots s join moved m on m.asset_id = s.asset_id));
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_inserted_seeing_again after insert on asset_collections
  referencing new table as moved for each statement execute function asset_links_seeing_again();
--> statement-breakpoint
create trigger asset_collections_deleted_seeing_again after delete on asset_collections
  referencing old table as moved for each statement execute function asset_links_seeing_again();
