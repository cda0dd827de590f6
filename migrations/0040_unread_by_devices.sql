-- The few files that their author's device may still read, so that asking for them takes nothing from those who have none (queries/metadata.ts).
CREATE INDEX "assets_for_device" ON "assets" USING btree ("user_id","id") WHERE status = 'ready' and deleted_at is null and coalesce(metadata_read, 0) < 2 and (
        ((type like 'image/%' or type like 'video/%') and type <> 'image/svg+xml' and not renditions ?& '{thumb,preview}')
        or (type like 'video/%' and (metadata_read is null or width is null or duration is null))
        or (type like 'image/x-%' and metadata_read is null) or metadata_read < 0);
