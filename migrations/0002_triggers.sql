-- Every write tells the collections it touches: their revision grows by one and one row in changes says what moved.
-- Triggers do it, so that no writer can forget; they also keep versions, sort keys and the counts of visible items.
--
-- Locks are taken in one order, so that two writers never wait for each other: first items and people, then collections by
-- id, then members and invites. Collections are locked for no key update, because inserting a link takes a key share lock.
-- The lock lasts until the commit, which puts revisions in commit order.

create function lock_collections(at uuid[]) returns void
language plpgsql as $$
begin
  perform 1 from collections where id = any(at) order by id for no key update;
end $$;
--> statement-breakpoint
-- at, moved and who run in parallel: the collection, the id of what moved in it, and the user whom it concerns (or null).
-- What this transaction has told already is not told again, and a link made in it (its xmin) is told as its INSERT only:
-- a new post with pictures and people is one change.
create function record_rows(what text, kind text, at uuid[], moved text[], who text[] default null) returns void
language plpgsql as $$
begin
  if at is null then return; end if;
  perform lock_collections(at);
  with told as (
    select distinct on (ch.collection_id, told_id) ch.collection_id, told_id, ch.event
    from collections c
    join changes ch on ch.collection_id = c.id and ch.revision > c.revision - 16 and ch.table_name = what
    cross join unnest(ch.ids) told_id
    where c.id = any(at) and ch.xmin = pg_current_xact_id()::xid
    order by ch.collection_id, told_id, ch.revision desc
  ), fresh as (
    select r.c, array_agg(distinct r.i) as ids, coalesce(array_agg(distinct r.u) filter (where r.u is not null), '{}') as users
    from unnest(at, moved, who) r (c, i, u)
    left join told t on t.collection_id = r.c and t.told_id = r.i
    where t.event is null or (t.event <> kind and not (t.event = 'INSERT' and kind = 'UPDATE'))
    group by r.c
  ), grown as (
    update collections set
      revision = revision + 1,
      post_count = post_count + case when what = 'post_collections' then growth else 0 end,
      asset_count = asset_count + case when what = 'asset_collections' then growth else 0 end
    from (select *, case kind when 'INSERT' then 1 when 'DELETE' then -1 else 0 end * cardinality(ids) as growth from fresh) f
    where id = f.c
    returning id, revision, f.ids, f.users
  )
  insert into changes (collection_id, revision, table_name, event, ids, user_ids)
  select id, revision, what, kind, ids, users from grown;
end $$;
--> statement-breakpoint
-- Collections: name, icon, theme, owner, deletion, told to every member. A growing revision is no change of its own:
-- it is written inside other triggers, where this one does not fire.
create function collections_changed() returns trigger language plpgsql as $$
begin
  perform record_rows('collections', 'UPDATE', array_agg(n.id), array_agg(n.id::text), array_agg(m.user_id))
  from new_rows n join old_rows o using (id) left join members m on m.collection_id = n.id
  where (n.name, n.icon, n.theme, n.user_id) is distinct from (o.name, o.icon, o.theme, o.user_id) and n.deleted_at is null;

  perform record_rows('collections', 'DELETE', array_agg(n.id), array_agg(n.id::text), array_agg(m.user_id))
  from new_rows n join old_rows o using (id) left join members m on m.collection_id = n.id
  where n.deleted_at is not null and o.deleted_at is null;
  return null;
end $$;
--> statement-breakpoint
create trigger collections_changed after update on collections
  referencing old table as old_rows new table as new_rows
  for each statement when (pg_trigger_depth() = 0) execute function collections_changed();
--> statement-breakpoint
create function collection_touched() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
--> statement-breakpoint
create trigger collections_touched before update on collections for each row
  when ((new.name, new.icon, new.theme, new.user_id) is distinct from (old.name, old.icon, old.theme, old.user_id))
  execute function collection_touched();
--> statement-breakpoint
create function members_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_rows('members', 'DELETE', array_agg(collection_id), array_agg(user_id), array_agg(user_id)) from old_rows;
  elsif tg_op = 'INSERT' then
    perform record_rows('members', 'INSERT', array_agg(collection_id), array_agg(user_id), array_agg(user_id)) from new_rows;
  else
    perform record_rows('members', 'UPDATE', array_agg(n.collection_id), array_agg(n.user_id), array_agg(n.user_id))
    from new_rows n join old_rows o using (collection_id, user_id) where n.role <> o.role;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger members_inserted after insert on members
  referencing new table as new_rows for each statement execute function members_changed();
--> statement-breakpoint
create trigger members_updated after update on members
  referencing old table as old_rows new table as new_rows for each statement execute function members_changed();
--> statement-breakpoint
create trigger members_deleted after delete on members
  referencing old table as old_rows for each statement execute function members_changed();
--> statement-breakpoint
-- Invites: what an invitee sees is a row that comes, changes or goes, so entering the pending state is an INSERT and leaving
-- it a DELETE.
create function invites_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform record_rows('invites', 'INSERT', array_agg(collection_id), array_agg(id::text), array_agg(user_id))
    from new_rows where state = 'pending';
  elsif tg_op = 'DELETE' then
    perform record_rows('invites', 'DELETE', array_agg(collection_id), array_agg(id::text), array_agg(user_id))
    from old_rows where state = 'pending';
  else
    perform record_rows('invites', 'DELETE', array_agg(n.collection_id), array_agg(n.id::text), array_agg(n.user_id))
    from new_rows n join old_rows o using (id) where o.state = 'pending' and n.state <> 'pending';
    perform record_rows('invites', 'INSERT', array_agg(n.collection_id), array_agg(n.id::text), array_agg(n.user_id))
    from new_rows n join old_rows o using (id) where o.state <> 'pending' and n.state = 'pending';
    perform record_rows('invites', 'UPDATE', array_agg(n.collection_id), array_agg(n.id::text), array_agg(n.user_id))
    from new_rows n join old_rows o using (id)
    where n.state = 'pending' and o.state = 'pending'
      and (n.role, n.user_id, n.person_id, n.expires_at) is distinct from (o.role, o.user_id, o.person_id, o.expires_at);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger invites_inserted after insert on invites
  referencing new table as new_rows for each statement execute function invites_changed();
--> statement-breakpoint
create trigger invites_updated after update on invites
  referencing old table as old_rows new table as new_rows for each statement execute function invites_changed();
--> statement-breakpoint
create trigger invites_deleted after delete on invites
  referencing old table as old_rows for each statement execute function invites_changed();
--> statement-breakpoint
-- A new account, or one with a new address, finds the invitations that wait for it. A new name shows in every member list.
create function users_changed() returns trigger language plpgsql as $$
begin
  perform lock_collections(array_agg(i.collection_id)) from invites i join new_rows n on i.email = n.email where i.user_id is distinct from n.id;
  update invites i set user_id = n.id from new_rows n where i.email = n.email and i.user_id is distinct from n.id;
  if tg_op = 'UPDATE' then
    perform record_rows('members', 'UPDATE', array_agg(m.collection_id), array_agg(m.user_id))
    from new_rows n join old_rows o using (id) join members m on m.user_id = n.id
    where (n.first_name, n.last_name, n.email) is distinct from (o.first_name, o.last_name, o.email);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger users_inserted after insert on users
  referencing new table as new_rows for each statement execute function users_changed();
--> statement-breakpoint
create trigger users_updated after update on users
  referencing old table as old_rows new table as new_rows for each statement execute function users_changed();
--> statement-breakpoint
-- People are part of what a collection is: told as a change of the collection.
create function people_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_rows('collections', 'UPDATE', array_agg(collection_id), array_agg(collection_id::text)) from old_rows;
  elsif tg_op = 'INSERT' then
    perform record_rows('collections', 'UPDATE', array_agg(collection_id), array_agg(collection_id::text)) from new_rows;
  else
    perform record_rows('collections', 'UPDATE', array_agg(n.collection_id), array_agg(n.collection_id::text))
    from new_rows n join old_rows o using (id) where (n.name, n.user_id) is distinct from (o.name, o.user_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger people_inserted after insert on people
  referencing new table as new_rows for each statement execute function people_changed();
--> statement-breakpoint
create trigger people_updated after update on people
  referencing old table as old_rows new table as new_rows for each statement execute function people_changed();
--> statement-breakpoint
create trigger people_deleted after delete on people
  referencing old table as old_rows for each statement execute function people_changed();
--> statement-breakpoint
-- An item's version counts its own columns; who changes only its people or pictures raises the version in the same statement.
create function item_touched() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'version' - 'updated_at' is distinct from to_jsonb(old) - 'version' - 'updated_at' then
    new.version := old.version + 1;
  end if;
  if new.version <> old.version then new.updated_at := now(); end if;
  return new;
end $$;
--> statement-breakpoint
create trigger posts_touched before update on posts for each row execute function item_touched();
--> statement-breakpoint
create trigger assets_touched before update on assets for each row execute function item_touched();
--> statement-breakpoint
-- The share lock waits for a change of the date that is under way, whose own trigger could not see this link yet.
create function post_link_sorted() returns trigger language plpgsql as $$
begin
  select coalesce(date, '-infinity') into new.sort_at from posts where id = new.post_id for share;
  new.sort_at := coalesce(new.sort_at, '-infinity');
  return new;
end $$;
--> statement-breakpoint
create trigger post_collections_sorted before insert on post_collections for each row execute function post_link_sorted();
--> statement-breakpoint
create function asset_link_sorted() returns trigger language plpgsql as $$
begin
  select coalesce(date, '-infinity') into new.sort_at from assets where id = new.asset_id for share;
  new.sort_at := coalesce(new.sort_at, '-infinity');
  return new;
end $$;
--> statement-breakpoint
create trigger asset_collections_sorted before insert on asset_collections for each row execute function asset_link_sorted();
--> statement-breakpoint
-- Posts: an edit is told to every collection that the post is in; going to the trash and coming back are DELETE and INSERT.
create function posts_changed() returns trigger language plpgsql as $$
begin
  update post_collections l set sort_at = coalesce(n.date, '-infinity')
  from new_rows n join old_rows o using (id)
  where l.post_id = n.id and n.date is distinct from o.date;

  perform record_rows('post_collections', 'DELETE', array_agg(l.collection_id), array_agg(n.id::text))
  from new_rows n join old_rows o using (id) join post_collections l on l.post_id = n.id
  where n.deleted_at is not null and o.deleted_at is null;

  perform record_rows('post_collections', 'INSERT', array_agg(l.collection_id), array_agg(n.id::text))
  from new_rows n join old_rows o using (id) join post_collections l on l.post_id = n.id
  where n.deleted_at is null and o.deleted_at is not null;

  perform record_rows('post_collections', 'UPDATE', array_agg(l.collection_id), array_agg(n.id::text))
  from new_rows n join old_rows o using (id) join post_collections l on l.post_id = n.id
  where n.deleted_at is null and o.deleted_at is null and n.version <> o.version;
  return null;
end $$;
--> statement-breakpoint
create trigger posts_changed after update on posts
  referencing old table as old_rows new table as new_rows for each statement execute function posts_changed();
--> statement-breakpoint
-- A picture of a post is shown in the post: told to every collection of the posts that have one of these pictures.
create function record_posts_with(pictures uuid[]) returns void language plpgsql as $$
begin
  perform record_rows('post_collections', 'UPDATE', array_agg(l.collection_id), array_agg(l.post_id::text))
  from post_assets pa join posts p on p.id = pa.post_id and p.deleted_at is null join post_collections l on l.post_id = p.id
  where pa.asset_id = any(pictures) and l.xmin <> pg_current_xact_id()::xid;
end $$;
--> statement-breakpoint
create function lock_collections_of_assets(pictures uuid[]) returns void language plpgsql as $$
begin
  perform lock_collections(array(
    select collection_id from asset_collections where asset_id = any(pictures)
    union
    select l.collection_id from post_assets pa join post_collections l on l.post_id = pa.post_id where pa.asset_id = any(pictures)));
end $$;
--> statement-breakpoint
-- Assets: as posts, and an upload that becomes ready is an INSERT. Nobody hears of an unfinished one.
create function assets_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  update asset_collections l set sort_at = coalesce(n.date, '-infinity')
  from new_rows n join old_rows o using (id)
  where l.asset_id = n.id and n.date is distinct from o.date;

  select array_agg(n.id) into touched from new_rows n join old_rows o using (id)
  where n.version <> o.version and (n.status = 'ready' or o.status = 'ready');
  if touched is null then return null; end if;

  perform lock_collections_of_assets(touched);
  perform record_rows('asset_collections', 'DELETE', array_agg(l.collection_id), array_agg(n.id::text))
  from new_rows n join old_rows o using (id) join asset_collections l on l.asset_id = n.id
  where o.status = 'ready' and o.deleted_at is null and (n.status <> 'ready' or n.deleted_at is not null);

  perform record_rows('asset_collections', 'INSERT', array_agg(l.collection_id), array_agg(n.id::text))
  from new_rows n join old_rows o using (id) join asset_collections l on l.asset_id = n.id
  where n.status = 'ready' and n.deleted_at is null and (o.status <> 'ready' or o.deleted_at is not null);

  perform record_rows('asset_collections', 'UPDATE', array_agg(l.collection_id), array_agg(n.id::text))
  from new_rows n join old_rows o using (id) join asset_collections l on l.asset_id = n.id
  where n.status = 'ready' and o.status = 'ready' and n.deleted_at is null and o.deleted_at is null and n.version <> o.version;

  perform record_posts_with(touched);
  return null;
end $$;
--> statement-breakpoint
create trigger assets_changed after update on assets
  referencing old table as old_rows new table as new_rows for each statement execute function assets_changed();
--> statement-breakpoint
-- Links: only of what can be seen. The other collections of an item show the link too, so they hear of an UPDATE.
create function post_links_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct l.post_id) into touched from old_rows l join posts p on p.id = l.post_id where p.deleted_at is null;
  else
    select array_agg(distinct l.post_id) into touched from new_rows l join posts p on p.id = l.post_id where p.deleted_at is null;
  end if;
  if touched is null then return null; end if;
  if tg_op = 'DELETE' then
    perform lock_collections(array(
      select collection_id from old_rows union select collection_id from post_collections where post_id = any(touched)));
    perform record_rows('post_collections', 'DELETE', array_agg(collection_id), array_agg(post_id::text))
    from old_rows where post_id = any(touched);
  else
    perform lock_collections(array(select collection_id from post_collections where post_id = any(touched)));
    perform record_rows('post_collections', 'INSERT', array_agg(collection_id), array_agg(post_id::text))
    from new_rows where post_id = any(touched);
  end if;
  perform record_rows('post_collections', 'UPDATE', array_agg(collection_id), array_agg(post_id::text))
  from post_collections l where post_id = any(touched) and l.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
--> statement-breakpoint
create trigger post_collections_inserted after insert on post_collections
  referencing new table as new_rows for each statement execute function post_links_changed();
--> statement-breakpoint
create trigger post_collections_deleted after delete on post_collections
  referencing old table as old_rows for each statement execute function post_links_changed();
--> statement-breakpoint
create function asset_links_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct l.asset_id) into touched from old_rows l join assets a on a.id = l.asset_id
    where a.status = 'ready' and a.deleted_at is null;
  else
    select array_agg(distinct l.asset_id) into touched from new_rows l join assets a on a.id = l.asset_id
    where a.status = 'ready' and a.deleted_at is null;
  end if;
  if touched is null then return null; end if;
  if tg_op = 'DELETE' then
    perform lock_collections(array(
      select collection_id from old_rows
      union select collection_id from asset_collections where asset_id = any(touched)
      union select l.collection_id from post_assets pa join post_collections l on l.post_id = pa.post_id where pa.asset_id = any(touched)));
    perform record_rows('asset_collections', 'DELETE', array_agg(collection_id), array_agg(asset_id::text))
    from old_rows where asset_id = any(touched);
  else
    perform lock_collections_of_assets(touched);
    perform record_rows('asset_collections', 'INSERT', array_agg(collection_id), array_agg(asset_id::text))
    from new_rows where asset_id = any(touched);
  end if;
  perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text))
  from asset_collections l where asset_id = any(touched) and l.xmin <> pg_current_xact_id()::xid;
  perform record_posts_with(touched);
  return null;
end $$;
--> statement-breakpoint
create trigger asset_collections_inserted after insert on asset_collections
  referencing new table as new_rows for each statement execute function asset_links_changed();
--> statement-breakpoint
create trigger asset_collections_deleted after delete on asset_collections
  referencing old table as old_rows for each statement execute function asset_links_changed();
--> statement-breakpoint
-- Rows are deleted from the trash. Should a visible one be deleted, its links go first, while it can still be told.
create function post_deleted() returns trigger language plpgsql as $$
begin
  delete from post_collections where post_id = old.id;
  return old;
end $$;
--> statement-breakpoint
create trigger posts_deleted before delete on posts for each row when (old.deleted_at is null) execute function post_deleted();
--> statement-breakpoint
create function asset_deleted() returns trigger language plpgsql as $$
begin
  delete from asset_collections where asset_id = old.id;
  return old;
end $$;
--> statement-breakpoint
create trigger assets_deleted before delete on assets for each row
  when (old.deleted_at is null and old.status = 'ready') execute function asset_deleted();
--> statement-breakpoint
-- Pictures and people of an item belong to the item: told as its change.
create function post_parts_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if tg_op = 'DELETE' then select array_agg(distinct post_id) into touched from old_rows;
  else select array_agg(distinct post_id) into touched from new_rows; end if;
  perform record_rows('post_collections', 'UPDATE', array_agg(l.collection_id), array_agg(l.post_id::text))
  from post_collections l join posts p on p.id = l.post_id
  where l.post_id = any(touched) and p.deleted_at is null and l.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
--> statement-breakpoint
create trigger post_assets_inserted after insert on post_assets
  referencing new table as new_rows for each statement execute function post_parts_changed();
--> statement-breakpoint
create trigger post_assets_updated after update on post_assets
  referencing new table as new_rows for each statement execute function post_parts_changed();
--> statement-breakpoint
create trigger post_assets_deleted after delete on post_assets
  referencing old table as old_rows for each statement execute function post_parts_changed();
--> statement-breakpoint
create trigger post_people_inserted after insert on post_people
  referencing new table as new_rows for each statement execute function post_parts_changed();
--> statement-breakpoint
create trigger post_people_deleted after delete on post_people
  referencing old table as old_rows for each statement execute function post_parts_changed();
--> statement-breakpoint
create function asset_people_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if tg_op = 'DELETE' then select array_agg(distinct asset_id) into touched from old_rows;
  else select array_agg(distinct asset_id) into touched from new_rows; end if;
  perform record_rows('asset_collections', 'UPDATE', array_agg(l.collection_id), array_agg(l.asset_id::text))
  from asset_collections l join assets a on a.id = l.asset_id
  where l.asset_id = any(touched) and a.status = 'ready' and a.deleted_at is null and l.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
--> statement-breakpoint
create trigger asset_people_inserted after insert on asset_people
  referencing new table as new_rows for each statement execute function asset_people_changed();
--> statement-breakpoint
create trigger asset_people_deleted after delete on asset_people
  referencing old table as old_rows for each statement execute function asset_people_changed();
