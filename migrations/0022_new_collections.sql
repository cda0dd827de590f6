-- A new collection is told to its owner, who may look at their collections elsewhere.
create function collections_made() returns trigger language plpgsql as $$
begin
  perform record_rows('collections', 'INSERT', array_agg(id), array_agg(id::text), array_agg(user_id)) from new_rows;
  return null;
end $$;
--> statement-breakpoint
create trigger collections_made after insert on collections
  referencing new table as new_rows for each statement execute function collections_made();
