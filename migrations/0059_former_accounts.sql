-- A deleted account that is started again begins with nothing: what it left goes to a row of its own, "Former member", under a new id. That is every
-- row whose foreign key to users does not end with the account, of any table, and what counts as theirs without a foreign key.
create function leave_to_former_member(account text) returns void language plpgsql as $$
declare
  former text := gen_random_uuid();
  reference record;
begin
  if not exists (select from users where id = account and deleted_at is not null) then return; end if;
  -- In the order of all writers: accounts, items, collections. Triggers write to these collections.
  perform from account_usage where user_id = account for no key update;
  perform from posts where user_id = account order by id for no key update;
  perform from assets where user_id = account order by id for no key update;
  perform lock_collections(array(
    select l.collection_id from posts i join post_collections l on l.post_id = i.id where i.user_id = account
    union select l.collection_id from assets i join asset_collections l on l.asset_id = i.id where i.user_id = account
    union select l.collection_id from assets i join post_assets pa on pa.asset_id = i.id join post_collections l on l.post_id = pa.post_id
      where i.user_id = account));
  -- Of two that sign in at once, the other one finds nothing left to do.
  perform from users where id = account and deleted_at is not null for update;
  if not found then return; end if;

  insert into users (id, email, first_name, last_name, created_at, deleted_at)
  select former, former || '@deleted.invalid', first_name, last_name, created_at, deleted_at from users where id = account;
  update films f set user_id = former from assets i where i.user_id = account and f.asset_id = i.id and f.user_id = account;
  for reference in
    select c.conrelid::regclass as rows, a.attname as author from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass and c.confdeltype <> 'c'
  loop
    execute format('update %s set %I = $1 where %I = $2', reference.rows, reference.author, reference.author) using former, account;
  end loop;
  delete from users where id = account;
end $$;
