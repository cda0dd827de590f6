DROP INDEX "assets_one_per_file";--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "copy" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "assets_one_per_file" ON "assets" USING btree ("user_id","checksum","copy") WHERE status = 'ready' and deleted_at is null;