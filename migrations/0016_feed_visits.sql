-- Up to when each person has seen the feed, so that what is new is new on all of their devices alike.
CREATE TABLE "feed_visits" (
	"user_id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "feed_visits" ADD CONSTRAINT "feed_visits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;