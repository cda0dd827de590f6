-- Secret addresses of calendars: one for each member of a collection. A request finds its link by the hash; leaving takes the link away.
CREATE TABLE "calendar_links" (
	"collection_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"hash" text NOT NULL,
	"notes" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "calendar_links_collection_id_user_id_pk" PRIMARY KEY("collection_id","user_id"),
	CONSTRAINT "calendar_links_hash" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "calendar_links" ADD CONSTRAINT "calendar_links_member" FOREIGN KEY ("collection_id","user_id") REFERENCES "public"."members"("collection_id","user_id") ON DELETE cascade ON UPDATE no action;
