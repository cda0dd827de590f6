CREATE TABLE "home_zones" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"lat" double precision NOT NULL,
	"lon" double precision NOT NULL,
	"radius" integer NOT NULL,
	CONSTRAINT "home_zones_place" CHECK ("home_zones"."lat" between -90 and 90 and "home_zones"."lon" between -180 and 180 and "home_zones"."radius" between 1 and 100000)
);
--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "place_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "places" text DEFAULT 'exact' NOT NULL;--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "places_revision" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "place_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "home_zones" ADD CONSTRAINT "home_zones_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "home_zones_user" ON "home_zones" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_places" CHECK ("collections"."places" in ('exact', 'town', 'nothing'));--> statement-breakpoint
-- Whether two points are at most so many metres apart, on a sphere. The comparison of latitudes spares most points the rest. Null without a point.
create function within_metres(lat float8, lon float8, at_lat float8, at_lon float8, metres integer) returns boolean language sql immutable parallel safe as $$
  select abs(lat - at_lat) < metres / 110000.0 and 12742000 * asin(least(1, sqrt(
    sin(radians(lat - at_lat) / 2) ^ 2 + cos(radians(at_lat)) * cos(radians(lat)) * sin(radians(lon - at_lon) / 2) ^ 2))) <= metres
$$;
--> statement-breakpoint
-- The middle of the tenth of a degree that a latitude or longitude is in: the same for every point there, so that no average tells more.
create function town_degree(degree float8, most float8) returns float8 language sql immutable parallel safe as $$
  select round((least(floor(degree * 10), most * 10 - 1) * 10 + 5)::numeric / 100, 2)::float8
$$;
--> statement-breakpoint
-- The offset of a time zone at a moment, such as +02:00: the name of a zone can tell a place. Local mean time, which no two towns share, as a whole hour.
-- Null for an unknown zone.
create function offset_only(moment timestamptz, zone text) returns text language plpgsql stable parallel safe as $$
declare
  ahead integer;
begin
  if zone is null or zone ~ '^[+-]\d' or zone = 'UTC' then return zone; end if;
  ahead := extract(epoch from coalesce(moment, now()) at time zone zone - coalesce(moment, now()) at time zone 'UTC') / 60;
  if ahead % 15 <> 0 then ahead := round(ahead / 60.0) * 60; end if;
  return case when ahead < 0 then '-' else '+' end || to_char(abs(ahead) / 60, 'FM00') || ':' || to_char(abs(ahead) % 60, 'FM00');
exception when others then
  return null;
end $$;
--> statement-breakpoint
-- What members see of places is part of the collection, and told as its change. Lists refuse `since` from before it.
create function places_changing() returns trigger language plpgsql as $$
begin
  new.places_revision := new.revision + 1;
  new.updated_at := now();
  return new;
end $$;
--> statement-breakpoint
create trigger collections_places_changing before update of places on collections for each row
  when (new.places <> old.places) execute function places_changing();
--> statement-breakpoint
create function places_changed() returns trigger language plpgsql as $$
begin
  perform record_rows('collections', 'UPDATE', array_agg(m.collection_id), array_agg(m.collection_id::text), array_agg(m.user_id))
  from members m where m.collection_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger collections_places_changed after update of places on collections for each row
  when (new.places <> old.places) execute function places_changed();
--> statement-breakpoint
-- A new or former home zone is told as a change of the items inside, in every collection that they are in.
create function home_zones_changed() returns trigger language plpgsql as $$
declare
  inside_posts uuid[];
  inside_assets uuid[];
begin
  select array_agg(i.id) into inside_posts from moved z join posts i on i.user_id = z.user_id and within_metres(i.lat, i.lon, z.lat, z.lon, z.radius);
  select array_agg(i.id) into inside_assets from moved z join assets i on i.user_id = z.user_id and within_metres(i.lat, i.lon, z.lat, z.lon, z.radius);
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
create trigger home_zones_inserted after insert on home_zones
  referencing new table as moved for each statement execute function home_zones_changed();
--> statement-breakpoint
create trigger home_zones_deleted after delete on home_zones
  referencing old table as moved for each statement execute function home_zones_changed();
