-- A trigger's plans are kept for the connection, and most were made for one row: joining the old and the new rows, or a long list with
-- what was told before, then compares each with each. So rows are brought together by sorting and grouping, which no plan makes slow, and
-- whether an item can be seen is read from its links.

create or replace function record_rows(what text, kind text, at uuid[], moved text[], who text[] default null) returns void
language plpgsql as $$
begin
  if at is null then return; end if;
  perform lock_collections(at);
  with fresh as (
    select c, array_agg(distinct i) as ids, coalesce(array_agg(distinct u) filter (where u is not null), '{}') as users
    from (
      select c, i, u, mine, first_value(event) over (partition by c, i order by revision desc nulls last) as told
      from (
        select c, i, u, true as mine, null::text as event, null::bigint as revision from unnest(at, moved, who) r (c, i, u)
        union all
        select ch.collection_id, told_id, null, false, ch.event, ch.revision
        from collections c
        join changes ch on ch.collection_id = c.id and ch.revision > c.revision - 16 and ch.table_name = what
        cross join unnest(ch.ids) told_id
        where c.id = any(at) and ch.xmin = pg_current_xact_id()::xid
      ) every_row
    ) one_row
    where mine and (told is null or (told <> kind and not (told = 'INSERT' and kind = 'UPDATE')))
    group by c
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
-- Also keeps what the links say of their item: sort key, month, and whether it can be seen.
create or replace function posts_changed() returns trigger language plpgsql as $$
declare
  refiled uuid[];
  gone uuid[];
  come uuid[];
  edited uuid[];
begin
  select array_agg(id) filter (where moved), array_agg(id) filter (where was and not shown),
    array_agg(id) filter (where shown and not was), array_agg(id) filter (where shown and was and rewritten)
  into refiled, gone, come, edited
  from (
    select id, bool_or(live) filter (where not fresh) as was, bool_or(live) filter (where fresh) as shown,
      min(version) <> max(version) as rewritten,
      min(moment) <> max(moment) or min(zone) <> max(zone) or bool_or(live) <> bool_and(live) as moved
    from (
      select id, true as fresh, deleted_at is null as live, version, coalesce(date, '-infinity') as moment, coalesce(date_zone, '') as zone
      from new_rows
      union all
      select id, false, deleted_at is null, version, coalesce(date, '-infinity'), coalesce(date_zone, '') from old_rows
    ) both_rows group by id
  ) item;

  if refiled is not null then
    update post_collections l
    set sort_at = coalesce(p.date, '-infinity'), month = month_of(p.date, p.date_zone), live = p.deleted_at is null
    from posts p where l.post_id = any(refiled) and p.id = l.post_id;
  end if;
  perform record_rows('post_collections', 'DELETE', array_agg(collection_id), array_agg(post_id::text)) from post_collections where post_id = any(gone);
  perform record_rows('post_collections', 'INSERT', array_agg(collection_id), array_agg(post_id::text)) from post_collections where post_id = any(come);
  perform record_rows('post_collections', 'UPDATE', array_agg(collection_id), array_agg(post_id::text)) from post_collections where post_id = any(edited);
  return null;
end $$;
--> statement-breakpoint
create or replace function assets_changed() returns trigger language plpgsql as $$
declare
  refiled uuid[];
  touched uuid[];
  gone uuid[];
  come uuid[];
  edited uuid[];
begin
  select array_agg(id) filter (where moved), array_agg(id) filter (where rewritten and ready), array_agg(id) filter (where was and not shown),
    array_agg(id) filter (where shown and not was), array_agg(id) filter (where shown and was and rewritten)
  into refiled, touched, gone, come, edited
  from (
    select id, bool_or(live) filter (where not fresh) as was, bool_or(live) filter (where fresh) as shown, bool_or(ready) as ready,
      min(version) <> max(version) as rewritten,
      min(moment) <> max(moment) or min(zone) <> max(zone) or bool_or(live) <> bool_and(live) as moved
    from (
      select id, true as fresh, status = 'ready' as ready, status = 'ready' and deleted_at is null as live, version,
        coalesce(date, '-infinity') as moment, coalesce(date_zone, '') as zone
      from new_rows
      union all
      select id, false, status = 'ready', status = 'ready' and deleted_at is null, version, coalesce(date, '-infinity'), coalesce(date_zone, '')
      from old_rows
    ) both_rows group by id
  ) item;

  if refiled is not null then
    update asset_collections l
    set sort_at = coalesce(a.date, '-infinity'), month = month_of(a.date, a.date_zone), live = a.deleted_at is null and a.status = 'ready'
    from assets a where l.asset_id = any(refiled) and a.id = l.asset_id;
  end if;
  if touched is null then return null; end if;

  perform lock_collections_of_assets(touched);
  perform record_rows('asset_collections', 'DELETE', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(gone);
  perform record_rows('asset_collections', 'INSERT', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(come);
  perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(edited);
  perform record_posts_with(touched);
  return null;
end $$;
--> statement-breakpoint
drop trigger posts_refiled on posts;
--> statement-breakpoint
drop function post_refiled();
--> statement-breakpoint
drop trigger assets_refiled on assets;
--> statement-breakpoint
drop function asset_refiled();
--> statement-breakpoint
create or replace function record_posts_with(pictures uuid[]) returns void language plpgsql as $$
begin
  perform record_rows('post_collections', 'UPDATE', array_agg(l.collection_id), array_agg(l.post_id::text))
  from post_assets pa join post_collections l on l.post_id = pa.post_id
  where pa.asset_id = any(pictures) and l.live and l.xmin <> pg_current_xact_id()::xid;
end $$;
--> statement-breakpoint
create or replace function post_links_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if tg_op = 'DELETE' then select array_agg(distinct post_id) into touched from old_rows where live;
  else select array_agg(distinct post_id) into touched from new_rows where live; end if;
  if touched is null then return null; end if;
  if tg_op = 'DELETE' then
    perform lock_collections(array(
      select collection_id from old_rows union select collection_id from post_collections where post_id = any(touched)));
    perform record_rows('post_collections', 'DELETE', array_agg(collection_id), array_agg(post_id::text)) from old_rows where live;
  else
    perform lock_collections(array(select collection_id from post_collections where post_id = any(touched)));
    perform record_rows('post_collections', 'INSERT', array_agg(collection_id), array_agg(post_id::text)) from new_rows where live;
  end if;
  perform record_rows('post_collections', 'UPDATE', array_agg(collection_id), array_agg(post_id::text))
  from post_collections l where post_id = any(touched) and l.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
--> statement-breakpoint
create or replace function asset_links_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if tg_op = 'DELETE' then select array_agg(distinct asset_id) into touched from old_rows where live;
  else select array_agg(distinct asset_id) into touched from new_rows where live; end if;
  if touched is null then return null; end if;
  if tg_op = 'DELETE' then
    perform lock_collections(array(
      select collection_id from old_rows
      union select collection_id from asset_collections where asset_id = any(touched)
      union select l.collection_id from post_assets pa join post_collections l on l.post_id = pa.post_id where pa.asset_id = any(touched)));
    perform record_rows('asset_collections', 'DELETE', array_agg(collection_id), array_agg(asset_id::text)) from old_rows where live;
  else
    perform lock_collections_of_assets(touched);
    perform record_rows('asset_collections', 'INSERT', array_agg(collection_id), array_agg(asset_id::text)) from new_rows where live;
  end if;
  perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text))
  from asset_collections l where asset_id = any(touched) and l.xmin <> pg_current_xact_id()::xid;
  perform record_posts_with(touched);
  return null;
end $$;
--> statement-breakpoint
create or replace function post_parts_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if tg_op = 'DELETE' then select array_agg(distinct post_id) into touched from old_rows;
  else select array_agg(distinct post_id) into touched from new_rows; end if;
  perform record_rows('post_collections', 'UPDATE', array_agg(collection_id), array_agg(post_id::text))
  from post_collections l where post_id = any(touched) and live and l.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
--> statement-breakpoint
create or replace function asset_people_changed() returns trigger language plpgsql as $$
declare
  touched uuid[];
begin
  if tg_op = 'DELETE' then select array_agg(distinct asset_id) into touched from old_rows;
  else select array_agg(distinct asset_id) into touched from new_rows; end if;
  perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text))
  from asset_collections l where asset_id = any(touched) and live and l.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
