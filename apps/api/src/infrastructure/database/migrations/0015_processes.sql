-- What all processes over this database share: limits, leases, and secrets.

-- Limits that all processes share and that a restart resets nowhere (database/budgets.ts). A row is one limit of one subject, such as the
-- mails to a mailbox in an hour. Removed an hour after its end (retention/expired-rows.ts).
create table budgets (
  kind     text not null,
  -- What is limited: the id of an account, or the hash of what says something about a person.
  subject  text not null,
  -- The length of the window.
  seconds  integer not null,
  -- Of a window, which begins with the first that is taken: its end, in whole milliseconds, which tells it from other windows of the
  -- limit. Of a rate: until when what was charged lasts. That is in the past by as much as is unused, and counts for `seconds` at most.
  ends_at  timestamptz not null,
  -- Of a window only.
  taken    integer not null check (taken >= 0),
  primary key (kind, subject, seconds)
);
alter table budgets set (fillfactor = 50);
create index budgets_by_end on budgets (ends_at);

-- Takes the same number from each of the budgets: as many as are wanted, or as are left in the one that has the least, `bound`. Nothing
-- is written if nothing is left. `ends` and `left_ms` are the ends of the windows: the first for give_back_budgets, the second for the
-- wait.
create function take_budgets(
  p_wanted integer, p_kinds text[], p_subjects text[], p_seconds integer[], p_limits integer[]
) returns table (taken integer, bound integer, ends timestamptz[], left_ms float8[]) language plpgsql as $$
#variable_conflict use_column
declare
  b          budgets;
  at         timestamptz;
  used       integer[];
  available  integer;
  fewest     integer;
  i          integer;
begin
  -- In one order everywhere, so that no two processes wait for each other.
  for i in
    select n from unnest(p_kinds, p_subjects, p_seconds) with ordinality as w (kind, subject, seconds, n)
    order by kind, subject, seconds
  loop
    loop
      insert into budgets values (p_kinds[i], p_subjects[i], p_seconds[i], '-infinity', 0) on conflict do nothing;
      select * into b from budgets
        where kind = p_kinds[i] and subject = p_subjects[i] and seconds = p_seconds[i] for update;
      -- One that has ended may be removed in between.
      exit when found;
    end loop;
    -- After the lock: the row may be younger than the statement.
    at := date_trunc('milliseconds', clock_timestamp());
    if b.ends_at <= at then
      b.ends_at := at + make_interval(secs => p_seconds[i]);
      b.taken := 0;
    end if;
    ends[i] := b.ends_at;
    left_ms[i] := 1000 * extract(epoch from b.ends_at - at);
    used[i] := b.taken;
    -- The longest wait counts where several are used up.
    available := greatest(0, p_limits[i] - b.taken);
    if bound is null or available < fewest or (available = fewest and left_ms[i] > left_ms[bound]) then
      bound := i;
      fewest := available;
    end if;
  end loop;
  taken := least(p_wanted, fewest);
  if taken > 0 then
    for i in 1 .. cardinality(p_kinds) loop
      update budgets set ends_at = ends[i], taken = used[i] + take_budgets.taken
        where kind = p_kinds[i] and subject = p_subjects[i] and seconds = p_seconds[i];
    end loop;
  end if;
  return next;
end $$;

-- Gives back what was not needed, one for each subject of the lists: to the windows that it was taken from, while those last.
create function give_back_budgets(p_kind text, p_subjects text[], p_seconds integer[], p_ends timestamptz[])
returns void language plpgsql as $$
declare
  i integer;
begin
  for i in
    select n from unnest(p_subjects, p_seconds) with ordinality as w (subject, seconds, n) order by subject, seconds
  loop
    update budgets set taken = greatest(0, taken - 1)
      where kind = p_kind and subject = p_subjects[i] and seconds = p_seconds[i] and ends_at = p_ends[i];
  end loop;
end $$;

-- Charges a rate for work that was done, however much that was: nothing new begins while `ends_at` is in the future. `p_limit` is what
-- lasts for `p_seconds`.
create function charge_rate(p_kind text, p_subject text, p_seconds integer, p_count float8, p_limit float8)
returns void language sql as $$
  insert into budgets as b
    values (p_kind, p_subject, p_seconds, now() + make_interval(secs => p_seconds * (p_count / p_limit - 1)), 0)
  on conflict (kind, subject, seconds) do update
    set ends_at = greatest(b.ends_at, now() - make_interval(secs => p_seconds)) + make_interval(secs => p_seconds * p_count / p_limit);
$$;

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

-- The key that signs the cursors of searches (sources/cursors.ts): one for all processes over this database. It is random and
-- in no backup, so a restored database has another one, and clients begin again with the first page.
create table cursor_key (
  only_one boolean primary key default true check (only_one),
  key      bytea not null check (octet_length(key) = 32)
);
insert into cursor_key (key) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- The secret behind the tags of responses (ETag). One for all processes, so that a tag of one is known to the others. It is not
-- in a backup: after a restore, tags of before match nothing, and the next call of a client is answered in full.
create table tag_secret (
  only_row  boolean primary key default true check (only_row),
  secret    bytea not null
);
-- Each of the four has 122 random bits from the system's own source.
insert into tag_secret (secret)
  select sha512(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')) from generate_series(1, 4);
