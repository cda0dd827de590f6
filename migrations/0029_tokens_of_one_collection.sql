ALTER TABLE "tokens" ADD COLUMN "collection_id" uuid;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tokens_collection" ON "tokens" USING btree ("collection_id");--> statement-breakpoint
-- As before (0026_sessions.sql). A token for one collection also limits the rest of the transaction to it.
create or replace function check_access(access uuid) returns void language plpgsql as $$
declare
  collection uuid;
begin
  select t.collection_id into collection from tokens t join users u on u.id = t.user_id
    where t.id = access and t.verified_email = u.email and (t.expires_at is null or t.expires_at > now());
  if found then
    perform set_config('cairn.collection', coalesce(collection::text, ''), true);
    return;
  end if;
  update sessions set used_at = now() where id = access and used_at < now() - interval '1 hour';
  if not exists (select from sessions where id = access) then
    raise exception 'The session or access token has been revoked' using errcode = 'CA002';
  end if;
end $$;
--> statement-breakpoint
-- Members as the transaction may see them: of one collection, if check_access has limited it. Written with `is not true`, because the planner then
-- expects all rows without a limit.
create view memberships as
  select collection_id, user_id, role, joined_at from members
  where (collection_id <> nullif(current_setting('cairn.collection', true), '')::uuid) is not true;
--> statement-breakpoint
create function collection_deleted() returns trigger language plpgsql as $$
begin
  delete from tokens where collection_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger collections_deleted after update of deleted_at on collections
  for each row when (new.deleted_at is not null) execute function collection_deleted();
--> statement-breakpoint
create function member_tokens_end() returns trigger language plpgsql as $$
begin
  delete from tokens t using old_rows o where t.collection_id = o.collection_id and t.user_id = o.user_id;
  return null;
end $$;
--> statement-breakpoint
create trigger members_deleted_tokens_end after delete on members
  referencing old table as old_rows for each statement execute function member_tokens_end();
