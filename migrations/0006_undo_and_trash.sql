-- Undo: what an edit touched, and how that stood afterwards.
ALTER TABLE "edits" ADD COLUMN "scope" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "edits" ADD COLUMN "after" jsonb;--> statement-breakpoint
-- The trash of its owner, last deleted first.
CREATE INDEX "assets_user_deleted" ON "assets" USING btree ("user_id","deleted_at" DESC NULLS LAST) WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "posts_user_deleted" ON "posts" USING btree ("user_id","deleted_at" DESC NULLS LAST) WHERE deleted_at is not null;--> statement-breakpoint
-- Days are days of the wall calendar in the zone, so that the time of day stays across a change of the clocks; minutes pass.
-- A zone that Postgres does not know counts 24 hours a day, and so does a fixed offset (whose sign Postgres reads the other way).
create function shift_moment(moment timestamptz, zone text, days integer, minutes integer) returns timestamptz
language plpgsql stable as $$
begin
  if days <> 0 and zone !~ '^[+-]' then
    begin
      return ((moment at time zone zone) + make_interval(days => days)) at time zone zone + make_interval(mins => minutes);
    exception when invalid_parameter_value then null;
    end;
  end if;
  return moment + make_interval(hours => 24 * days, mins => minutes);
end $$;
