CREATE TABLE "contributions" (
	"asset_id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"link_id" uuid,
	"waiting" boolean DEFAULT false NOT NULL,
	"told_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "links" DROP CONSTRAINT "links_allows";--> statement-breakpoint
ALTER TABLE "links" ADD COLUMN "approve" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributions" ADD CONSTRAINT "contributions_link_id_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."links"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contributions_collection" ON "contributions" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "contributions_link" ON "contributions" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "contributions_untold" ON "contributions" USING btree ("created_at") WHERE waiting and told_at is null;--> statement-breakpoint
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
  perform guest.become_author();
  perform set_config('cairn.collection', '', true);
  perform set_config('search_path', case when own then 'guest_own, guest_add, public' else 'guest_add, public' end, true);
end $$;
--> statement-breakpoint
-- For the statements of pictures and of the collection's card: what waits is shown to admins.
create view guest.contributions as
  select w.asset_id, w.collection_id, w.waiting from public.contributions w where false;
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
-- A file that a guest begins to send belongs to no collection, and counts for the quota of the one that it is meant for.
create function asset_contributed() returns trigger language plpgsql as $$
declare
  at public.collections;
  sent record;
begin
  select c.* into at from public.links l join public.collections c on c.id = l.collection_id
    where l.id = nullif(current_setting('cairn.link', true), '')::uuid;
  if not found then return null; end if;
  select count(*)::int as items, coalesce(sum(a.size), 0)::bigint as bytes into sent
    from public.contributions w join public.assets a on a.id = w.asset_id where w.collection_id = at.id;
  if sent.items >= 1000 then raise exception 'Too many contributions wait' using errcode = 'CA008'; end if;
  perform public.require_quota('collection', at.id::text, at.stored_bytes + sent.bytes + new.size, at.stored_items + sent.items + 1, at.name);
  insert into public.contributions (asset_id, collection_id, link_id) values (new.id, at.id, nullif(current_setting('cairn.link', true), '')::uuid);
  return null;
end $$;
--> statement-breakpoint
create trigger assets_contributed after insert on assets for each row when (new.user_id like 'guest:%') execute function asset_contributed();
--> statement-breakpoint
-- A complete file waits for an admin, or goes into the collection where the link wants no approval. One that its guest takes back waits no more.
create function contribution_moves() returns trigger language plpgsql as $$
declare
  given public.contributions;
begin
  if new.deleted_at is not null then
    delete from public.contributions where asset_id = new.id;
    return null;
  end if;
  select * into given from public.contributions where asset_id = new.id and not waiting;
  if not found or new.status <> 'ready' then return null; end if;
  if coalesce((select l.approve from public.links l where l.id = given.link_id), true) then
    update public.contributions set waiting = true where asset_id = new.id;
  else
    insert into public.asset_collections (collection_id, user_id, asset_id) values (given.collection_id, new.user_id, new.id);
    delete from public.contributions where asset_id = new.id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger assets_contribution_moves after update of status, deleted_at on assets for each row
  when (new.user_id like 'guest:%' and (new.status <> old.status or new.deleted_at is distinct from old.deleted_at)) execute function contribution_moves();
--> statement-breakpoint
-- Tells admins what waits. A file that waits no more and is nowhere, since its collection has been deleted, goes into the trash.
create function contributions_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_rows('contributions', 'DELETE', array_agg(collection_id), array_agg(asset_id::text)) from old_rows where waiting;
    update public.assets a set deleted_at = now() from old_rows o
    where a.id = o.asset_id and a.user_id like 'guest:%' and a.status = 'ready' and a.deleted_at is null
      and not exists (select from public.asset_collections l where l.asset_id = a.id);
  else
    perform record_rows('contributions', 'INSERT', array_agg(n.collection_id), array_agg(n.asset_id::text))
      from new_rows n join old_rows o using (asset_id) where n.waiting and not o.waiting;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger contributions_updated after update on contributions
  referencing old table as old_rows new table as new_rows for each statement execute function contributions_changed();
--> statement-breakpoint
create trigger contributions_deleted after delete on contributions
  referencing old table as old_rows for each statement execute function contributions_changed();
