-- Photos that came without renditions or thumbhash, with those of before, and pictures of people.
CREATE TABLE "missing_renditions" (
	"asset_id" uuid PRIMARY KEY NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "avatar" text;--> statement-breakpoint
ALTER TABLE "missing_renditions" ADD CONSTRAINT "missing_renditions_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "missing_renditions_due" ON "missing_renditions" USING btree ("due_at");--> statement-breakpoint
insert into missing_renditions (asset_id) select id from assets
where status = 'ready' and type ~ '^image/(jpeg|png|gif|webp|avif|heic|heif)$' and (thumbhash is null or not renditions ?& '{thumb,preview}');
