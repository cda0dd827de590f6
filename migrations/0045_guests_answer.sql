ALTER TABLE "links" ADD COLUMN "allows" text DEFAULT 'look' NOT NULL;--> statement-breakpoint
CREATE INDEX "users_guests" ON "users" USING btree ("id") WHERE id like 'guest:%';--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_allows" CHECK ("links"."allows" in ('look', 'answer'));

--> statement-breakpoint
create or replace view guest.link as
  select l.* from public.links l where l.id = nullif(current_setting('cairn.link', true), '')::uuid;
--> statement-breakpoint
-- As in 0044_links.sql, with what the collection says of answers, where the link allows them.
create or replace view guest.collections as
  select c.id, c.name, c.user_id, c.icon, c.theme, case when l.kind = 'collection' then c.revision else coalesce(l.covered_revision, 0) end as revision, c.created_at, c.updated_at, c.deleted_at,
    case current_setting('cairn.link_places', true) when '2' then 'exact' when '1' then 'town' else 'nothing' end as places, c.places_revision,
    case when l.kind = 'collection' then c.post_count else (select count(*) from guest.post_collections)::int end as post_count,
    case when l.kind = 'collection' then c.asset_count else (select count(*) from guest.asset_collections)::int end as asset_count,
    case l.allows when 'answer' then c.answers end as answers
  from public.collections c join guest.link l on l.collection_id = c.id where c.deleted_at is null;
--> statement-breakpoint
-- One row while the guest may answer, as mayAnswer (contract/policy.ts).
create view guest.answering as
  select from guest.link l join public.collections c on c.id = l.collection_id where l.allows = 'answer' and c.answers = 'read';
--> statement-breakpoint
-- Guests who may answer see what was said about what they see.
create or replace view guest.comments as
  select s.* from public.comments s
  where s.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and exists (select from guest.answering)
    and (exists (select from guest.post_collections l where l.post_id = s.post_id) or exists (select from guest.asset_collections l where l.asset_id = s.asset_id));
--> statement-breakpoint
create or replace view guest.reactions as
  select r.* from public.reactions r
  where r.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and exists (select from guest.answering)
    and (exists (select from guest.post_collections l where l.post_id = r.post_id) or exists (select from guest.asset_collections l where l.asset_id = r.asset_id)
      or exists (select from guest.comments s where s.id = r.comment_id));
--> statement-breakpoint
-- As in 0044_links.sql, and those who said something.
create or replace view guest.users as
  select u.id, u.first_name, u.last_name, 'A member'::text as email from public.users u
  where exists (select from public.posts p join guest.post_collections pc on pc.post_id = p.id where p.user_id = u.id)
    or exists (select from public.assets a join guest.asset_collections ac on ac.asset_id = a.id where a.user_id = u.id)
    or exists (select from guest.post_collections pc where pc.user_id = u.id)
    or exists (select from guest.asset_collections ac where ac.user_id = u.id)
    or exists (select from guest.comments s where s.user_id = u.id)
    or exists (select from guest.reactions r where r.user_id = u.id);
--> statement-breakpoint
-- The tables that the statements of an answering guest find in place of those of the same name, which they may neither see nor write whole. The others are
-- the real ones: the statements reach them only through these (queries/comments.ts, queries/reactions.ts).
create schema guest_answer;
--> statement-breakpoint
create view guest_answer.memberships as select * from guest.memberships;
--> statement-breakpoint
create view guest_answer.post_collections as select * from guest.post_collections;
--> statement-breakpoint
create view guest_answer.asset_collections as select * from guest.asset_collections;
--> statement-breakpoint
create view guest_answer.people as select * from guest.people;
--> statement-breakpoint
-- As `guest.users`, no address is shown. What the statements read of a user, and the triggers of what they write.
create view guest_answer.users as
  select u.id, u.first_name, u.last_name, 'A member'::text as email, u.shares_presence, u.deleted_at from public.users u;
--> statement-breakpoint
-- As in 0044_links.sql, and the items about which something was said, for guests who see it.
create or replace view guest.changes as
  select ch.collection_id, ch.revision, ch.table_name,
    case when ch.table_name = 'comments' then
      case when exists (select from guest.answering) then array(select i from unnest(ch.ids) i where exists (select from guest.post_collections pc where pc.post_id = i::uuid)
        or exists (select from guest.asset_collections ac where ac.asset_id = i::uuid)) else '{}'::text[] end
      when ch.table_name not in ('post_collections', 'asset_collections') then '{}'::text[] when l.kind = 'collection' then ch.ids
      else array(select i from unnest(ch.ids) i where exists (select from public.link_items li where li.link_id = l.id and (li.live or ch.revision <= li.left_revision)
        and case ch.table_name when 'post_collections' then li.post_id = i::uuid else li.asset_id = i::uuid end)) end as ids
  from public.changes ch join guest.link l on l.collection_id = ch.collection_id and ch.revision > l.changed_revision;
--> statement-breakpoint
-- Runs before check_access, which may lock the link: whoever changes a link has locked its collection before.
create function lock_collection_of_guest(asked uuid) returns void language sql as $$
  select from collections where id = (select l.collection_id from guests g join links l on l.id = g.link_id where g.access = asked) for no key update
$$;
--> statement-breakpoint
-- Runs after check_access, in the transaction of what a guest writes. Their row in `users` is the author of what they say; nobody signs in as it.
create function guest.begin_answer() returns void language plpgsql as $$
declare
  g guests;
begin
  if (select l.allows from guest.link l) is distinct from 'answer' then raise exception 'The link is for looking' using errcode = 'CA006'; end if;
  perform set_config('search_path', 'public', true);
  select * into g from guest.guests;
  insert into users as u (id, email, first_name) values ('guest:' || g.id, 'guest:' || g.id, coalesce(g.name, 'Someone'))
    on conflict (id) do update set first_name = excluded.first_name where u.first_name is distinct from excluded.first_name;
  perform set_config('search_path', 'guest_answer, public', true);
end $$;
