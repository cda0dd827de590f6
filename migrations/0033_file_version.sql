-- The version at which an asset's file or a rendition last changed: URLs of pictures contain it, so that other edits load none anew. Null means the
-- current version, so that no row has to be written here.
ALTER TABLE "assets" ADD COLUMN "file_version" integer;--> statement-breakpoint
-- Replaces item_touched for assets. A writer that sets another file_version gets the new version in it.
create function asset_touched() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'version' - 'file_version' - 'updated_at' is distinct from to_jsonb(old) - 'version' - 'file_version' - 'updated_at' then
    new.version := old.version + 1;
  end if;
  if new.version <> old.version then new.updated_at := now(); end if;
  if (new.status, new.checksum, new.renditions, new.file_version) is distinct from (old.status, old.checksum, old.renditions, old.file_version) then
    new.file_version := new.version;
  else
    new.file_version := coalesce(old.file_version, old.version);
  end if;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger assets_touched before update on assets for each row execute function asset_touched();
