-- Credits in two phases: a job holds what it may cost, and when it ends it is charged what it did cost and the rest is
-- released. Every function locks the account before it looks at the hold, so races, retries and crashes all reduce to
-- "is this hold still open?"; and each first begins the account's cycle if it is due, so that a charge is never taken
-- from a grant that should have expired.
--
-- A transaction that locks rows of its own (a job) locks them before it calls these: the account's lock comes last.

-- The limit of the key that started the job (0012_cycles_and_limits.sql) is kept too: what is held counts in it, in the period in which it
-- is held, and what the job is not charged comes back if that period still runs. key_left is what the limit leaves; null: the
-- key has none.

-- Holds least(p_wanted, available − 1, p_most, what the key's limit leaves) credits for a job, and keeps the prices that it is
-- accepted with. p_most is what the client allows the job to cost; null: no limit.
-- verdict 'held'; 'repeated': the job has a hold already, nothing was changed and `amount` is what it has;
-- 'insufficient': less than p_least could be held, nothing was changed.
--
-- The hold is looked for under the account's lock and then inserted. An insert with `on conflict do nothing` beside an
-- update of `held` leaks credits whenever a job's id repeats.
create function place_hold(p_account uuid, p_job uuid, p_wanted bigint, p_least bigint, p_prices jsonb default null,
  p_most bigint default null, p_key uuid default null)
returns table (verdict text, amount bigint, balance bigint, held bigint, key_left bigint)
language plpgsql security definer as $$
declare
  a       accounts;
  h       holds;
  l       key_limits;
  -- Without the last credit.
  room    bigint;
  k_left  bigint;
  step    bigint;
begin
  if p_wanted < 0 or p_least < 0 then
    raise exception 'a hold is not negative: wanted %, least %', p_wanted, p_least;
  end if;
  perform renew_if_due(p_account);
  select * into strict a from accounts where accounts.id = p_account for no key update;
  if a.has_key_limits then
    l := lock_key_limit(p_key);
    k_left := l.remaining;
  end if;
  select * into h from holds where holds.account_id = p_account and holds.job_id = p_job;
  if found then
    return query select 'repeated', h.amount, a.balance, a.held, k_left;
    return;
  end if;
  -- One that costs nothing needs nothing, not even the last credit.
  room := available_credits(a.balance, a.held, 1);
  step := least(p_wanted, room, p_most, k_left);
  -- A job that would bring something, and could not bring a single row of it, is refused too.
  if step < greatest(p_least, least(p_wanted, 1)) then
    return query select 'insufficient', 0::bigint, a.balance, a.held, k_left;
    return;
  end if;
  insert into holds (account_id, job_id, amount, prices, max_amount, key_id, limit_counted, limit_after, short_of)
    values (p_account, p_job, step, p_prices, p_most, p_key, case when l.id is null then 0 else step end, l.counted_after,
      case when step = p_wanted then null when k_left <= room then 'key_limit' else 'credits' end);
  if step > 0 then
    insert into movements (account_id, kind, amount, held_change, job_id) values (p_account, 'hold', 0, step, p_job);
    update accounts set held = a.held + step where accounts.id = p_account;
  end if;
  if l.id is not null then
    -- A limit that the client set for the call is not the key's: p_wanted is within it.
    perform count_key_limits(array[l.id], array[step], array[step < p_wanted and k_left <= room]);
  end if;
  return query select 'held', step, a.balance, a.held + step, k_left - step;
end $$;

-- Makes an open hold greater by least(p_by, available − 1, what the key's limit leaves), and never beyond what the client allows
-- the job to cost.
-- verdict 'grown' by `step`; 'insufficient': by nothing; 'closed': it is not open any more.
create function grow_hold(p_account uuid, p_job uuid, p_by bigint)
returns table (verdict text, step bigint, amount bigint, balance bigint, held bigint, key_left bigint)
language plpgsql security definer as $$
declare
  a       accounts;
  h       holds;
  l       key_limits;
  room    bigint;
  k_left  bigint;
  more    bigint;
  short   text;
begin
  if p_by < 1 then
    raise exception 'a hold grows by at least 1, not by %', p_by;
  end if;
  perform renew_if_due(p_account);
  select * into strict a from accounts where accounts.id = p_account for no key update;
  select * into strict h from holds where holds.account_id = p_account and holds.job_id = p_job;
  if a.has_key_limits then
    l := lock_key_limit(h.key_id);
    k_left := l.remaining;
  end if;
  if h.state <> 'open' then
    return query select 'closed', 0::bigint, h.amount, a.balance, a.held, k_left;
    return;
  end if;
  room := available_credits(a.balance, a.held, 1);
  more := greatest(0, least(p_by, room, h.max_amount - h.amount, k_left));
  short := case when more >= least(p_by, h.max_amount - h.amount) then null when k_left <= room then 'key_limit' else 'credits' end;
  if l.id is not null then
    perform count_key_limits(array[l.id], array[more], array[coalesce(short = 'key_limit', false)]);
  end if;
  if more > 0 or short is distinct from h.short_of then
    update holds set
        amount = h.amount + more, short_of = short,
        -- What was counted in an earlier period stays there.
        limit_counted = case when l.id is null or more = 0 then h.limit_counted
          when h.limit_after = l.counted_after then h.limit_counted + more else more end,
        limit_after = case when l.id is null or more = 0 then h.limit_after else l.counted_after end
      where holds.account_id = p_account and holds.job_id = p_job;
  end if;
  if more = 0 then
    return query select 'insufficient', 0::bigint, h.amount, a.balance, a.held, k_left;
    return;
  end if;
  insert into movements (account_id, kind, amount, held_change, job_id) values (p_account, 'hold', 0, more, p_job);
  update accounts set held = a.held + more where accounts.id = p_account;
  return query select 'grown', more, h.amount + more, a.balance, a.held + more, k_left - more;
end $$;

-- Closes a hold, once: as 'settled' with a charge for each stage, or as 'released' without any. What is charged is taken
-- from credits of earlier cycles first, then from the grant, then from top-ups. What the hold still has of earlier cycles
-- expires; the rest is available again. The usage rows that the job's acceptance left are filled.
--
-- verdict 'closed' by this call; 'settled' or 'released': it was closed so before, and nothing was changed.
create function close_hold(
  p_account uuid, p_job uuid, p_state text,
  p_request text[], p_stage text[], p_units bigint[], p_credits bigint[]
) returns table (verdict text, charged bigint, released bigint, expired bigint, balance bigint, held bigint)
language plpgsql security definer as $$
declare
  a           accounts;
  h           holds;
  cost        bigint;
  -- What of the cost earlier cycles' credits pay.
  old_credits bigint;
  -- What comes back to the limit of the key.
  returned    bigint;
  filled      integer;
  -- The moments of the first and the last row that is filled.
  first_row   timestamptz;
  last_row    timestamptz;
begin
  perform renew_if_due(p_account);
  select * into strict a from accounts where accounts.id = p_account for no key update;
  select * into strict h from holds where holds.account_id = p_account and holds.job_id = p_job;
  if h.state <> 'open' then
    return query select h.state, h.charged, h.amount - h.charged, 0::bigint, a.balance, a.held;
    return;
  end if;
  cost := coalesce((select sum(credits) from unnest(p_credits) as credits), 0);
  if cost > h.amount then
    raise exception 'job % may cost % credits, and % are held for it', p_job, cost, h.amount;
  end if;
  old_credits := least(h.expiring, cost);

  insert into movements (account_id, kind, amount, held_change, request_id, stage, job_id)
    select p_account, 'charge', -s.credits, -s.credits, s.request, s.stage, p_job
    from unnest(p_request, p_stage, p_credits) with ordinality as s (request, stage, credits, ord)
    where s.credits <> 0 order by s.ord;
  if h.amount > cost then
    insert into movements (account_id, kind, amount, held_change, job_id)
      values (p_account, 'release', 0, cost - h.amount, p_job);
  end if;
  if h.expiring > old_credits then
    insert into movements (account_id, kind, amount, job_id)
      values (p_account, 'expire', old_credits - h.expiring, p_job);
  end if;
  update accounts set
      balance = a.balance - cost - (h.expiring - old_credits),
      held = a.held - h.amount,
      grant_left = a.grant_left - least(a.grant_left, cost - old_credits),
      expiring = a.expiring - h.expiring
    where accounts.id = p_account;
  if a.balance - cost - (h.expiring - old_credits) <= a.low_at then
    perform report_low_credits(p_account, a.balance);
  end if;
  -- What was held first is charged first, so what was held in the present period comes back first.
  returned := least(h.amount - cost, h.limit_counted);
  if returned > 0 then
    update key_limits set
        used = used - returned,
        -- A limit that leaves something again has not been reached: the event is due when it is (0012_cycles_and_limits.sql).
        reached_at = case when used - returned >= credits then reached_at end
      where account_id = p_account and counted_after = h.limit_after;
  end if;
  update holds set state = p_state, charged = cost, expiring = 0, closed_at = now(), limit_counted = h.limit_counted - returned
    where holds.account_id = p_account and holds.job_id = p_job;

  filled := 0;
  if cardinality(p_request) > 0 then
    -- Materialized, so that no plan looks for the moments in all rows of the account.
    with its_rows as materialized (
      select created_at from usage_rows u where u.account_id = p_account and u.job_id = p_job
    )
    select min(created_at), max(created_at) into first_row, last_row from its_rows;
    -- Planned with these moments in it, so that it locks only the month of the rows. A kept plan would lock every month, wait
    -- for an archive of old ones, and keep back all charges of the account meanwhile.
    execute '
      update usage_rows u set units = s.units, credits_charged = s.credits
        from unnest($3, $4, $5, $6) as s (request, stage, units, credits)
        where u.created_at between $7 and $8
          and u.account_id = $1 and u.request_id = s.request and u.stage is not distinct from s.stage and u.job_id = $2
          -- Once: what a row was filled with stays.
          and u.status_code = 202 and u.units = 0 and u.credits_charged = 0'
      using p_account, p_job, p_request, p_stage, p_units, p_credits, first_row, last_row;
    get diagnostics filled = row_count;
  end if;
  if p_state = 'settled' and filled <> (
    select greatest(count(*), cardinality(p_request)) from usage_rows u
    where u.account_id = p_account and u.request_id = any (p_request) and u.job_id = p_job
  ) or p_state = 'settled' and filled = 0 then
    raise exception 'job % is settled with % stages, and % usage rows were filled', p_job, cardinality(p_request), filled;
  end if;
  return query select 'closed', cost, h.amount - cost, h.expiring - old_credits,
    a.balance - cost - (h.expiring - old_credits) - take_owed(p_account), a.held - h.amount;
end $$;
