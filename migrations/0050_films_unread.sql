DROP INDEX "assets_unread";--> statement-breakpoint
CREATE INDEX "assets_unread" ON "assets" USING btree ("created_at") WHERE metadata_read is null and status = 'ready' and deleted_at is null and version > 1
        and (type in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'image/avif', 'image/tiff', 'image/jxl')
          or type like 'video/%');