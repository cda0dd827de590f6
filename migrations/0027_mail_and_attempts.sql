CREATE TABLE "mailed_links" (
	"key" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "rate_limits" ADD COLUMN "next_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "mailed_links_expires" ON "mailed_links" USING btree ("expires_at");--> statement-breakpoint
-- Adds `number` attempts under every key of [{key, limit, seconds, slowed}] and returns null. If one has reached its limit, counts nothing and returns the
-- seconds to wait.
create function count_attempts(attempts jsonb, number int, first_wait int, longest_wait int) returns int language plpgsql as $$
declare
  wait int;
begin
  -- Begins windows anew that have ended, and locks all keys in one order.
  insert into rate_limits as r (key, tries, resets_at)
    select key, 0, now() + make_interval(secs => seconds) from jsonb_to_recordset(attempts) as a(key text, seconds int) order by key
    on conflict (key) do update set
      tries = case when r.resets_at <= now() then 0 else r.tries end,
      next_at = case when r.resets_at <= now() then null else r.next_at end,
      resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end;
  select ceil(extract(epoch from max(case when slowed then next_at else resets_at end) - now())) into wait
    from rate_limits join jsonb_to_recordset(attempts) as a(key text, "limit" int, slowed boolean) using (key)
    where case when slowed then next_at > now() else tries + number > "limit" end;
  if wait is not null then return greatest(wait, 1); end if;
  update rate_limits r set tries = r.tries + number,
      resets_at = case when slowed then now() + make_interval(secs => seconds) else resets_at end,
      next_at = case when slowed and r.tries + number >= "limit"
        then now() + make_interval(secs => least(longest_wait, first_wait * power(2, least(20, r.tries + number - "limit")))) end
    from jsonb_to_recordset(attempts) as a(key text, "limit" int, seconds int, slowed boolean) where r.key = a.key;
  return null;
end $$;
