CREATE TABLE "account_usage" (
	"user_id" text PRIMARY KEY NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"items" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quotas" (
	"owner" text PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL,
	"items" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "asset_collections" ADD COLUMN "bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "stored_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "stored_items" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account_usage" ADD CONSTRAINT "account_usage_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- What is written meanwhile waits, so that it is counted once.
lock table posts, assets, post_collections, asset_collections in share row exclusive mode;
--> statement-breakpoint
insert into account_usage (user_id, bytes, items)
  select user_id, sum(size), count(*) from (select user_id, 0 as size from posts union all select user_id, size from assets) i group by user_id;
--> statement-breakpoint
update asset_collections l set bytes = a.size from assets a where a.id = l.asset_id;
--> statement-breakpoint
update collections c set stored_bytes = s.bytes, stored_items = s.items from (
  select collection_id, sum(bytes) as bytes, count(*) as items
  from (select collection_id, 0 as bytes from post_collections union all select collection_id, bytes from asset_collections) l group by collection_id
) s where s.collection_id = c.id;
--> statement-breakpoint
-- The quota of an account or a collection: its own row, else the row of all of its kind, else the default.
create function quota_of(kind text, of text) returns quotas language sql stable as $$
  select owner, bytes, items from (
    select owner, bytes, items, (owner = kind)::int as rank from quotas where owner in (of, kind)
    union all
    select kind, case kind when 'account' then 250000000000 else 1000000000000 end, case kind when 'account' then 500000 else 1000000 end, 2
  ) q order by rank limit 1
$$;
--> statement-breakpoint
-- Raises CA003 if this is more than the account or collection may hold. `detail` says what is full.
create function require_quota(kind text, of text, used_bytes bigint, used_items int, called text default null) returns void language plpgsql as $$
declare
  quota quotas := quota_of(kind, of);
begin
  if used_bytes > quota.bytes or used_items > quota.items then
    raise exception 'Quota exceeded' using errcode = 'CA003', detail = json_build_object('full', kind, 'name', called,
      'limit', case when used_bytes > quota.bytes then 'bytes' else 'items' end,
      'value', case when used_bytes > quota.bytes then quota.bytes else quota.items end)::text;
  end if;
end $$;
--> statement-breakpoint
-- `owners` and `sizes` run in parallel, an element for each item that was inserted (1) or deleted (-1). Accounts are locked before collections.
create function count_for_accounts(owners text[], sizes bigint[], sign int) returns void language plpgsql as $$
declare
  used account_usage;
begin
  for used in
    insert into account_usage as u (user_id, bytes, items)
    select owner, sign * sum(size), sign * count(*) from unnest(owners, sizes) i (owner, size) group by owner order by owner
    on conflict (user_id) do update set bytes = u.bytes + excluded.bytes, items = u.items + excluded.items returning u.*
  loop
    if sign > 0 then perform require_quota('account', used.user_id, used.bytes, used.items); end if;
  end loop;
  if sign < 0 then delete from account_usage where user_id = any(owners) and items = 0; end if;
end $$;
--> statement-breakpoint
-- The same for links, by collection.
create function count_for_collections(at uuid[], sizes bigint[], sign int) returns void language plpgsql as $$
declare
  used record;
begin
  if at is null then return; end if;
  perform lock_collections(at);
  for used in
    update collections c set stored_bytes = c.stored_bytes + sign * l.bytes, stored_items = c.stored_items + sign * l.items
    from (select id, sum(size) as bytes, count(*) as items from unnest(at, sizes) x (id, size) group by id) l
    where c.id = l.id returning c.id::text, c.name, c.stored_bytes, c.stored_items
  loop
    if sign > 0 then perform require_quota('collection', used.id, used.stored_bytes, used.stored_items, used.name); end if;
  end loop;
end $$;
--> statement-breakpoint
create function posts_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform count_for_accounts(array_agg(user_id), array_agg(0::bigint), 1) from new_rows;
  else perform count_for_accounts(array_agg(user_id), array_agg(0::bigint), -1) from old_rows; end if;
  return null;
end $$;
--> statement-breakpoint
create trigger posts_usage_grown after insert on posts
  referencing new table as new_rows for each statement execute function posts_counted();
--> statement-breakpoint
create trigger posts_usage_shrunk after delete on posts
  referencing old table as old_rows for each statement execute function posts_counted();
--> statement-breakpoint
create function assets_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform count_for_accounts(array_agg(user_id), array_agg(size), 1) from new_rows;
  else perform count_for_accounts(array_agg(user_id), array_agg(size), -1) from old_rows; end if;
  return null;
end $$;
--> statement-breakpoint
create trigger assets_usage_grown after insert on assets
  referencing new table as new_rows for each statement execute function assets_counted();
--> statement-breakpoint
create trigger assets_usage_shrunk after delete on assets
  referencing old table as old_rows for each statement execute function assets_counted();
--> statement-breakpoint
create function post_links_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform count_for_collections(array_agg(collection_id), array_agg(0::bigint), 1) from new_rows;
  else perform count_for_collections(array_agg(collection_id), array_agg(0::bigint), -1) from old_rows; end if;
  return null;
end $$;
--> statement-breakpoint
-- Triggers run by name. These run after those that tell of a link, which also lock the other collections of an item.
create trigger post_collections_usage_grown after insert on post_collections
  referencing new table as new_rows for each statement execute function post_links_counted();
--> statement-breakpoint
create trigger post_collections_usage_shrunk after delete on post_collections
  referencing old table as old_rows for each statement execute function post_links_counted();
--> statement-breakpoint
create function asset_links_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform count_for_collections(array_agg(collection_id), array_agg(bytes), 1) from new_rows;
  else perform count_for_collections(array_agg(collection_id), array_agg(bytes), -1) from old_rows; end if;
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_usage_grown after insert on asset_collections
  referencing new table as new_rows for each statement execute function asset_links_counted();
--> statement-breakpoint
create trigger asset_collections_usage_shrunk after delete on asset_collections
  referencing old table as old_rows for each statement execute function asset_links_counted();
--> statement-breakpoint
create or replace function asset_link_sorted() returns trigger language plpgsql as $$
begin
  select coalesce(date, '-infinity'), month_of(date, date_zone), deleted_at is null and status = 'ready', size
  into new.sort_at, new.month, new.live, new.bytes from assets where id = new.asset_id for share;
  new.sort_at := coalesce(new.sort_at, '-infinity');
  new.live := coalesce(new.live, false);
  new.bytes := coalesce(new.bytes, 0);
  return new;
end $$;
--> statement-breakpoint
-- Locks everything that deleting these items changes, in the order of all writers: accounts, items, collections.
create function lock_for_deletion(post_ids uuid[], asset_ids uuid[]) returns void language plpgsql as $$
begin
  perform 1 from account_usage where user_id in (
    select user_id from posts where id = any(post_ids) union select user_id from assets where id = any(asset_ids)) order by user_id for no key update;
  perform 1 from posts where id = any(post_ids) order by id for update;
  perform 1 from assets where id = any(asset_ids) order by id for update;
  perform lock_collections(array(
    select collection_id from post_collections where post_id = any(post_ids)
    union select collection_id from asset_collections where asset_id = any(asset_ids)
    union select l.collection_id from post_assets pa join post_collections l on l.post_id = pa.post_id where pa.asset_id = any(asset_ids)));
end $$;
--> statement-breakpoint
-- Puts an asset in the place of another in its collections, as far as the member has one of these roles there. The links of the other are deleted first, so that
-- a full collection has room.
create function replace_asset_links(old_id uuid, new_id uuid, member text, roles text[]) returns void language plpgsql as $$
declare
  collections_of_old uuid[];
  linked_by text[];
begin
  with gone as (delete from asset_collections where asset_id = old_id returning collection_id, user_id)
  select array_agg(collection_id), array_agg(user_id) into collections_of_old, linked_by from gone;
  insert into asset_collections (collection_id, user_id, asset_id)
  select l.collection_id, l.user_id, new_id from unnest(collections_of_old, linked_by) l (collection_id, user_id)
  join members m on m.collection_id = l.collection_id and m.user_id = member and m.role = any(roles)
  on conflict do nothing;
end $$;
