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
