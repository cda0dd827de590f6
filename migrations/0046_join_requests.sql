CREATE TABLE "join_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "join_requests_one_per_user" UNIQUE("collection_id","user_id"),
	CONSTRAINT "join_requests_role" CHECK ("join_requests"."role" in ('read', 'write', 'admin')),
	CONSTRAINT "join_requests_state" CHECK ("join_requests"."state" in ('pending', 'accepted', 'declined'))
);
--> statement-breakpoint
ALTER TABLE "links" ADD COLUMN "join_role" text;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "join_requests_user" ON "join_requests" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_join" CHECK ("links"."join_role" is null or ("links"."kind" = 'collection' and "links"."join_role" in ('read', 'write', 'admin')));
--> statement-breakpoint
create or replace view guest.link as
  select l.* from public.links l where l.id = nullif(current_setting('cairn.link', true), '')::uuid;
--> statement-breakpoint
-- For the card of the collection, which tells only admins of requests.
create view guest.join_requests as
  select r.collection_id, r.state from public.join_requests r where false;
--> statement-breakpoint
-- As in 0044_links.sql, and nobody lets people ask for a role that they may not grant (mayAssign, contract/policy.ts).
create or replace function link_permitted(l links) returns boolean language sql stable as $$
  select exists (
    select from members m join collections c on c.id = m.collection_id and c.deleted_at is null
    where m.collection_id = l.collection_id and m.user_id = l.user_id and (m.role = 'owner' or (m.role = 'admin' and l.join_role is distinct from 'admin')
      or (m.role = 'write' and l.kind = 'items'
        and not exists (select from link_items li left join posts p on p.id = li.post_id left join assets a on a.id = li.asset_id
          where li.link_id = l.id and li.chosen and coalesce(p.user_id, a.user_id) <> l.user_id))))
$$;
--> statement-breakpoint
create function join_requests_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_rows('join_requests', 'DELETE', array_agg(collection_id), array_agg(id::text)) from old_rows where state = 'pending';
  else
    -- For the lists of those who answer, one that is answered is gone.
    perform record_rows('join_requests', 'INSERT', array_agg(collection_id), array_agg(id::text)) from new_rows where state = 'pending';
    perform record_rows('join_requests', 'DELETE', array_agg(collection_id), array_agg(id::text)) from new_rows where state <> 'pending';
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger join_requests_inserted after insert on join_requests
  referencing new table as new_rows for each statement execute function join_requests_changed();
--> statement-breakpoint
create trigger join_requests_updated after update on join_requests
  referencing new table as new_rows for each statement execute function join_requests_changed();
--> statement-breakpoint
create trigger join_requests_deleted after delete on join_requests
  referencing old table as old_rows for each statement execute function join_requests_changed();
--> statement-breakpoint
create trigger join_requests_of_living after insert on join_requests
  referencing new table as new_rows for each statement execute function refuse_deleted();
