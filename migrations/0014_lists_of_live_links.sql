-- Lists read live links alone: a trash of thousands that is newer than all else costs the first page nothing.
DROP INDEX "asset_collections_list";--> statement-breakpoint
DROP INDEX "post_collections_list";--> statement-breakpoint
CREATE INDEX "asset_collections_list" ON "asset_collections" USING btree ("collection_id","sort_at" DESC NULLS LAST,"asset_id" DESC NULLS LAST) WHERE live;--> statement-breakpoint
CREATE INDEX "post_collections_list" ON "post_collections" USING btree ("collection_id","sort_at" DESC NULLS LAST,"post_id" DESC NULLS LAST) WHERE live;