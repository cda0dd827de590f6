-- Who wrote an imported comment, or left an imported reaction, where it comes from, as text. It names no account and gives no rights. Several people's
-- reactions that one user imported may be the same emoji.
DROP INDEX "reactions_post";--> statement-breakpoint
DROP INDEX "reactions_asset";--> statement-breakpoint
DROP INDEX "reactions_comment";--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "original_author" text;--> statement-breakpoint
ALTER TABLE "reactions" ADD COLUMN "original_author" text;--> statement-breakpoint
CREATE UNIQUE INDEX "reactions_post" ON "reactions" USING btree ("post_id","collection_id","user_id","emoji",coalesce(original_author, '')) WHERE post_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reactions_asset" ON "reactions" USING btree ("asset_id","collection_id","user_id","emoji",coalesce(original_author, '')) WHERE asset_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reactions_comment" ON "reactions" USING btree ("comment_id","user_id","emoji",coalesce(original_author, '')) WHERE comment_id is not null;
--> statement-breakpoint
-- As before (0045_guests_answer.sql), with the new columns.
create or replace view guest.comments as
  select s.* from public.comments s
  where s.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and exists (select from guest.answering)
    and (exists (select from guest.post_collections l where l.post_id = s.post_id) or exists (select from guest.asset_collections l where l.asset_id = s.asset_id));
--> statement-breakpoint
create or replace view guest.reactions as
  select r.* from public.reactions r
  where r.collection_id = nullif(current_setting('cairn.collection', true), '')::uuid and exists (select from guest.answering)
    and (exists (select from guest.post_collections l where l.post_id = r.post_id) or exists (select from guest.asset_collections l where l.asset_id = r.asset_id)
      or exists (select from guest.comments s where s.id = r.comment_id));
