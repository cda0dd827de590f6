ALTER TABLE "links" ADD COLUMN "preview" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
create or replace view guest.link as
  select l.* from public.links l where l.id = nullif(current_setting('cairn.link', true), '')::uuid;
