-- A publisher takes unpublished changes for a few seconds; when it dies, the next one finds them again.
ALTER TABLE "changes" ADD COLUMN "claimed_until" timestamp with time zone;
