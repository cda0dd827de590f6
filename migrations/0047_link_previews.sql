ALTER TABLE "links" ADD COLUMN "preview" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
-- Nobody has asked the makers of those that exist.
update "links" set "preview" = false;
--> statement-breakpoint
create or replace view guest.link as
  select l.* from public.links l where l.id = nullif(current_setting('cairn.link', true), '')::uuid;
