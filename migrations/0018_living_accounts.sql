-- Whoever deleted their account joins nothing and makes nothing any more, also with a session that has not run out.
create function refuse_deleted() returns trigger language plpgsql as $$
begin
  -- The foreign key takes this lock anyway. Here it waits for a deletion that is under way.
  perform from users where id in (select user_id from new_rows) for key share;
  if exists (select from users where id in (select user_id from new_rows) and deleted_at is not null) then
    raise exception 'The account has been deleted' using errcode = 'CA001';
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger members_of_living after insert on members
  referencing new table as new_rows for each statement execute function refuse_deleted();
--> statement-breakpoint
create trigger collections_of_living after insert on collections
  referencing new table as new_rows for each statement execute function refuse_deleted();
--> statement-breakpoint
create trigger posts_of_living after insert on posts
  referencing new table as new_rows for each statement execute function refuse_deleted();
--> statement-breakpoint
create trigger assets_of_living after insert on assets
  referencing new table as new_rows for each statement execute function refuse_deleted();
--> statement-breakpoint
create trigger tokens_of_living after insert on tokens
  referencing new table as new_rows for each statement execute function refuse_deleted();
--> statement-breakpoint
-- A deleted account is in no collection: whoever was made a member after the collections were locked keeps the account.
create function user_ended() returns trigger language plpgsql as $$
begin
  if exists (select from members where user_id = new.id)
    or exists (select from collections where user_id = new.id and deleted_at is null) then
    raise exception 'The account was made a member meanwhile' using errcode = '40001';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger users_ended before update on users for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function user_ended();
