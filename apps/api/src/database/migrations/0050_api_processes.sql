-- The processes that answer calls over this database. One that counts calls in its own memory must be the only one; those
-- that count in a shared store may be many. A row is a lease: whoever stops renewing it is gone.

-- Logged, although it costs a row every two seconds: after a crash of the database, or on its standby, a lease that its
-- holder believes in must still be there for others to see.
create table api_processes (
  token       uuid primary key,
  counts_in   text not null check (counts_in in ('memory', 'store')),
  -- Who it is: for messages, and so that a process of the same machine can prove that it is dead.
  holder      jsonb not null,
  live_until  timestamptz not null
);

-- Takes a lease, or answers with those that stand in its way and changes nothing. p_dead are known to be dead.
create function join_api_processes(
  p_token uuid, p_counts_in text, p_holder jsonb, p_lease_ms double precision, p_dead uuid[]
) returns table (token uuid, counts_in text, holder jsonb)
language plpgsql as $$
begin
  -- One at a time: two that join at once would not see each other.
  lock table api_processes in share row exclusive mode;
  delete from api_processes p where p.live_until < clock_timestamp() or p.token = any (p_dead);
  return query
    select p.token, p.counts_in, p.holder from api_processes p
    where p.token <> p_token and (p.counts_in = 'memory' or p_counts_in = 'memory');
  if not found then
    insert into api_processes values
      (p_token, p_counts_in, p_holder, clock_timestamp() + p_lease_ms * interval '1 ms')
      on conflict on constraint api_processes_pkey do update set live_until = excluded.live_until;
  end if;
end $$;
