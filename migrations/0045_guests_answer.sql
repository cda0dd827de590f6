ALTER TABLE "links" ADD COLUMN "allows" text DEFAULT 'look' NOT NULL;--> statement-breakpoint
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
-- Guests who may answer see what was said about what they see.
create or replace view guest.comments as
  select s.* from public.comments s
  where s.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and (select l.allows from guest.link l) = 'answer'
    and (exists (select from guest.post_collections l where l.post_id = s.post_id) or exists (select from guest.asset_collections l where l.asset_id = s.asset_id));
--> statement-breakpoint
create or replace view guest.reactions as
  select r.* from public.reactions r
  where r.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and (select l.allows from guest.link l) = 'answer'
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
-- Runs after check_access, in the transaction of what a guest writes. Their row in `users` is the author of what they say; nobody signs in as it.
create function guest.begin_answer() returns void language plpgsql as $$
declare
  g guests;
begin
  if (select l.allows from guest.link l) is distinct from 'answer' then raise exception 'The link is for looking' using errcode = 'CA006'; end if;
  perform set_config('search_path', 'public', true);
  select * into g from guest.guests;
  insert into users as u (id, email, first_name) values ('guest:' || g.id, 'guest:' || g.id, coalesce(g.name, 'A guest'))
    on conflict (id) do update set first_name = excluded.first_name where u.first_name is distinct from excluded.first_name;
  perform set_config('search_path', 'guest_answer, public', true);
end $$;
--> statement-breakpoint
-- A guest who said nothing leaves nothing behind; the name of others stays beside what they said.
create function guest_forgotten() returns trigger language plpgsql as $$
begin
  delete from users u where u.id = 'guest:' || old.id
    and not exists (select from comments s where s.user_id = u.id) and not exists (select from reactions r where r.user_id = u.id)
    and not exists (select from edits e where e.user_id = u.id);
  return null;
end $$;
--> statement-breakpoint
create trigger guest_forgotten after delete on guests for each row execute function guest_forgotten();
