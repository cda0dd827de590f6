-- Links say which posts are events, so that a calendar reads as many of them as it shows, however many notes lie between.
ALTER TABLE "post_collections" ADD COLUMN "event" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
update post_collections l set event = true from posts p where p.id = l.post_id and p.type = 'event';
--> statement-breakpoint
CREATE INDEX "post_collections_events" ON "post_collections" USING btree ("collection_id","sort_at" DESC NULLS LAST,"post_id" DESC NULLS LAST) WHERE live and event;
--> statement-breakpoint
-- The share lock waits for a change of the item that is under way, whose own trigger could not see this link yet.
create or replace function post_link_sorted() returns trigger language plpgsql as $$
begin
  select coalesce(date, '-infinity'), month_of(date, date_zone), deleted_at is null, type = 'event'
  into new.sort_at, new.month, new.live, new.event from posts where id = new.post_id for share;
  new.sort_at := coalesce(new.sort_at, '-infinity');
  new.live := coalesce(new.live, false);
  new.event := coalesce(new.event, false);
  return new;
end $$;
--> statement-breakpoint
-- Also keeps what the links say of their item: sort key, month, whether it can be seen, and whether it is an event.
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
      min(moment) <> max(moment) or min(zone) <> max(zone) or min(type) <> max(type) or bool_or(live) <> bool_and(live) as moved
    from (
      select id, type, true as fresh, deleted_at is null as live, version, coalesce(date, '-infinity') as moment, coalesce(date_zone, '') as zone
      from new_rows
      union all
      select id, type, false, deleted_at is null, version, coalesce(date, '-infinity'), coalesce(date_zone, '') from old_rows
    ) both_rows group by id
  ) item;

  if refiled is not null then
    update post_collections l
    set sort_at = coalesce(p.date, '-infinity'), month = month_of(p.date, p.date_zone), live = p.deleted_at is null,
      event = p.type = 'event'
    from posts p where l.post_id = any(refiled) and p.id = l.post_id;
  end if;
  perform record_rows('post_collections', 'DELETE', array_agg(collection_id), array_agg(post_id::text)) from post_collections where post_id = any(gone);
  perform record_rows('post_collections', 'INSERT', array_agg(collection_id), array_agg(post_id::text)) from post_collections where post_id = any(come);
  perform record_rows('post_collections', 'UPDATE', array_agg(collection_id), array_agg(post_id::text)) from post_collections where post_id = any(edited);
  return null;
end $$;
