-- Who made an imported item where it comes from, as text. It names no account and gives no rights.
ALTER TABLE "assets" ADD COLUMN "original_author" text;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "original_author" text;