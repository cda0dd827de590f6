-- The same checksums as before. A regular expression that counts to 64 took a third of every update of an asset.
ALTER TABLE "assets" DROP CONSTRAINT "assets_checksum";--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_checksum" CHECK (length("assets"."checksum") = 64 and "assets"."checksum" ~ '^[0-9a-f]*$');
--> statement-breakpoint
-- An item's version counts its own columns, whichever they are: the row as a whole is compared, without the columns that are kept here. As before
-- (0002_triggers.sql, 0033_file_version.sql), but without a JSON text of both rows for each row, which took a quarter of a bulk edit.
create or replace function item_touched() returns trigger language plpgsql as $$
declare
  same posts := old;
begin
  same.version := new.version;
  same.updated_at := new.updated_at;
  if new is distinct from same then new.version := old.version + 1; end if;
  if new.version <> old.version then new.updated_at := now(); end if;
  return new;
end $$;
--> statement-breakpoint
create or replace function asset_touched() returns trigger language plpgsql as $$
declare
  same assets := old;
begin
  same.version := new.version;
  same.file_version := new.file_version;
  same.updated_at := new.updated_at;
  if new is distinct from same then new.version := old.version + 1; end if;
  if new.version <> old.version then new.updated_at := now(); end if;
  if (new.status, new.checksum, new.renditions, new.file_version) is distinct from (old.status, old.checksum, old.renditions, old.file_version) then
    new.file_version := new.version;
  else
    new.file_version := coalesce(old.file_version, old.version);
  end if;
  return new;
end $$;
