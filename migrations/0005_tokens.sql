-- Personal access tokens of scripts. A request finds its token by the hash.
CREATE TABLE "tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"hash" text NOT NULL,
	"verified_email" "citext",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "tokens_hash" UNIQUE("hash"),
	CONSTRAINT "tokens_scope" CHECK ("tokens"."scope" in ('read', 'write')),
	CONSTRAINT "tokens_name" CHECK (length("tokens"."name") between 1 and 400)
);
--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- A person's own list, and the limit on how many there are.
CREATE INDEX "tokens_user" ON "tokens" USING btree ("user_id","id");