CREATE TABLE "refreshes" (
	"key" text PRIMARY KEY NOT NULL,
	"claim" text NOT NULL,
	"claimed_until" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'claimed' NOT NULL,
	"sealed" text,
	CONSTRAINT "refreshes_state" CHECK ("refreshes"."state" in ('claimed', 'failed', 'done', 'refused', 'ended')),
	CONSTRAINT "refreshes_sealed" CHECK (("refreshes"."sealed" is not null) = ("refreshes"."state" = 'done'))
);
--> statement-breakpoint
CREATE INDEX "refreshes_claimed" ON "refreshes" USING btree ("claimed_until");