-- Which reader has read date, place and caption in the file of an asset. Null is for none, so that no row has to be written here: the minute's task reads
-- the photos that are here already, a few at a time (queries/metadata.ts).
ALTER TABLE "assets" ADD COLUMN "metadata_read" smallint;--> statement-breakpoint
CREATE INDEX "assets_unread" ON "assets" USING btree ("created_at") WHERE metadata_read is null and status = 'ready' and deleted_at is null and version > 1
        and type in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'image/avif', 'image/tiff', 'image/jxl');
--> statement-breakpoint
-- As before (0035_cheaper_updates.sql), but which reader has read the file is no change of the asset, and what a person has changed is read by none any
-- more: not even a later rendition, which raises file_version, makes it look as uploaded.
create or replace function asset_touched() returns trigger language plpgsql as $$
declare
  same assets := old;
begin
  if (new.alt, new.date, new.date_zone, new.date_precision, new.lat, new.lon, new.place_name)
      is distinct from (old.alt, old.date, old.date_zone, old.date_precision, old.lat, old.lon, old.place_name) then
    new.metadata_read := coalesce(new.metadata_read, 0);
  end if;
  same.version := new.version;
  same.file_version := new.file_version;
  same.updated_at := new.updated_at;
  same.metadata_read := new.metadata_read;
  if new is distinct from same then new.version := old.version + 1; end if;
  if new.version <> old.version then new.updated_at := now(); end if;
  if (new.status, new.checksum, new.renditions, new.file_version) is distinct from (old.status, old.checksum, old.renditions, old.file_version) then
    new.file_version := new.version;
  else
    new.file_version := coalesce(old.file_version, old.version);
  end if;
  return new;
end $$;
