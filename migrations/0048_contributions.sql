CREATE TABLE "contributions" (
	"asset_id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"link_id" uuid,
	"state" text DEFAULT 'sending' NOT NULL,
	"told_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contributions_state" CHECK ("contributions"."state" in ('sending', 'waiting', 'gone'))
);
--> statement-breakpoint
ALTER TABLE "links" DROP CONSTRAINT "links_allows";--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "contributions_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "links" ADD COLUMN "approve" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_link_id_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."links"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contributions_collection" ON "contributions" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "contributions_link" ON "contributions" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "contributions_untold" ON "contributions" USING btree ("created_at") WHERE state = 'waiting' and told_at is null;--> statement-breakpoint
CREATE INDEX "assets_of_guests" ON "assets" USING btree ("id") WHERE user_id like 'guest:%' and deleted_at is null;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_allows" CHECK ("links"."allows" in ('look', 'answer') or ("links"."allows" = 'add' and "links"."kind" = 'collection'));
--> statement-breakpoint
create or replace view guest.link as
  select l.* from public.links l where l.id = nullif(current_setting('cairn.link', true), '')::uuid;
--> statement-breakpoint
-- As in 0045_guests_answer.sql. Whoever may add may answer, too.
create or replace view guest.collections as
  select c.id, c.name, c.user_id, c.icon, c.theme, case when l.kind = 'collection' then c.revision else coalesce(l.covered_revision, 0) end as revision, c.created_at, c.updated_at, c.deleted_at,
    case current_setting('cairn.link_places', true) when '2' then 'exact' when '1' then 'town' else 'nothing' end as places, c.places_revision,
    case when l.kind = 'collection' then c.post_count else (select count(*) from guest.post_collections)::int end as post_count,
    case when l.kind = 'collection' then c.asset_count else (select count(*) from guest.asset_collections)::int end as asset_count,
    case when l.allows in ('answer', 'add') then c.answers end as answers
  from public.collections c join guest.link l on l.collection_id = c.id where c.deleted_at is null;
--> statement-breakpoint
create or replace view guest.answering as
  select from guest.link l join public.collections c on c.id = l.collection_id where l.allows in ('answer', 'add') and c.answers = 'read';
--> statement-breakpoint
-- As in 0044_links.sql. Uploads are no visits: who is seen locks the link, and an upload its collection after that.
create or replace function check_guest(asked uuid) returns boolean language plpgsql as $$
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
  if current_setting('cairn.uncounted', true) is distinct from '1' and (g.seen_at is null or g.seen_at < now() - interval '1 hour') then
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
-- As in 0031_author_snapshots.sql. A guest is a member of nothing, and sees the present item.
create or replace function author_is_outside(post uuid, asset uuid, author text) returns boolean language sql stable as $$
  select author not like 'guest:%' and coalesce(bool_and(m.user_id is null), false)
  from (
    select collection_id from post_collections where post_id = post
    union all
    select collection_id from asset_collections where asset_id = asset
  ) l
  join collections c on c.id = l.collection_id and c.deleted_at is null
  left join members m on m.collection_id = c.id and m.user_id = author
$$;
--> statement-breakpoint
create or replace function assets_snapshot() returns trigger language plpgsql as $$
declare
  outside uuid[];
begin
  with link as materialized (
    select o.id, o.user_id, l.collection_id from old_rows o join asset_collections l on l.asset_id = o.id
  ), pair as materialized (
    select p.collection_id, p.user_id, m.user_id is not null or p.user_id like 'guest:%' as inside
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
-- The row in `users` that a guest is the author of things by. Nobody signs in as it.
create function guest.become_author() returns void language plpgsql as $$
declare
  g guests;
begin
  perform set_config('search_path', 'public', true);
  select * into g from guest.guests;
  -- Without a look first, each call would run the triggers of an update of `users`.
  if exists (select from users where id = 'guest:' || g.id and first_name is not distinct from coalesce(g.name, 'Someone')) then return; end if;
  insert into users as u (id, email, first_name) values ('guest:' || g.id, 'guest:' || g.id, coalesce(g.name, 'Someone'))
    on conflict (id) do update set first_name = excluded.first_name where u.first_name is distinct from excluded.first_name;
end $$;
--> statement-breakpoint
-- As in 0045_guests_answer.sql.
create or replace function guest.begin_answer() returns void language plpgsql as $$
begin
  if not exists (select from guest.link l where l.allows in ('answer', 'add')) then raise exception 'The link is for looking' using errcode = 'CA006'; end if;
  perform guest.become_author();
  perform set_config('search_path', 'guest_answer, public', true);
end $$;
--> statement-breakpoint
-- Runs after check_access, in the transaction of what a guest uploads, or with `own` of what they do to files that they have added. An upload reaches no
-- collection at all: what becomes of it is up to the triggers below. Over own files a guest has the rights of a writer.
create function guest.begin_add(own boolean) returns void language plpgsql as $$
begin
  if not exists (select from guest.link l where l.allows = 'add') then raise exception 'Guests add nothing by this link' using errcode = 'CA007'; end if;
  -- Uploads of guests to one collection come one after the other, so that each counts what the others have sent. This lock is always the first.
  if not own then perform pg_advisory_xact_lock(hashtextextended('contributions ' || current_setting('cairn.collection'), 0)); end if;
  -- The account before collections, which a new name locks.
  perform from public.account_usage where user_id = 'guest:' || current_setting('cairn.guest') for no key update;
  -- Whoever owns a file is an author already.
  if not own then perform guest.become_author(); end if;
  perform set_config('cairn.collection', '', true);
  perform set_config('search_path', case when own then 'guest_own, guest_add, public' else 'guest_add, public' end, true);
end $$;
--> statement-breakpoint
-- For the statements of pictures and of the collection's card: what waits is shown to admins.
create view guest.contributions as
  select w.asset_id, w.collection_id, w.state from public.contributions w where false;
--> statement-breakpoint
-- What the guest has sent, while it waits.
create view guest.own_contributions as
  select a.id, a.name, w.created_at from public.contributions w join public.assets a on a.id = w.asset_id
  where w.state = 'waiting' and a.deleted_at is null and a.user_id = 'guest:' || nullif(current_setting('cairn.guest', true), '')
    and w.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid;
--> statement-breakpoint
create schema guest_add;
--> statement-breakpoint
create view guest_add.memberships as select * from guest.memberships where false;
--> statement-breakpoint
create view guest_add.users as select * from guest_answer.users;
--> statement-breakpoint
create schema guest_own;
--> statement-breakpoint
create view guest_own.memberships as select collection_id, user_id, 'write'::text as role, joined_at from guest.memberships;
--> statement-breakpoint
-- What guests have sent to a collection counts for its quota, also while it is in the trash; what was begun and nothing of which has come, for an hour.
create function require_room_for_contribution(at collections, more_bytes bigint, more_items int) returns void language plpgsql as $$
declare
  sent record;
begin
  select count(*)::int as items, count(*) filter (where w.state <> 'gone')::int as open, coalesce(sum(a.size), 0)::bigint as bytes into sent
    from public.contributions w join public.assets a on a.id = w.asset_id
    where w.collection_id = at.id and (w.state <> 'sending' or w.created_at > now() - interval '1 hour'
      or exists (select from public.uploads u where u.asset_id = a.id and u.received <> '{}'));
  if sent.open + more_items > 1000 then raise exception 'Too many contributions wait' using errcode = 'CA008'; end if;
  perform public.require_quota('collection', at.id::text, at.stored_bytes + sent.bytes + more_bytes, at.stored_items + sent.items + more_items, at.name);
end $$;
--> statement-breakpoint
-- A file that a guest begins to send belongs to no collection.
create function asset_contributed() returns trigger language plpgsql as $$
declare
  at public.collections;
begin
  select c.* into at from public.links l join public.collections c on c.id = l.collection_id
    where l.id = nullif(current_setting('cairn.link', true), '')::uuid;
  if not found then return null; end if;
  perform public.require_room_for_contribution(at, new.size, 1);
  insert into public.contributions (asset_id, collection_id, link_id) values (new.id, at.id, nullif(current_setting('cairn.link', true), '')::uuid);
  return null;
end $$;
--> statement-breakpoint
create trigger assets_contributed after insert on assets for each row when (new.user_id like 'guest:%') execute function asset_contributed();
--> statement-breakpoint
-- A complete file waits for an admin, or goes into the collection where the link wants no approval. Admins hear of its pictures, which come later. One
-- that is declined or taken back stays in the trash for a while.
create function contribution_moves() returns trigger language plpgsql as $$
declare
  given public.contributions;
begin
  select * into given from public.contributions where asset_id = new.id;
  if not found then return null; end if;
  -- Before the row, as all others do.
  perform public.lock_collections(array[given.collection_id]);
  if new.deleted_at is not null then
    update public.contributions set state = 'gone' where asset_id = new.id;
  elsif given.state = 'waiting' and new.renditions <> old.renditions then
    perform public.record_rows('contributions', 'UPDATE', array[given.collection_id], array[new.id::text]);
  elsif given.state = 'sending' and new.status = 'ready' then
    if coalesce((select l.approve from public.links l where l.id = given.link_id), true) then
      perform public.require_room_for_contribution(c, new.size, 1) from public.collections c
        where c.id = given.collection_id and given.created_at <= now() - interval '1 hour';
      update public.contributions set state = 'waiting' where asset_id = new.id;
    else
      insert into public.asset_collections (collection_id, user_id, asset_id) values (given.collection_id, new.user_id, new.id);
      delete from public.contributions where asset_id = new.id;
    end if;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger assets_contribution_moves after update of status, deleted_at, renditions on assets for each row
  when (new.user_id like 'guest:%' and (new.status <> old.status or new.deleted_at is distinct from old.deleted_at or new.renditions <> old.renditions))
  execute function contribution_moves();
--> statement-breakpoint
-- Tells admins what waits. A file that waits no more and is nowhere, since its collection has been deleted, goes into the trash.
create function contributions_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_rows('contributions', 'DELETE', array_agg(collection_id), array_agg(asset_id::text)) from old_rows where state = 'waiting';
    update public.assets a set deleted_at = now() from old_rows o
    where a.id = o.asset_id and a.user_id like 'guest:%' and a.status = 'ready' and a.deleted_at is null
      and not exists (select from public.asset_collections l where l.asset_id = a.id);
  else
    perform record_rows('contributions', 'INSERT', array_agg(n.collection_id), array_agg(n.asset_id::text))
      from new_rows n join old_rows o using (asset_id) where n.state = 'waiting' and o.state <> 'waiting';
    perform record_rows('contributions', 'DELETE', array_agg(n.collection_id), array_agg(n.asset_id::text))
      from new_rows n join old_rows o using (asset_id) where n.state <> 'waiting' and o.state = 'waiting';
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger contributions_updated after update on contributions
  referencing old table as old_rows new table as new_rows for each statement execute function contributions_changed();
--> statement-breakpoint
create trigger contributions_deleted after delete on contributions
  referencing old table as old_rows for each statement execute function contributions_changed();
