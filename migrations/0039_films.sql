-- Playable films of assets. What they take counts as the asset itself does (0028_quotas.sql), from the begin of their upload: for the author, and in each
-- collection of the asset, whose link has the bytes of both.
CREATE TABLE "films" (
	"id" uuid PRIMARY KEY NOT NULL,
	"asset_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"ready" boolean DEFAULT false NOT NULL,
	"type" text NOT NULL,
	"size" bigint NOT NULL,
	"checksum" text NOT NULL,
	"r2_upload_id" text,
	"part_size" integer NOT NULL,
	"parts" integer NOT NULL,
	"received" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "films_asset" UNIQUE("asset_id","ready"),
	CONSTRAINT "films_size" CHECK ("films"."size" > 0)
);
--> statement-breakpoint
ALTER TABLE "films" ADD CONSTRAINT "films_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "films_unfinished" ON "films" USING btree ("created_at") WHERE not ready;
--> statement-breakpoint
-- Writers have locked the account, then the asset, before.
create function films_counted() returns trigger language plpgsql as $$
declare
  sign int := case tg_op when 'INSERT' then 1 else -1 end;
  used record;
begin
  for used in
    update account_usage u set bytes = u.bytes + sign * f.bytes
    from (select user_id, sum(size) as bytes from changed group by user_id) f where u.user_id = f.user_id returning u.user_id, u.bytes, u.items
  loop
    if sign > 0 then perform require_quota('account', used.user_id, used.bytes, used.items); end if;
  end loop;
  perform lock_collections(array(select l.collection_id from changed f join asset_collections l on l.asset_id = f.asset_id));
  for used in
    with linked as (
      update asset_collections l set bytes = l.bytes + sign * f.bytes
      from (select asset_id, sum(size) as bytes from changed group by asset_id) f where l.asset_id = f.asset_id returning l.collection_id, f.bytes
    )
    update collections c set stored_bytes = c.stored_bytes + sign * l.bytes
    from (select collection_id, sum(bytes) as bytes from linked group by collection_id) l
    where c.id = l.collection_id returning c.id::text, c.name, c.stored_bytes, c.stored_items
  loop
    if sign > 0 then perform require_quota('collection', used.id, used.stored_bytes, used.stored_items, used.name); end if;
  end loop;
  return null;
end $$;
--> statement-breakpoint
create trigger films_usage_grown after insert on films
  referencing new table as changed for each statement execute function films_counted();
--> statement-breakpoint
create trigger films_usage_shrunk after delete on films
  referencing old table as changed for each statement execute function films_counted();
--> statement-breakpoint
-- As before (0028_quotas.sql), with the asset's films. They are added up after the lock, so that none that begins meanwhile is missed.
create or replace function asset_link_sorted() returns trigger language plpgsql as $$
begin
  select coalesce(date, '-infinity'), month_of(date, date_zone), deleted_at is null and status = 'ready', size
  into new.sort_at, new.month, new.live, new.bytes from assets where id = new.asset_id for share;
  new.sort_at := coalesce(new.sort_at, '-infinity');
  new.live := coalesce(new.live, false);
  new.bytes := coalesce(new.bytes, 0) + coalesce((select sum(size) from films where asset_id = new.asset_id), 0);
  return new;
end $$;
