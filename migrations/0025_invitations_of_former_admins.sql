-- Pending invitations end when whoever sent them could no longer send them: as `mayAssign` in contract/policy.ts, an admin those of readers and writers,
-- the owner also those of admins.
create function end_invitations_of_former_admins() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update invites i set state = 'cancelled' from old_rows o
    where i.collection_id = o.collection_id and i.invited_by = o.user_id and i.state = 'pending';
  else
    update invites i set state = 'cancelled' from new_rows n join old_rows o using (collection_id, user_id)
    where i.collection_id = n.collection_id and i.invited_by = n.user_id and i.state = 'pending' and n.role <> o.role
      and (n.role not in ('admin', 'owner') or (n.role = 'admin' and i.role = 'admin'));
  end if;
  return null;
end $$;--> statement-breakpoint
create trigger members_deleted_end_invitations after delete on members
  referencing old table as old_rows for each statement execute function end_invitations_of_former_admins();--> statement-breakpoint
create trigger members_updated_end_invitations after update on members
  referencing old table as old_rows new table as new_rows for each statement execute function end_invitations_of_former_admins();
