ALTER TABLE "changes" ALTER COLUMN "collection_id" DROP NOT NULL;--> statement-breakpoint
-- As before; a profile that changes is told to the person's own room, once, whatever collections they are in, and a new name, address or picture to
-- their collections. The name of an author is part of their items: told as a change of these, in every collection that they are in. Whether somebody
-- wants to be seen is told as a change of the member.
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
    union select l.collection_id from asset_collections l join assets a on a.id = l.asset_id where a.user_id = any(renamed) and l.live));
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
    insert into changes (collection_id, revision, table_name, event, ids, user_ids)
    select null, 0, 'users', 'UPDATE', array[n.id], array[n.id] from new_rows n join old_rows o using (id)
    where (n.first_name, n.last_name, n.email, n.avatar, n.shares_presence, n.language, n.region, n.hours, n.first_day, n.time_zone)
      is distinct from (o.first_name, o.last_name, o.email, o.avatar, o.shares_presence, o.language, o.region, o.hours, o.first_day, o.time_zone);
  end if;
  return null;
end $$;
