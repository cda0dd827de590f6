CREATE TABLE "guests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"link_id" uuid NOT NULL,
	"access" uuid,
	"name" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone,
	CONSTRAINT "guests_access" UNIQUE("access")
);
--> statement-breakpoint
CREATE TABLE "link_items" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"link_id" uuid NOT NULL,
	"post_id" uuid,
	"asset_id" uuid,
	"chosen" boolean DEFAULT false NOT NULL,
	"live" boolean DEFAULT true NOT NULL,
	"left_revision" bigint,
	CONSTRAINT "link_items_post" UNIQUE("link_id","post_id"),
	CONSTRAINT "link_items_asset" UNIQUE("link_id","asset_id"),
	CONSTRAINT "link_items_item" CHECK (num_nonnulls("link_items"."post_id", "link_items"."asset_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "link_views" (
	"link_id" uuid NOT NULL,
	"day" date NOT NULL,
	"views" integer NOT NULL,
	CONSTRAINT "link_views_link_id_day_pk" PRIMARY KEY("link_id","day")
);
--> statement-breakpoint
CREATE TABLE "links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL,
	"name" text,
	"filters" jsonb,
	"password" text,
	"ends_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"location" text DEFAULT 'hidden' NOT NULL,
	"download" boolean DEFAULT false NOT NULL,
	"ask_name" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_revision" bigint DEFAULT 0 NOT NULL,
	"covered_revision" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "links_hash" UNIQUE("hash"),
	CONSTRAINT "links_kind" CHECK ("links"."kind" in ('collection', 'filter', 'items')),
	CONSTRAINT "links_location" CHECK ("links"."location" in ('hidden', 'town', 'exact')),
	CONSTRAINT "links_filters" CHECK (("links"."kind" = 'filter') = ("links"."filters" is not null))
);
--> statement-breakpoint
ALTER TABLE "guests" ADD CONSTRAINT "guests_link_id_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_items" ADD CONSTRAINT "link_items_link_id_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_items" ADD CONSTRAINT "link_items_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_items" ADD CONSTRAINT "link_items_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_views" ADD CONSTRAINT "link_views_link_id_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guests_link" ON "guests" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "link_items_of_post" ON "link_items" USING btree ("post_id") WHERE post_id is not null;--> statement-breakpoint
CREATE INDEX "link_items_of_asset" ON "link_items" USING btree ("asset_id") WHERE asset_id is not null;--> statement-breakpoint
CREATE INDEX "links_collection" ON "links" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "links_user" ON "links" USING btree ("user_id");--> statement-breakpoint
-- True while the maker of a link may make such a link, as `links.make` in contract/policy.ts: admins and the owner any, a writer those to own items alone.
create function link_permitted(l links) returns boolean language sql stable as $$
  select exists (
    select from members m join collections c on c.id = m.collection_id and c.deleted_at is null
    where m.collection_id = l.collection_id and m.user_id = l.user_id and (m.role in ('admin', 'owner') or (m.role = 'write' and l.kind = 'items'
      and not exists (select from link_items li left join posts p on p.id = li.post_id left join assets a on a.id = li.asset_id
        where li.link_id = l.id and li.chosen and coalesce(p.user_id, a.user_id) <> l.user_id))))
$$;
--> statement-breakpoint
create function link_open(l links) returns boolean language sql stable as $$
  select l.ended_at is null and coalesce(l.ends_at > now(), true) and link_permitted(l)
$$;
--> statement-breakpoint
-- Every change of a link moves the revision of the collection, closes the sockets of its guests, and ends their deltas: what it shows may be other items.
create function link_changed() returns trigger language plpgsql as $$
begin
  perform record_rows('links', case when tg_op = 'INSERT' then 'INSERT' when new.ended_at is null then 'UPDATE' else 'DELETE' end,
    array[new.collection_id], array[new.id::text]);
  update links set changed_revision = c.revision, covered_revision = null from collections c where links.id = new.id and c.id = new.collection_id;
  return null;
end $$;
--> statement-breakpoint
create trigger links_inserted after insert on links for each row execute function link_changed();
--> statement-breakpoint
create trigger links_updated after update of version, ended_at on links for each row execute function link_changed();
--> statement-breakpoint
-- Whoever leaves, is removed, loses a role or deletes the account ends the links that they could no longer make.
create function member_links_end() returns trigger language plpgsql as $$
begin
  update links l set ended_at = now() from old_rows o
  where l.collection_id = o.collection_id and l.user_id = o.user_id and l.ended_at is null and not link_permitted(l);
  return null;
end $$;
--> statement-breakpoint
create trigger members_deleted_links_end after delete on members
  referencing old table as old_rows for each statement execute function member_links_end();
--> statement-breakpoint
create trigger members_updated_links_end after update on members
  referencing old table as old_rows for each statement execute function member_links_end();
--> statement-breakpoint
-- Brings `link_items` up to the present revision of the collection. The filter is that of the views (web/lib/filters/content.ts): each list that is not
-- empty must have a value of the item; kinds of posts exclude assets; kinds of events exclude notes, unless notes are named too, and the other way round.
-- Most changes, such as comments, move no items, and the whole log since then says so.
create function cover_link(link uuid) returns void language plpgsql as $$
declare
  l links;
  present bigint;
  f jsonb;
  by_writer boolean;
  moved boolean;
begin
  select * into l from links where id = link for no key update;
  select revision into present from collections where id = l.collection_id;
  if l.covered_revision = present then return; end if;
  if (select count(*) = present - l.covered_revision and not bool_or(table_name in ('post_collections', 'asset_collections', 'members', 'people'))
      from changes where collection_id = l.collection_id and revision > l.covered_revision and revision <= present) then
    update links set covered_revision = present where id = link;
    return;
  end if;
  f := l.filters;
  by_writer := exists (select from members m where m.collection_id = l.collection_id and m.user_id = l.user_id and m.role = 'write');
  with wanted as materialized (
    select null::uuid as post_id, pa.asset_id
    from link_items li join post_collections pc on pc.post_id = li.post_id and pc.collection_id = l.collection_id and pc.live
    join post_assets pa on pa.post_id = li.post_id join assets a on a.id = pa.asset_id
    where l.kind = 'items' and li.link_id = link and li.chosen and (a.user_id = l.user_id or not by_writer)
    union
    select p.id, null
    from post_collections pc join posts p on p.id = pc.post_id
    cross join lateral (select case p.type when 'event' then f -> 'eventTypes' else f -> 'noteTypes' end as kinds,
      case p.type when 'event' then f -> 'noteTypes' else f -> 'eventTypes' end as others) named
    where l.kind = 'filter' and pc.collection_id = l.collection_id and pc.live
      and (f -> 'contentTypes' = '[]' or f -> 'contentTypes' ? 'post')
      and case when f -> 'postTypes' <> '[]' then f -> 'postTypes' ? p.type else kinds <> '[]' or others = '[]' end
      and (kinds = '[]' or coalesce(kinds ? p.kind, false))
      and (f -> 'people' = '[]' or exists (select from post_people t where t.post_id = p.id and f -> 'people' ? t.person_id::text))
    union
    select null, a.id
    from asset_collections ac join assets a on a.id = ac.asset_id
    where l.kind = 'filter' and ac.collection_id = l.collection_id and ac.live
      and f -> 'postTypes' = '[]' and f -> 'eventTypes' = '[]' and f -> 'noteTypes' = '[]'
      and (f -> 'contentTypes' = '[]' or f -> 'contentTypes' ? case when a.type like 'image/%' and a.type <> 'image/svg+xml' then 'photo'
        when a.type like 'video/%' then 'video' when a.type like 'audio/%' then 'audio' else 'file' end)
      and (f -> 'people' = '[]' or exists (select from asset_people t where t.asset_id = a.id and f -> 'people' ? t.person_id::text))
  ),
  gone as (
    update link_items li set live = false, left_revision = present
    where li.link_id = link and li.live and not li.chosen and case when li.post_id is null
      then not exists (select from wanted w where w.asset_id = li.asset_id) else not exists (select from wanted w where w.post_id = li.post_id) end
    returning li.id
  ),
  come_posts as (
    insert into link_items (link_id, post_id) select link, post_id from wanted where post_id is not null
    on conflict (link_id, post_id) do update set live = true, left_revision = null where not link_items.live
  ),
  come_assets as (
    insert into link_items (link_id, asset_id) select link, asset_id from wanted where asset_id is not null
    on conflict (link_id, asset_id) do update set live = true, left_revision = null where not link_items.live
    returning id
  )
  select exists (select from gone) or exists (select from come_assets) into moved;
  -- Whoever has loaded before the change of the link must load anew, so they need not be told what has left.
  if l.covered_revision is null then
    delete from link_items where link_id = link and not live and not chosen;
  end if;
  -- That a post brings other assets is told as a change of the post alone.
  update links set covered_revision = present, changed_revision = case when l.kind = 'items' and moved then present else changed_revision end where id = link;
end $$;
--> statement-breakpoint
-- For the access of a guest: false if there is none; raises CA005 once the link has ended. Limits the rest of the transaction to what the link shows:
-- with the schema `guest` alone as search path, all other tables are unknown to it.
create function check_guest(asked uuid) returns boolean language plpgsql as $$
declare
  g guests;
  l links;
begin
  select * into g from guests where access = asked;
  if not found then return false; end if;
  select * into l from links where id = g.link_id;
  if not link_open(l) then raise exception 'The link has ended' using errcode = 'CA005'; end if;
  if l.kind <> 'collection' and l.covered_revision is distinct from (select revision from collections where id = l.collection_id) then
    perform cover_link(l.id);
  end if;
  if g.seen_at is null or g.seen_at < now() - interval '1 hour' then
    -- The link before the guest, as all others lock them. Where somebody is changing the link, the guest's next call counts.
    perform from links where id = l.id for no key update skip locked;
    if found then
      update guests set seen_at = now() where id = g.id and seen_at is not distinct from g.seen_at;
      if found then
        update links set last_used_at = now() where id = l.id;
        if g.seen_at is null or g.seen_at::date < current_date then
          insert into link_views as v (link_id, day, views) values (l.id, current_date, 1)
          on conflict (link_id, day) do update set views = v.views + 1;
        end if;
      end if;
    end if;
  end if;
  perform set_config('cairn.collection', l.collection_id::text, true), set_config('cairn.link', l.id::text, true),
    set_config('cairn.link_kind', l.kind, true), set_config('cairn.link_version', l.id || '.' || l.version, true), set_config('cairn.guest', g.id::text, true);
  -- The most that guests see of places, with the numbers of worker/queries/places.ts: what the link and the collection both allow.
  perform set_config('cairn.link_places', least(case l.location when 'exact' then 2 when 'town' then 1 else 0 end,
    (select case c.places when 'exact' then 2 when 'town' then 1 else 0 end from collections c where c.id = l.collection_id))::text, true);
  perform set_config('search_path', 'guest', true);
  return true;
end $$;
--> statement-breakpoint
-- As before (0029_tokens_of_one_collection.sql), and for the guests of links.
create or replace function check_access(access uuid) returns void language plpgsql as $$
declare
  collection uuid;
begin
  select t.collection_id into collection from tokens t join users u on u.id = t.user_id
    where t.id = access and t.verified_email = u.email and (t.expires_at is null or t.expires_at > now());
  if found then
    perform set_config('cairn.collection', coalesce(collection::text, ''), true);
    return;
  end if;
  update sessions set used_at = now() where id = access and used_at < now() - interval '1 hour';
  if not exists (select from sessions where id = access) and not check_guest(access) then
    raise exception 'The session or access token has been revoked' using errcode = 'CA002';
  end if;
end $$;
--> statement-breakpoint
-- What the statements of a guest read, under the names of the tables: they see the rows and columns below and nothing else. A statement that needs more
-- fails, until a later migration adds a view here.
create schema guest;
--> statement-breakpoint
create view guest.link as
  select l.* from public.links l where l.id = nullif(current_setting('cairn.link', true), '')::uuid;
--> statement-breakpoint
create view guest.guests as
  select g.* from public.guests g where g.id = nullif(current_setting('cairn.guest', true), '')::uuid;
--> statement-breakpoint
create view guest.memberships as
  select l.collection_id, 'guest:' || g.id as user_id, 'guest'::text as role, null::timestamptz as joined_at from guest.link l cross join guest.guests g;
--> statement-breakpoint
create view guest.post_collections as
  select pc.* from public.post_collections pc
  where pc.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and pc.live and ((select current_setting('cairn.link_kind', true)) = 'collection'
    or exists (select from public.link_items li where li.link_id = nullif(current_setting('cairn.link', true), '')::uuid and li.post_id = pc.post_id and li.live));
--> statement-breakpoint
create view guest.asset_collections as
  select ac.* from public.asset_collections ac
  where ac.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and ac.live and ((select current_setting('cairn.link_kind', true)) = 'collection'
    or exists (select from public.link_items li where li.link_id = nullif(current_setting('cairn.link', true), '')::uuid and li.asset_id = ac.asset_id and li.live));
--> statement-breakpoint
-- The revision is the one that `link_items` are right for: the collection may have moved on during the transaction. 0 once the link has changed, too.
create view guest.collections as
  select c.id, c.name, c.user_id, c.icon, c.theme, case when l.kind = 'collection' then c.revision else coalesce(l.covered_revision, 0) end as revision, c.created_at, c.updated_at, c.deleted_at,
    case current_setting('cairn.link_places', true) when '2' then 'exact' when '1' then 'town' else 'nothing' end as places, c.places_revision,
    case when l.kind = 'collection' then c.post_count else (select count(*) from guest.post_collections)::int end as post_count,
    case when l.kind = 'collection' then c.asset_count else (select count(*) from guest.asset_collections)::int end as asset_count,
    null::text as answers
  from public.collections c join guest.link l on l.collection_id = c.id where c.deleted_at is null;
--> statement-breakpoint
-- The place is shown as far as the guest may know it, already here, and the name of the time zone, which can tell a place, only with the exact one.
create view guest.posts as
  select p.id, p.user_id, p.type, p.kind, p.title, p.body, p.original_author, p.date, p.date_precision, p.ends_at, p.version, p.created_at, p.updated_at,
    p.deleted_at, p.place_hidden,
    case when seen = 2 then p.date_zone else public.offset_only(p.date, p.date_zone) end as date_zone,
    case seen when 2 then p.lat when 1 then case when p.lat is not null then coalesce(home.lat, public.town_degree(p.lat, 90)) end end as lat,
    case seen when 2 then p.lon when 1 then case when p.lon is not null then coalesce(home.lon, public.town_degree(p.lon, 180)) end end as lon,
    case when seen = 2 then p.place_name end as place_name
  from public.posts p
  left join lateral (select public.town_degree(z.lat, 90) as lat, public.town_degree(z.lon, 180) as lon from public.home_zones z
    where z.user_id = p.user_id and public.within_metres(p.lat, p.lon, z.lat, z.lon, z.radius) order by z.lat, z.lon limit 1) home on true
  cross join lateral (select case when p.place_hidden then 0 else least((select current_setting('cairn.link_places', true)::int), case when home.lat is null then 2 else 1 end) end as seen) placed
  where exists (select from guest.post_collections l where l.post_id = p.id);
--> statement-breakpoint
create view guest.assets as
  select a.id, a.user_id, a.status, a.name, a.type, a.size, a.checksum, a.width, a.height, a.duration, a.thumbhash, a.alt, a.original_author,
    null::text as content_id, a.renditions, a.date, a.date_precision, a.version, a.file_version, a.created_at, a.updated_at, a.deleted_at, a.place_hidden,
    case when seen = 2 then a.date_zone else public.offset_only(a.date, a.date_zone) end as date_zone,
    case seen when 2 then a.lat when 1 then case when a.lat is not null then coalesce(home.lat, public.town_degree(a.lat, 90)) end end as lat,
    case seen when 2 then a.lon when 1 then case when a.lon is not null then coalesce(home.lon, public.town_degree(a.lon, 180)) end end as lon,
    case when seen = 2 then a.place_name end as place_name
  from public.assets a
  left join lateral (select public.town_degree(z.lat, 90) as lat, public.town_degree(z.lon, 180) as lon from public.home_zones z
    where z.user_id = a.user_id and public.within_metres(a.lat, a.lon, z.lat, z.lon, z.radius) order by z.lat, z.lon limit 1) home on true
  cross join lateral (select case when a.place_hidden then 0 else least((select current_setting('cairn.link_places', true)::int), case when home.lat is null then 2 else 1 end) end as seen) placed
  where exists (select from guest.asset_collections l where l.asset_id = a.id);
--> statement-breakpoint
create view guest.post_assets as
  select pa.* from public.post_assets pa where exists (select from guest.post_collections pc where pc.post_id = pa.post_id)
    and exists (select from guest.asset_collections ac where ac.asset_id = pa.asset_id);
--> statement-breakpoint
create view guest.films as
  select f.* from public.films f where exists (select from guest.asset_collections ac where ac.asset_id = f.asset_id);
--> statement-breakpoint
create view guest.groups as
  select g.* from public.groups g where g.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid;
--> statement-breakpoint
create view guest.post_people as
  select t.* from public.post_people t where exists (select from guest.post_collections pc where pc.post_id = t.post_id);
--> statement-breakpoint
create view guest.asset_people as
  select t.* from public.asset_people t where exists (select from guest.asset_collections ac where ac.asset_id = t.asset_id);
--> statement-breakpoint
-- Only people who are tagged on something that the guest sees.
create view guest.people as
  select p.id, p.collection_id, p.name, null::text as user_id from public.people p
  where p.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and (exists (select from guest.post_people t where t.person_id = p.id)
    or exists (select from guest.asset_people t where t.person_id = p.id));
--> statement-breakpoint
-- Only people who wrote or added something that the guest sees. The address stands for members without a name (queries/permissions.ts), so that no part of a
-- real one is shown.
create view guest.users as
  select u.id, u.first_name, u.last_name, 'A member'::text as email from public.users u
  where exists (select from public.posts p join guest.post_collections pc on pc.post_id = p.id where p.user_id = u.id)
    or exists (select from public.assets a join guest.asset_collections ac on ac.asset_id = a.id where a.user_id = u.id)
    or exists (select from guest.post_collections pc where pc.user_id = u.id)
    or exists (select from guest.asset_collections ac where ac.user_id = u.id);
--> statement-breakpoint
-- Guests do not answer, and see no answers.
create view guest.comments as
  select s.* from public.comments s where false;
--> statement-breakpoint
create view guest.reactions as
  select r.* from public.reactions r where false;
--> statement-breakpoint
create view guest.members as
  select m.collection_id, m.user_id from public.members m where false;
--> statement-breakpoint
create view guest.author_snapshots as
  select s.post_id, s.asset_id, s.user_id, s.fields from public.author_snapshots s where false;
--> statement-breakpoint
-- For worker/queries/places.ts, which decides what may be known of files.
create view guest.home_zones as select z.user_id, z.lat, z.lon, z.radius from public.home_zones z;
--> statement-breakpoint
-- The views above put what is in a home zone in the middle of its town, which may be outside of the zone.
create function guest.within_metres(float8, float8, float8, float8, integer) returns boolean language sql immutable
  return public.within_metres($1, $2, $3, $4, $5) or ($1 = public.town_degree($3, 90) and $2 = public.town_degree($4, 180));
--> statement-breakpoint
create function guest.town_degree(float8, float8) returns float8 language sql immutable return public.town_degree($1, $2);
--> statement-breakpoint
create function guest.offset_only(timestamptz, text) returns text language sql stable return public.offset_only($1, $2);
--> statement-breakpoint
create function guest.author_is_outside(uuid, uuid, text) returns boolean language sql immutable return false;
--> statement-breakpoint
-- Since the last change of the link, and of its items only those that it shows, or showed then.
create view guest.changes as
  select ch.collection_id, ch.revision, ch.table_name,
    case when ch.table_name not in ('post_collections', 'asset_collections') then '{}'::text[] when l.kind = 'collection' then ch.ids
      else array(select i from unnest(ch.ids) i where exists (select from public.link_items li where li.link_id = l.id and (li.live or ch.revision <= li.left_revision)
        and case ch.table_name when 'post_collections' then li.post_id = i::uuid else li.asset_id = i::uuid end)) end as ids
  from public.changes ch join guest.link l on l.collection_id = ch.collection_id and ch.revision > l.changed_revision;
