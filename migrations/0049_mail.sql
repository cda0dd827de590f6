CREATE TABLE "mail_addresses" (
	"collection_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_addresses_secret" UNIQUE("secret")
);
--> statement-breakpoint
CREATE TABLE "weekly_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"user_id" text,
	"guest_id" uuid,
	"verified_email" "citext",
	"time_zone" text,
	"due_at" timestamp with time zone NOT NULL,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "weekly_mails_guest" UNIQUE("guest_id"),
	CONSTRAINT "weekly_mails_member" UNIQUE("collection_id","user_id"),
	CONSTRAINT "weekly_mails_reader" CHECK (num_nonnulls("weekly_mails"."user_id", "weekly_mails"."guest_id") = 1 and num_nulls("weekly_mails"."user_id", "weekly_mails"."verified_email") <> 1)
);
--> statement-breakpoint
ALTER TABLE "guests" ADD COLUMN "email" "citext";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "verified_email" "citext";--> statement-breakpoint
ALTER TABLE "mail_addresses" ADD CONSTRAINT "mail_addresses_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "weekly_mails" ADD CONSTRAINT "weekly_mails_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "weekly_mails" ADD CONSTRAINT "weekly_mails_guest_id_guests_id_fk" FOREIGN KEY ("guest_id") REFERENCES "public"."guests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "weekly_mails" ADD CONSTRAINT "weekly_mails_membership" FOREIGN KEY ("collection_id","user_id") REFERENCES "public"."members"("collection_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "weekly_mails_due" ON "weekly_mails" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "guests_email" ON "guests" USING btree ("email") WHERE email is not null;
--> statement-breakpoint
-- A time zone as Postgres reads it: it turns the sign of an offset, and one that it does not know counts as UTC.
create function zone_of(zone text) returns text language plpgsql stable as $$
declare
  parts text[];
begin
  parts := regexp_match(zone, '^([+-])(\d\d):?(\d\d)?$');
  if parts is not null then return translate(parts[1], '+-', '-+') || parts[2] || ':' || coalesce(parts[3], '00'); end if;
  perform now() at time zone zone;
  return coalesce(zone, 'UTC');
exception when invalid_parameter_value then
  return 'UTC';
end $$;
--> statement-breakpoint
-- The next Monday at eight in the morning where clocks show this time zone.
create function next_monday(zone text, moment timestamptz) returns timestamptz language sql stable as $$
  select (case when monday > clock then monday else monday + interval '7 days' end) at time zone known
  from (select known, clock, date_trunc('week', clock) + interval '8 hours' as monday
    from (select known, moment at time zone known as clock from zone_of(zone) known) here) week
$$;
