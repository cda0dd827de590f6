ALTER TABLE "users" ADD COLUMN "shares_presence" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
-- As before; whether somebody wants to be seen is told like a new name, so that the rooms they are in hear of it at once.
create or replace function users_changed() returns trigger language plpgsql as $$
begin
  perform lock_collections(array_agg(i.collection_id)) from invites i join new_rows n on i.email = n.email where i.user_id is distinct from n.id;
  update invites i set user_id = n.id from new_rows n where i.email = n.email and i.user_id is distinct from n.id;
  if tg_op = 'UPDATE' then
    perform record_rows('members', 'UPDATE', array_agg(m.collection_id), array_agg(m.user_id))
    from new_rows n join old_rows o using (id) join members m on m.user_id = n.id
    where (n.first_name, n.last_name, n.email, n.shares_presence) is distinct from (o.first_name, o.last_name, o.email, o.shares_presence);
  end if;
  return null;
end $$;
