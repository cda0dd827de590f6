-- Tries of what is limited (sign-in, sign-up, forgotten password), by hashed key in fixed windows.
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"resets_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- The sweep removes windows that have passed.
CREATE INDEX "rate_limits_resets" ON "rate_limits" USING btree ("resets_at");
