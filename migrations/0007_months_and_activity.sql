-- Links carry what the timeline's counts and the feed ask of an item: the month where it happened, and whether it can be seen.
ALTER TABLE "asset_collections" ADD COLUMN "month" date;--> statement-breakpoint
ALTER TABLE "asset_collections" ADD COLUMN "live" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "post_collections" ADD COLUMN "month" date;--> statement-breakpoint
ALTER TABLE "post_collections" ADD COLUMN "live" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- The first day of the month where it happened. An offset is read as people write it (Postgres turns its sign), and a zone that
-- Postgres does not know counts as UTC.
create function month_of(moment timestamptz, zone text) returns date language plpgsql stable as $$
declare
  parts text[];
begin
  if moment is null then return null; end if;
  if zone is null or zone = 'UTC' then return date_trunc('month', moment at time zone 'UTC')::date; end if;
  parts := regexp_match(zone, '^([+-])(\d\d):?(\d\d)?$');
  if parts is not null then
    return date_trunc('month', moment at time zone
      ((parts[1] || '1')::int * make_interval(hours => parts[2]::int, mins => coalesce(parts[3], '0')::int)))::date;
  end if;
  return date_trunc('month', moment at time zone zone)::date;
exception when invalid_parameter_value then
  return date_trunc('month', moment at time zone 'UTC')::date;
end $$;
--> statement-breakpoint
update post_collections l set month = month_of(p.date, p.date_zone), live = p.deleted_at is null from posts p where p.id = l.post_id;
--> statement-breakpoint
update asset_collections l set month = month_of(a.date, a.date_zone), live = a.deleted_at is null and a.status = 'ready'
from assets a where a.id = l.asset_id;
--> statement-breakpoint
-- Counts per month of a collection.
CREATE INDEX "asset_collections_month" ON "asset_collections" USING btree ("collection_id","month") WHERE live;
--> statement-breakpoint
CREATE INDEX "post_collections_month" ON "post_collections" USING btree ("collection_id","month") WHERE live;
--> statement-breakpoint
-- What came last into a collection.
CREATE INDEX "asset_collections_added" ON "asset_collections" USING btree ("collection_id","added_at" DESC NULLS LAST,"asset_id" DESC NULLS LAST) WHERE live;
--> statement-breakpoint
CREATE INDEX "post_collections_added" ON "post_collections" USING btree ("collection_id","added_at" DESC NULLS LAST,"post_id" DESC NULLS LAST) WHERE live;
--> statement-breakpoint
-- The share lock waits for a change of the item that is under way, whose own trigger could not see this link yet.
create or replace function post_link_sorted() returns trigger language plpgsql as $$
begin
  select coalesce(date, '-infinity'), month_of(date, date_zone), deleted_at is null
  into new.sort_at, new.month, new.live from posts where id = new.post_id for share;
  new.sort_at := coalesce(new.sort_at, '-infinity');
  new.live := coalesce(new.live, false);
  return new;
end $$;
--> statement-breakpoint
create or replace function asset_link_sorted() returns trigger language plpgsql as $$
begin
  select coalesce(date, '-infinity'), month_of(date, date_zone), deleted_at is null and status = 'ready'
  into new.sort_at, new.month, new.live from assets where id = new.asset_id for share;
  new.sort_at := coalesce(new.sort_at, '-infinity');
  new.live := coalesce(new.live, false);
  return new;
end $$;
--> statement-breakpoint
create function post_refiled() returns trigger language plpgsql as $$
begin
  update post_collections set month = month_of(new.date, new.date_zone), live = new.deleted_at is null where post_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger posts_refiled after update on posts for each row
  when ((new.date, new.date_zone, new.deleted_at is null) is distinct from (old.date, old.date_zone, old.deleted_at is null))
  execute function post_refiled();
--> statement-breakpoint
create function asset_refiled() returns trigger language plpgsql as $$
begin
  update asset_collections set month = month_of(new.date, new.date_zone), live = new.deleted_at is null and new.status = 'ready'
  where asset_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger assets_refiled after update on assets for each row
  when ((new.date, new.date_zone, new.deleted_at is null, new.status) is distinct from (old.date, old.date_zone, old.deleted_at is null, old.status))
  execute function asset_refiled();
