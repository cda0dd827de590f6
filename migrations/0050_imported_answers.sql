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