-- Objects in storage that had no row when they were compared with the rows, and since when: they are removed only days later.
CREATE TABLE "orphans" (
	"key" text PRIMARY KEY NOT NULL,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- One row: the id by which the bucket knows its own database. A backup contains it.
CREATE TABLE "site" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL
);
--> statement-breakpoint
insert into "site" default values;
