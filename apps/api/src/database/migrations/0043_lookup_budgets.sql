-- The lookups of each account that found nothing, in the present minute and day. Every process takes from here before it
-- asks a provider, and gives back what found something: so no two processes spend the same lookup, and a restart resets
-- no budget. A minute and a day begin with their first lookup, and are over 60 seconds and 24 hours later.
create table lookup_budgets (
  account_id    uuid primary key references accounts (id),
  -- In whole milliseconds: processes name them when they give back.
  minute_began  timestamptz not null,
  minute_used   integer not null check (minute_used >= 0),
  day_began     timestamptz not null,
  day_used      integer not null check (day_used >= 0)
);
alter table lookup_budgets set (fillfactor = 50);

-- Takes lookups for each account, as many as its plan has left, and says when the next ones can be had where that is less
-- than wanted. Accounts must be in the order of their ids: two processes then never wait for each other.
create function take_lookups(
  p_accounts uuid[], p_wanted integer[], p_plans text[], p_per_minute integer[], p_per_day integer[]
) returns table (
  account_id uuid, taken integer, plan text, bound text, bound_limit integer, wait_ms float8,
  minute_began timestamptz, minute_left_ms float8, day_began timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  b       lookup_budgets;
  at      timestamptz;
  minute  integer;
  day     integer;
begin
  -- Nothing is waited for: a crash of the database itself, not of the service, may forgive what was taken in its last
  -- moment, and the lock on the row is as short as the statement.
  perform set_config('synchronous_commit', 'off', true);
  for i in 1 .. cardinality(p_accounts) loop
    insert into lookup_budgets values
      (p_accounts[i], date_trunc('milliseconds', now()), 0, date_trunc('milliseconds', now()), 0)
      on conflict do nothing;
    select * into strict b from lookup_budgets l where l.account_id = p_accounts[i] for update;
    -- After the lock: the row may be younger than the statement.
    at := date_trunc('milliseconds', clock_timestamp());
    if b.minute_began <= at - interval '1 minute' then
      b.minute_began := at;
      b.minute_used := 0;
    end if;
    if b.day_began <= at - interval '1 day' then
      b.day_began := at;
      b.day_used := 0;
    end if;
    select a.plan into plan from accounts a where a.id = p_accounts[i];
    minute := p_per_minute[array_position(p_plans, plan)];
    day := p_per_day[array_position(p_plans, plan)];
    account_id := p_accounts[i];
    taken := greatest(0, least(p_wanted[i], minute - b.minute_used, day - b.day_used));
    -- The longer wait counts where both are used up.
    bound := case when day - b.day_used <= minute - b.minute_used then 'day' else 'minute' end;
    bound_limit := case bound when 'day' then day else minute end;
    wait_ms := 1000 * extract(epoch from case bound
      when 'day' then b.day_began + interval '1 day' else b.minute_began + interval '1 minute' end - at);
    minute_began := b.minute_began;
    minute_left_ms := 1000 * extract(epoch from b.minute_began + interval '1 minute' - at);
    day_began := b.day_began;
    if taken > 0 then
      update lookup_budgets l set
          minute_began = b.minute_began, minute_used = b.minute_used + taken,
          day_began = b.day_began, day_used = b.day_used + taken
        where l.account_id = p_accounts[i];
    end if;
    return next;
  end loop;
end $$;

-- Gives lookups back that found something: to the minute and the day that they were taken from, while those last.
create function give_lookups_back(
  p_accounts uuid[], p_count integer[], p_minutes timestamptz[], p_days timestamptz[]
) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  for i in 1 .. cardinality(p_accounts) loop
    update lookup_budgets l set
        minute_used = case when l.minute_began = p_minutes[i] then greatest(0, l.minute_used - p_count[i])
          else l.minute_used end,
        day_used = case when l.day_began = p_days[i] then greatest(0, l.day_used - p_count[i]) else l.day_used end
      where l.account_id = p_accounts[i];
  end loop;
end $$;
