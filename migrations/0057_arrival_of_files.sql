-- As before (0038_groups.sql), but a file is added when it has arrived: nobody was told of one whose upload took longer than the time after which
-- they are told.
create or replace function assets_changed() returns trigger language plpgsql as $$
declare
  refiled uuid[];
  touched uuid[];
  gone uuid[];
  come uuid[];
  edited uuid[];
  learned uuid[];
  arrived uuid[];
begin
  select array_agg(id) filter (where moved), array_agg(id) filter (where rewritten and ready), array_agg(id) filter (where was and not shown),
    array_agg(id) filter (where shown and not was), array_agg(id) filter (where shown and was and rewritten), array_agg(id) filter (where known),
    array_agg(id) filter (where complete and not was_complete)
  into refiled, touched, gone, come, edited, learned, arrived
  from (
    select id, bool_or(live) filter (where not fresh) as was, bool_or(live) filter (where fresh) as shown, bool_or(ready) as ready,
      bool_or(ready) filter (where fresh) as complete, bool_or(ready) filter (where not fresh) as was_complete,
      min(version) <> max(version) as rewritten,
      min(moment) <> max(moment) or min(zone) <> max(zone) or bool_or(live) <> bool_and(live) as moved,
      min(shot) <> max(shot) or (bool_or(dated) filter (where fresh) and not bool_or(dated) filter (where not fresh)) as known
    from (
      select id, true as fresh, status = 'ready' as ready, status = 'ready' and deleted_at is null as live, version,
        coalesce(date, '-infinity') as moment, coalesce(date_zone, '') as zone, coalesce(content_id, '') as shot, date is not null as dated
      from new_rows
      union all
      select id, false, status = 'ready', status = 'ready' and deleted_at is null, version, coalesce(date, '-infinity'), coalesce(date_zone, ''),
        coalesce(content_id, ''), date is not null
      from old_rows
    ) both_rows group by id
  ) item;

  if refiled is not null then
    perform lock_collections_of_assets(refiled);
    update asset_collections l
    set sort_at = coalesce(a.date, '-infinity'), month = month_of(a.date, a.date_zone), live = a.deleted_at is null and a.status = 'ready',
      added_at = case when l.asset_id = any(arrived) then clock_timestamp() else l.added_at end
    from assets a where l.asset_id = any(refiled) and a.id = l.asset_id;
  end if;
  if learned is not null then
    perform lock_collections_of_assets(learned);
    update asset_collections set parts_sought = 0 where asset_id = any(learned) and parts_sought = 1;
  end if;
  if touched is null then return null; end if;

  perform lock_collections_of_assets(touched);
  perform record_rows('asset_collections', 'DELETE', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(gone);
  perform record_rows('asset_collections', 'INSERT', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(come);
  perform record_rows('asset_collections', 'UPDATE', array_agg(collection_id), array_agg(asset_id::text)) from asset_collections where asset_id = any(edited);
  perform record_posts_with(touched);
  return null;
end $$;
