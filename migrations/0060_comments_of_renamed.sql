-- As before, but what somebody wrote and reacted to is found by its indexes, and not looked for when nobody has another name: every sign-in updates its
-- user, and read all comments of the site.
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
    if renamed is not null then
      update comments set revision = revision + 1 where id in (
        select id from comments where user_id = any(renamed) and shown
        union select comment_id from reactions where user_id = any(renamed) and comment_id is not null);
    end if;
    perform tell_answers(array_agg(collection_id), array_agg(post_id), array_agg(asset_id))
    from reactions where user_id = any(renamed) and comment_id is null;
    insert into changes (collection_id, revision, table_name, event, ids, user_ids)
    select null, 0, 'users', 'UPDATE', array[n.id], array[n.id] from new_rows n join old_rows o using (id)
    where (n.first_name, n.last_name, n.email, n.avatar, n.shares_presence, n.language, n.region, n.hours, n.first_day, n.time_zone)
      is distinct from (o.first_name, o.last_name, o.email, o.avatar, o.shares_presence, o.language, o.region, o.hours, o.first_day, o.time_zone);
  end if;
  return null;
end $$;
