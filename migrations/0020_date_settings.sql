-- How a person writes dates and times. Null: as their browser does.
ALTER TABLE "users" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "region" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "hours" smallint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "first_day" smallint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "time_zone" text;
