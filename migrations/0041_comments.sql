-- What people say about an item in one collection (decision 055): comments and reactions. They move the revision of their collection, never the version
-- of their item.
CREATE TABLE "comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"collection_id" uuid NOT NULL,
	"post_id" uuid,
	"asset_id" uuid,
	"user_id" text NOT NULL,
	"text" text NOT NULL,
	"mentions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reply_to" uuid,
	"hidden_at" timestamp with time zone,
	"hidden_by" text,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone,
	"shown" boolean DEFAULT true NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "comments_item" CHECK (num_nonnulls("comments"."post_id", "comments"."asset_id") = 1),
	CONSTRAINT "comments_text" CHECK (length("comments"."text") <= 64000)
);
--> statement-breakpoint
CREATE TABLE "reactions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"collection_id" uuid NOT NULL,
	"post_id" uuid,
	"asset_id" uuid,
	"comment_id" uuid,
	"user_id" text NOT NULL,
	"emoji" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reactions_target" CHECK (num_nonnulls("reactions"."post_id", "reactions"."asset_id", "reactions"."comment_id") = 1),
	CONSTRAINT "reactions_emoji" CHECK (length("reactions"."emoji") between 1 and 32)
);
--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "answers" text DEFAULT 'read';--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "answers_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_reply_to_comments_id_fk" FOREIGN KEY ("reply_to") REFERENCES "public"."comments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_hidden_by_users_id_fk" FOREIGN KEY ("hidden_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reactions" ADD CONSTRAINT "reactions_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reactions" ADD CONSTRAINT "reactions_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reactions" ADD CONSTRAINT "reactions_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reactions" ADD CONSTRAINT "reactions_comment_id_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reactions" ADD CONSTRAINT "reactions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "comments_post" ON "comments" USING btree ("post_id","collection_id","created_at","id") WHERE post_id is not null;--> statement-breakpoint
CREATE INDEX "comments_asset" ON "comments" USING btree ("asset_id","collection_id","created_at","id") WHERE asset_id is not null;--> statement-breakpoint
CREATE INDEX "comments_collection" ON "comments" USING btree ("collection_id","created_at");--> statement-breakpoint
CREATE INDEX "comments_reply" ON "comments" USING btree ("reply_to") WHERE reply_to is not null;--> statement-breakpoint
CREATE INDEX "comments_user" ON "comments" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "comments_hider" ON "comments" USING btree ("hidden_by") WHERE hidden_by is not null;--> statement-breakpoint
CREATE INDEX "comments_deleted" ON "comments" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reactions_post" ON "reactions" USING btree ("post_id","collection_id","user_id","emoji") WHERE post_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reactions_asset" ON "reactions" USING btree ("asset_id","collection_id","user_id","emoji") WHERE asset_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reactions_comment" ON "reactions" USING btree ("comment_id","user_id","emoji") WHERE comment_id is not null;--> statement-breakpoint
CREATE INDEX "reactions_collection" ON "reactions" USING btree ("collection_id","created_at");--> statement-breakpoint
CREATE INDEX "reactions_user" ON "reactions" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_answers" CHECK ("collections"."answers" in ('read', 'write', 'admin'));
--> statement-breakpoint
-- Tells each of these items, where it is in that collection, as a change of `comments`. Lists send it again (queries/paging.ts). Writers have locked the
-- item and the collection, in this order, before.
create function tell_answers(at uuid[], of_posts uuid[], of_assets uuid[]) returns void language plpgsql as $$
begin
  perform record_rows('comments', 'UPDATE', array_agg(place), array_agg(item::text))
  from (
    select l.collection_id as place, l.post_id as item
    from unnest(at, of_posts) r (c, i) join post_collections l on l.collection_id = r.c and l.post_id = r.i
    union
    select l.collection_id, l.asset_id
    from unnest(at, of_assets) r (c, i) join asset_collections l on l.collection_id = r.c and l.asset_id = r.i
  ) told;
end $$;
--> statement-breakpoint
-- The collection stays locked until the commit, so its next revision is above any that others have seen.
create function comment_touched() returns trigger language plpgsql as $$
begin
  new.shown := new.deleted_at is null or exists (select from comments where reply_to = new.id and shown);
  if tg_op = 'UPDATE' then
    if (new.text, new.mentions, new.hidden_at, new.deleted_at, new.shown, new.revision)
        is not distinct from (old.text, old.mentions, old.hidden_at, old.deleted_at, old.shown, old.revision) then
      return new;
    end if;
    -- The sweep empties what nobody sees any more.
    if new.deleted_at = old.deleted_at and new.shown = old.shown and new.revision = old.revision then return new; end if;
    -- Not for hiding, with which an edit that the author has not sent yet does not collide.
    if (new.text, new.mentions, new.deleted_at) is distinct from (old.text, old.mentions, old.deleted_at) then
      new.version := old.version + 1;
    end if;
  end if;
  select revision + 1 into new.revision from collections where id = new.collection_id for no key update;
  new.revision := coalesce(new.revision, 0);
  return new;
end $$;
--> statement-breakpoint
create trigger comments_touched before insert or update on comments for each row execute function comment_touched();
--> statement-breakpoint
-- A deleted comment stays while one that answers it does, so whatever appears or disappears may make the one before it do the same.
create function comments_changed() returns trigger language plpgsql as $$
declare
  at uuid[];
  of_posts uuid[];
  of_assets uuid[];
  answered uuid[];
begin
  if tg_op = 'INSERT' then
    perform tell_answers(array_agg(collection_id), array_agg(post_id), array_agg(asset_id)) from new_rows;
    return null;
  end if;
  -- Grouped, not joined, for the reason in 0013_group_rows_in_triggers.sql.
  select array_agg(collection_id), array_agg(post_id), array_agg(asset_id), array_agg(reply_to) filter (where moved)
  into at, of_posts, of_assets, answered
  from (
    select collection_id, post_id, asset_id, (array_agg(reply_to))[1] as reply_to, bool_or(shown) <> bool_and(shown) as moved
    from (
      select id, collection_id, post_id, asset_id, reply_to, shown, revision, version from new_rows
      union all
      select id, collection_id, post_id, asset_id, reply_to, shown, revision, version from old_rows
    ) both_rows
    group by id, collection_id, post_id, asset_id
    having min(revision) <> max(revision) or min(version) <> max(version)
  ) changed;
  if at is null then return null; end if;
  perform tell_answers(at, of_posts, of_assets);
  if answered is not null then
    update comments c set shown = not shown
    where c.id = any(answered) and c.deleted_at is not null and c.shown <> exists (select from comments r where r.reply_to = c.id and r.shown);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger comments_inserted after insert on comments
  referencing new table as new_rows for each statement execute function comments_changed();
--> statement-breakpoint
create trigger comments_updated after update on comments
  referencing old table as old_rows new table as new_rows for each statement execute function comments_changed();
--> statement-breakpoint
create trigger comments_of_living after insert on comments
  referencing new table as new_rows for each statement execute function refuse_deleted();
--> statement-breakpoint
-- A reaction to a comment is a change of the comment without a new version.
create function reactions_changed() returns trigger language plpgsql as $$
begin
  perform tell_answers(array_agg(collection_id), array_agg(post_id), array_agg(asset_id)) from changed where comment_id is null;
  if exists (select from changed where comment_id is not null) then
    update comments set revision = revision + 1 where id in (select comment_id from changed);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger reactions_inserted after insert on reactions
  referencing new table as changed for each statement execute function reactions_changed();
--> statement-breakpoint
create trigger reactions_deleted after delete on reactions
  referencing old table as changed for each statement execute function reactions_changed();
--> statement-breakpoint
create trigger reactions_of_living after insert on reactions
  referencing new table as new_rows for each statement execute function refuse_deleted();
--> statement-breakpoint
-- As before (0002_triggers.sql), with who may answer.
create or replace function collections_changed() returns trigger language plpgsql as $$
begin
  perform record_rows('collections', 'UPDATE', array_agg(n.id), array_agg(n.id::text), array_agg(m.user_id))
  from new_rows n join old_rows o using (id) left join members m on m.collection_id = n.id
  where (n.name, n.icon, n.theme, n.user_id, n.answers) is distinct from (o.name, o.icon, o.theme, o.user_id, o.answers) and n.deleted_at is null;

  perform record_rows('collections', 'DELETE', array_agg(n.id), array_agg(n.id::text), array_agg(m.user_id))
  from new_rows n join old_rows o using (id) left join members m on m.collection_id = n.id
  where n.deleted_at is not null and o.deleted_at is null;
  return null;
end $$;
--> statement-breakpoint
drop trigger collections_touched on collections;
--> statement-breakpoint
create trigger collections_touched before update on collections for each row
  when ((new.name, new.icon, new.theme, new.user_id, new.answers) is distinct from (old.name, old.icon, old.theme, old.user_id, old.answers))
  execute function collection_touched();
--> statement-breakpoint
-- As before (0023_profiles_told.sql), with what the person said: a new name is told for comments of theirs, and for what they reacted to.
create or replace function users_changed() returns trigger language plpgsql as $$
declare
  renamed text[];
begin
  if tg_op = 'UPDATE' then
    select array_agg(id) into renamed from new_rows n join old_rows o using (id)
    where (n.first_name, n.last_name) is distinct from (o.first_name, o.last_name)
      or n.first_name is null and n.last_name is null and n.email <> o.email;
  end if;
  perform lock_collections(array(
    select i.collection_id from invites i join new_rows n on i.email = n.email where i.user_id is distinct from n.id
    union select l.collection_id from post_collections l join posts p on p.id = l.post_id where p.user_id = any(renamed) and l.live
    union select l.collection_id from asset_collections l join assets a on a.id = l.asset_id where a.user_id = any(renamed) and l.live
    union select collection_id from comments where user_id = any(renamed) and shown
    union select collection_id from reactions where user_id = any(renamed)));
  update invites i set user_id = n.id from new_rows n where i.email = n.email and i.user_id is distinct from n.id;
  if tg_op = 'UPDATE' then
    perform record_rows('users', 'UPDATE', array_agg(m.collection_id), array_agg(m.user_id))
    from new_rows n join old_rows o using (id) join members m on m.user_id = n.id
    where (n.first_name, n.last_name, n.email, n.avatar) is distinct from (o.first_name, o.last_name, o.email, o.avatar);
    perform record_rows('members', 'UPDATE', array_agg(m.collection_id), array_agg(m.user_id))
    from new_rows n join old_rows o using (id) join members m on m.user_id = n.id
    where n.shares_presence <> o.shares_presence;
    perform record_rows('post_collections', 'UPDATE', array_agg(l.collection_id), array_agg(l.post_id::text))
    from post_collections l join posts p on p.id = l.post_id where p.user_id = any(renamed) and l.live;
    perform record_rows('asset_collections', 'UPDATE', array_agg(l.collection_id), array_agg(l.asset_id::text))
    from asset_collections l join assets a on a.id = l.asset_id where a.user_id = any(renamed) and l.live;
    update comments set revision = revision + 1 where user_id = any(renamed) and shown
      or id in (select comment_id from reactions where user_id = any(renamed) and comment_id is not null);
    perform tell_answers(array_agg(collection_id), array_agg(post_id), array_agg(asset_id))
    from reactions where user_id = any(renamed) and comment_id is null;
    insert into changes (collection_id, revision, table_name, event, ids, user_ids)
    select null, 0, 'users', 'UPDATE', array[n.id], array[n.id] from new_rows n join old_rows o using (id)
    where (n.first_name, n.last_name, n.email, n.avatar, n.shares_presence, n.language, n.region, n.hours, n.first_day, n.time_zone)
      is distinct from (o.first_name, o.last_name, o.email, o.avatar, o.shares_presence, o.language, o.region, o.hours, o.first_day, o.time_zone);
  end if;
  return null;
end $$;
