-- Counts attempts as count_attempts does, or ends the transaction with CA004: then a limit costs no round trip of its own. `what` is the noun of
-- the message.
create function require_attempts(attempts jsonb, number int, first_wait int, longest_wait int, what text) returns void language plpgsql as $$
declare
  wait int := count_attempts(attempts, number, first_wait, longest_wait);
begin
  if wait is null then return; end if;
  raise exception 'Too many attempts' using errcode = 'CA004', detail = jsonb_build_object('wait', wait, 'what', what)::text;
end $$;
