CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- Every browser signs in once more after this migration, and subscribes again then.
DELETE FROM "push_subscriptions";--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD COLUMN "session_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_used" ON "sessions" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "push_subscriptions_session" ON "push_subscriptions" USING btree ("session_id");--> statement-breakpoint
-- The first statement of every transaction in the name of a session or an access token: raises CA002 once it has been revoked.
create function check_access(access uuid) returns void language plpgsql as $$
begin
  update sessions set used_at = now() where id = access and used_at < now() - interval '1 hour';
  if exists (select from sessions where id = access) or exists (
    select from tokens t join users u on u.id = t.user_id
    where t.id = access and t.verified_email = u.email and (t.expires_at is null or t.expires_at > now())
  ) then return; end if;
  raise exception 'The session or access token has been revoked' using errcode = 'CA002';
end $$;
--> statement-breakpoint
-- Published to the rooms that the people may be in, which close the sockets that these sessions or tokens opened.
create function access_ended() returns trigger language plpgsql as $$
begin
  insert into changes (collection_id, revision, table_name, event, ids, user_ids)
  select null, 0, tg_table_name, 'DELETE', array_agg(id::text), array[user_id] from old_rows group by user_id;
  return null;
end $$;
--> statement-breakpoint
create trigger sessions_ended after delete on sessions
  referencing old table as old_rows for each statement execute function access_ended();
--> statement-breakpoint
create trigger tokens_ended after delete on tokens
  referencing old table as old_rows for each statement execute function access_ended();
