CREATE TABLE "asset_collections" (
	"collection_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sort_at" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	"asset_id" uuid NOT NULL,
	CONSTRAINT "asset_collections_collection_id_asset_id_pk" PRIMARY KEY("collection_id","asset_id")
);
--> statement-breakpoint
CREATE TABLE "asset_people" (
	"asset_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	CONSTRAINT "asset_people_asset_id_person_id_pk" PRIMARY KEY("asset_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"status" text DEFAULT 'uploading' NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size" bigint NOT NULL,
	"checksum" text NOT NULL,
	"width" integer,
	"height" integer,
	"duration" double precision,
	"thumbhash" text,
	"alt" text,
	"renditions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"date" timestamp with time zone,
	"date_zone" text,
	"date_precision" text DEFAULT 'unknown' NOT NULL,
	"lat" double precision,
	"lon" double precision,
	"place_name" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "assets_status" CHECK ("assets"."status" in ('uploading', 'ready')),
	CONSTRAINT "assets_checksum" CHECK ("assets"."checksum" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "assets_size" CHECK ("assets"."size" > 0),
	CONSTRAINT "assets_date" CHECK (("assets"."date" is null) = ("assets"."date_precision" = 'unknown')),
	CONSTRAINT "assets_precision" CHECK ("assets"."date_precision" in ('minute', 'day', 'month', 'year', 'unknown')),
	CONSTRAINT "assets_place" CHECK (("assets"."lat" is null) = ("assets"."lon" is null) and "assets"."lat" between -90 and 90 and "assets"."lon" between -180 and 180)
);
--> statement-breakpoint
CREATE TABLE "changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"collection_id" uuid NOT NULL,
	"revision" bigint NOT NULL,
	"table_name" text NOT NULL,
	"event" text NOT NULL,
	"ids" text[] NOT NULL,
	"user_ids" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"user_id" text NOT NULL,
	"icon" text DEFAULT 'default' NOT NULL,
	"theme" jsonb,
	"revision" bigint DEFAULT 0 NOT NULL,
	"post_count" integer DEFAULT 0 NOT NULL,
	"asset_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "collections_name" CHECK (length("collections"."name") between 1 and 400)
);
--> statement-breakpoint
CREATE TABLE "edits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"action" text NOT NULL,
	"before" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "invites" (
	"id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"email" "citext" NOT NULL,
	"user_id" text,
	"role" text NOT NULL,
	"person_id" uuid,
	"invited_by" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invites_one_per_address" UNIQUE("collection_id","email"),
	CONSTRAINT "invites_role" CHECK ("invites"."role" in ('read', 'write', 'admin')),
	CONSTRAINT "invites_state" CHECK ("invites"."state" in ('pending', 'accepted', 'declined', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "members" (
	"collection_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"joined_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_collection_id_user_id_pk" PRIMARY KEY("collection_id","user_id"),
	CONSTRAINT "members_role" CHECK ("members"."role" in ('read', 'write', 'admin', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"name" text NOT NULL,
	"user_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "people_id_collection" UNIQUE("id","collection_id"),
	CONSTRAINT "people_name" CHECK (length("people"."name") between 1 and 400)
);
--> statement-breakpoint
CREATE TABLE "post_assets" (
	"post_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	CONSTRAINT "post_assets_post_id_asset_id_pk" PRIMARY KEY("post_id","asset_id")
);
--> statement-breakpoint
CREATE TABLE "post_collections" (
	"collection_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sort_at" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	"post_id" uuid NOT NULL,
	CONSTRAINT "post_collections_collection_id_post_id_pk" PRIMARY KEY("collection_id","post_id")
);
--> statement-breakpoint
CREATE TABLE "post_people" (
	"post_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	CONSTRAINT "post_people_post_id_person_id_pk" PRIMARY KEY("post_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"type" text NOT NULL,
	"kind" text,
	"title" text NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"date" timestamp with time zone,
	"date_zone" text,
	"date_precision" text DEFAULT 'unknown' NOT NULL,
	"lat" double precision,
	"lon" double precision,
	"place_name" text,
	"ends_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "posts_type" CHECK ("posts"."type" in ('event', 'note')),
	CONSTRAINT "posts_date" CHECK (("posts"."date" is null) = ("posts"."date_precision" = 'unknown')),
	CONSTRAINT "posts_precision" CHECK ("posts"."date_precision" in ('minute', 'day', 'month', 'year', 'unknown')),
	CONSTRAINT "posts_end" CHECK ("posts"."ends_at" is null or "posts"."ends_at" >= "posts"."date"),
	CONSTRAINT "posts_place" CHECK (("posts"."lat" is null) = ("posts"."lon" is null) and "posts"."lat" between -90 and 90 and "posts"."lon" between -180 and 180)
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"asset_id" uuid PRIMARY KEY NOT NULL,
	"r2_upload_id" text,
	"part_size" integer NOT NULL,
	"parts" integer NOT NULL,
	"received" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" "citext" NOT NULL,
	"first_name" text,
	"last_name" text,
	"theme" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_key" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "asset_collections" ADD CONSTRAINT "asset_collections_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_collections" ADD CONSTRAINT "asset_collections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_collections" ADD CONSTRAINT "asset_collections_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_people" ADD CONSTRAINT "asset_people_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_people" ADD CONSTRAINT "asset_people_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edits" ADD CONSTRAINT "edits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_person_fk" FOREIGN KEY ("person_id","collection_id") REFERENCES "public"."people"("id","collection_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_assets" ADD CONSTRAINT "post_assets_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_assets" ADD CONSTRAINT "post_assets_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_collections" ADD CONSTRAINT "post_collections_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_collections" ADD CONSTRAINT "post_collections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_collections" ADD CONSTRAINT "post_collections_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_people" ADD CONSTRAINT "post_people_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_people" ADD CONSTRAINT "post_people_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "asset_collections_list" ON "asset_collections" USING btree ("collection_id","sort_at" DESC NULLS LAST,"asset_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "asset_collections_asset" ON "asset_collections" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "asset_collections_user" ON "asset_collections" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "asset_people_person" ON "asset_people" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "assets_user_date" ON "assets" USING btree ("user_id",coalesce(date, '-infinity') desc,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "assets_deleted" ON "assets" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "assets_one_per_file" ON "assets" USING btree ("user_id","checksum") WHERE status = 'ready' and deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "changes_log" ON "changes" USING btree ("collection_id","revision");--> statement-breakpoint
CREATE INDEX "changes_outbox" ON "changes" USING btree ("id") WHERE published_at is null;--> statement-breakpoint
CREATE INDEX "changes_created" ON "changes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "collections_user" ON "collections" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "edits_user" ON "edits" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "edits_created" ON "edits" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "invites_email" ON "invites" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invites_user" ON "invites" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invites_invited_by" ON "invites" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "invites_person" ON "invites" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "members_one_owner" ON "members" USING btree ("collection_id") WHERE role = 'owner';--> statement-breakpoint
CREATE INDEX "people_user" ON "people" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_one_per_user" ON "people" USING btree ("collection_id","user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "post_assets_asset" ON "post_assets" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "post_collections_list" ON "post_collections" USING btree ("collection_id","sort_at" DESC NULLS LAST,"post_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "post_collections_post" ON "post_collections" USING btree ("post_id");--> statement-breakpoint
CREATE INDEX "post_collections_user" ON "post_collections" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "post_people_person" ON "post_people" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "posts_user_date" ON "posts" USING btree ("user_id",coalesce(date, '-infinity') desc,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "posts_deleted" ON "posts" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "uploads_created" ON "uploads" USING btree ("created_at");