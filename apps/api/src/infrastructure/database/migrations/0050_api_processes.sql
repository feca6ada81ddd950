-- The processes that answer calls over this database. One that counts calls in its own memory must be the only one; those
-- that count in a shared store may be many. A row is a lease: a process that stops renewing it is gone.

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
declare
  at  timestamptz;
begin
  -- One at a time: two that join at once would not see each other.
  lock table api_processes in share row exclusive mode;
  -- After the lock. As a value, because engines that distribute tables refuse a clock in the condition.
  at := clock_timestamp();
  delete from api_processes p where p.live_until < at or p.token = any (p_dead);
  return query
    select p.token, p.counts_in, p.holder from api_processes p
    where p.token <> p_token and (p.counts_in = 'memory' or p_counts_in = 'memory');
  if not found then
    insert into api_processes values
      (p_token, p_counts_in, p_holder, clock_timestamp() + p_lease_ms * interval '1 ms')
      on conflict on constraint api_processes_pkey do update set live_until = excluded.live_until;
  end if;
end $$;

-- The processes that run over this database, of every role, each with the ids of the SECRETS_KEY keys that it has: the one
-- that it encrypts with, if it has any yet, and all that it can decrypt with. Each must be able to decrypt what another
-- encrypts. A row is a lease as above.
create table secrets_key_holders (
  token       uuid primary key,
  seals_with  text,
  key_ids     text[] not null,
  holder      jsonb not null,
  live_until  timestamptz not null
);

-- Takes a lease, or answers with those whose keys do not fit and changes nothing. p_dead are known to be dead.
create function join_secrets_key_holders(
  p_token uuid, p_seals_with text, p_key_ids text[], p_holder jsonb, p_lease_ms double precision, p_dead uuid[]
) returns table (token uuid, holder jsonb)
language plpgsql as $$
declare
  at  timestamptz;
begin
  -- One at a time: two that join at once would not see each other.
  lock table secrets_key_holders in share row exclusive mode;
  at := clock_timestamp();
  delete from secrets_key_holders h where h.live_until < at or h.token = any (p_dead);
  return query
    select h.token, h.holder from secrets_key_holders h
    -- Null, which is no key yet, fits nothing: such a process would make a key that no other one has.
    where h.token <> p_token
      and not coalesce(h.seals_with = any (p_key_ids) and p_seals_with = any (h.key_ids), false);
  if not found then
    insert into secrets_key_holders values
      (p_token, p_seals_with, p_key_ids, p_holder, clock_timestamp() + p_lease_ms * interval '1 ms');
  end if;
end $$;
