-- What an account can pay, and its cycles: how one ends and the next begins.

-- The credits that can be paid now: what no job holds, without those that are kept back (the last one of the account, where reading
-- what was paid for needs it), and no more than the limit of the key leaves (null: the key has none). Every function and every query
-- asks this function, and TypeScript asks `availableCredits` (credits/settlement.ts). PostgreSQL inlines it.
create function available_credits(p_balance bigint, p_held bigint, p_kept bigint default 0, p_key_left bigint default null)
returns bigint language sql immutable parallel safe as 'select greatest(0, least(p_balance - p_held - p_kept, p_key_left))';

-- What follows from a change of credits is a statement of the function that makes the change, and not a trigger: accounts can
-- then be spread over nodes by an engine that refuses triggers (guides/operations/capacity.md).

-- Ends the account's cycle and begins the one whose terms stand in its row: what is left of the old grant expires as far
-- as no hold lies on it, and the new grant is given. What holds keep of the old grant becomes theirs, the oldest first.
create function begin_cycle(p_account uuid) returns void language plpgsql security definer as $$
declare
  a        accounts;
  gone     bigint;
  kept     bigint;
  granted  bigint;
begin
  select * into strict a from accounts where id = p_account for no key update;
  gone := least(a.grant_left, available_credits(a.balance, a.held));
  kept := a.grant_left - gone;
  granted := case when a.cycle_months is null and a.had_single_grant then 0 else a.credits_per_cycle end;
  if gone > 0 then
    insert into movements (account_id, kind, amount) values (a.id, 'expire', -gone);
  end if;
  if granted > 0 then
    insert into movements (account_id, kind, amount) values (a.id, 'grant', granted);
  end if;
  if kept > 0 then
    update holds set expiring = holds.expiring + least(h.room, kept - h.before)
      from (
        select job_id, amount - expiring as room,
          sum(amount - expiring) over (order by created_at, job_id) - (amount - expiring) as before
        from holds where account_id = a.id and state = 'open'
      ) h
      where holds.account_id = a.id and holds.job_id = h.job_id and h.before < kept;
  end if;
  update accounts set
      balance = a.balance - gone + granted,
      expiring = a.expiring + kept,
      grant_left = granted,
      granted_this_cycle = granted,
      had_single_grant = a.had_single_grant or a.cycle_months is null,
      -- Events of low credits (below) are due again. What falls now has expired, so none is written.
      low_sent = 0
    where id = a.id;
  perform set_low_level(a.id);
end $$;

-- The cycle of so many months, counted from an anchor, in which an instant lies. Each is counted from the anchor itself: a
-- cycle begun on the 31st ends with the last day of a short month and comes back to the 31st.
create function cycle_at(p_anchor timestamptz, p_months integer, p_at timestamptz, out begins timestamptz, out ends timestamptz)
language plpgsql stable
-- A month is a calendar's, and the calendar is UTC's in every session.
set timezone = 'UTC' as $$
declare
  cycles  integer := 1;
begin
  while p_anchor + cycles * make_interval(months => p_months) <= p_at loop
    cycles := cycles + 1;
  end loop;
  begins := p_anchor + (cycles - 1) * make_interval(months => p_months);
  ends := p_anchor + cycles * make_interval(months => p_months);
end $$;

-- Begins the account's current cycle if it is due; after several missed ones there is one expiry and one grant. A waiting
-- downgrade takes effect here, from the end of the cycle it waited for. Plans that are paid cycle by cycle renew in
-- 0011_purchases.sql.
create function renew_if_due(p_account uuid) returns boolean language plpgsql as $$
declare
  a  accounts;
begin
  select * into a from accounts where id = p_account for no key update;
  if a.renews_at is null or a.renews_at > now() then
    return false;
  end if;
  if a.prepaid then
    perform renew_prepaid(p_account);
    return true;
  end if;
  a.current_period_start := a.renews_at;
  if a.next_plan is not null then
    -- Cycles of another length are counted from where they begin; of the same length, the day of the month stays.
    if a.next_cycle_months is distinct from a.cycle_months then
      a.cycle_anchor := a.renews_at;
    end if;
    a.plan := a.next_plan;
    a.credits_per_cycle := a.next_credits_per_cycle;
    a.rate_limit_per_minute := a.next_rate_limit_per_minute;
    a.denied_operations := a.next_denied_operations;
    a.cycle_months := a.next_cycle_months;
  end if;
  if a.cycle_months is null then
    a.renews_at := null;
  else
    select c.begins, c.ends into a.current_period_start, a.renews_at
      from cycle_at(a.cycle_anchor, a.cycle_months, now()) c;
  end if;
  update accounts set
      plan = a.plan, credits_per_cycle = a.credits_per_cycle, rate_limit_per_minute = a.rate_limit_per_minute,
      denied_operations = a.denied_operations, cycle_months = a.cycle_months,
      next_plan = null, next_credits_per_cycle = null, next_rate_limit_per_minute = null,
      next_denied_operations = null, next_cycle_months = null,
      cycle_anchor = a.cycle_anchor, current_period_start = a.current_period_start, renews_at = a.renews_at
    where id = a.id;
  perform begin_cycle(a.id);
  return true;
end $$;

-- Adds credits beside the grant; they carry over from cycle to cycle and are spent last. Whether the account's plan takes
-- any is the caller's to check, under its lock on the account.
create function top_up(p_account uuid, p_amount bigint) returns table (balance bigint, held bigint)
language plpgsql security definer as $$
begin
  perform from accounts where id = p_account for no key update;
  insert into movements (account_id, kind, amount) values (p_account, 'topup', p_amount);
  return query update accounts set balance = accounts.balance + p_amount where id = p_account
    returning accounts.balance, accounts.held;
  perform set_low_level(p_account);
end $$;

-- Adds credits to the balance (p_amount > 0) or takes them away (p_amount < 0), for the reason that is given. What is added
-- carries over and is spent last, as top-ups are, whatever the plan. What is taken away comes from there first and then from
-- the grant; what is held stays held.
-- verdict 'adjusted'; 'insufficient': fewer credits than that are available; 'unknown': there is no such account. Nothing
-- was changed in the last two.
create function adjust_credits(p_account uuid, p_amount bigint, p_reason text)
returns table (verdict text, balance bigint, held bigint) language plpgsql security definer as $$
declare
  a  accounts;
begin
  perform renew_if_due(p_account);
  select * into a from accounts where id = p_account for no key update;
  if not found then
    return query select 'unknown', 0::bigint, 0::bigint;
    return;
  end if;
  if available_credits(a.balance, a.held) < -p_amount then
    return query select 'insufficient', a.balance, a.held;
    return;
  end if;
  insert into movements (account_id, kind, amount, reason) values (p_account, 'adjust', p_amount, p_reason);
  update accounts set
      balance = a.balance + p_amount,
      grant_left = least(a.grant_left, a.balance + p_amount - a.expiring)
    where id = p_account;
  if p_amount > 0 then
    perform set_low_level(p_account);
  elsif a.balance + p_amount <= a.low_at then
    perform report_low_credits(p_account, a.balance);
  end if;
  return query select 'adjusted', a.balance + p_amount, a.held;
end $$;

-- Takes back credits that were bought and refunded, as far as they are not spent, in one movement: up to p_of_grant of the grant of the
-- running cycle, and up to p_of_rest of what carries over. What is held stays held. Returns what was taken of each.
create function take_back(p_account uuid, p_of_grant bigint, p_of_rest bigint, p_reason text, out of_grant bigint, out of_rest bigint)
language plpgsql security definer as $$
declare
  a  accounts;
begin
  perform renew_if_due(p_account);
  select * into strict a from accounts where id = p_account for no key update;
  of_grant := greatest(0, least(p_of_grant, a.grant_left, available_credits(a.balance, a.held)));
  of_rest := greatest(0, least(p_of_rest, a.balance - a.grant_left - a.expiring, available_credits(a.balance, a.held, of_grant)));
  if of_grant + of_rest = 0 then
    return;
  end if;
  insert into movements (account_id, kind, amount, reason) values (p_account, 'adjust', -(of_grant + of_rest), p_reason);
  update accounts set balance = a.balance - of_grant - of_rest, grant_left = a.grant_left - of_grant where id = p_account;
  if a.balance - of_grant - of_rest <= a.low_at then
    perform report_low_credits(p_account, a.balance);
  end if;
end $$;

-- Gives back credits that take_back has taken: p_to_grant of them to the grant of the running cycle, of which they were, and the others
-- carry over. The account is locked, and its cycle is not due.
create function give_back(p_account uuid, p_amount bigint, p_to_grant bigint, p_reason text) returns void
language plpgsql security definer as $$
begin
  insert into movements (account_id, kind, amount, reason) values (p_account, 'adjust', p_amount, p_reason);
  update accounts set balance = balance + p_amount, grant_left = grant_left + p_to_grant where id = p_account;
  perform set_low_level(p_account);
end $$;

-- Limits of keys (the table key_limits): the most credits that a key may spend, in all or in each day, week, or month in UTC. What
-- is held for jobs counts when it is held and comes back when it is released. The counter is changed only under the lock of its
-- account, in the statements that charge and hold (0013_holds.sql, 0014_charges.sql), so a limit is exact to
-- the credit.

-- When the period that a moment lies in ends, in UTC. A week begins on Monday. null: a total has no end.
create function limit_period_end(p_per text, p_at timestamptz) returns timestamptz
language plpgsql stable
-- A day is the calendar's, and the calendar is UTC's in every session.
set timezone = 'UTC' as $$
begin
  return case when p_per = 'total' then null else date_trunc(p_per, p_at) + ('1 ' || p_per)::interval end;
end $$;

-- What the limits of keys leave now. Nothing is written when a period ends: the next charge begins the new one.
create view key_allowances as
  select k.id as key_id, l.id as limit_id, l.credits, l.per,
    case when l.period_ends <= now() then 0 else l.used end as used,
    case when l.period_ends <= now() then l.credits else l.remaining end as remaining,
    case when l.period_ends <= now() then limit_period_end(l.per, now()) else l.period_ends end as resets_at
  from api_keys k join key_limits l on l.id = k.limit_id;

-- Begins the period of those of the limits whose last one is over. A transaction that began before midnight and got its lock
-- later counts in the new period: a period that has begun is never left again.
create function begin_limit_periods(p_limits uuid[]) returns void language sql as $$
  update key_limits set
      used = 0, most = credits, reached_at = null,
      period_ends = limit_period_end(per, now()), counted_after = nextval('movements_id_seq')
    where id = any (p_limits) and period_ends <= now();
$$;

-- The limit of a key in its present period, or null. The account of the key is locked.
create function lock_key_limit(p_key uuid) returns key_limits language plpgsql as $$
declare
  l  key_limits;
begin
  perform begin_limit_periods(array(select limit_id from api_keys where id = p_key));
  select kl.* into l from api_keys k join key_limits kl on kl.id = k.limit_id where k.id = p_key;
  return l;
end $$;

-- The limits of keys in their present periods, what each of them leaves, and the place in the list of the limit of each key, null for
-- a key that has none. The accounts of the keys are locked.
create function limits_of_keys(p_keys uuid[], out limits uuid[], out lefts bigint[], out limit_of integer[])
language plpgsql as $$
declare
  of_keys  uuid[];
begin
  select array_agg(k.limit_id order by e.ord) into of_keys
    from unnest(p_keys) with ordinality as e (key, ord) left join api_keys k on k.id = e.key;
  perform begin_limit_periods(of_keys);
  select coalesce(array_agg(l.id), '{}'), coalesce(array_agg(l.remaining), '{}') into limits, lefts
    from key_limits l where l.id = any (of_keys);
  select array_agg(array_position(limits, e.id) order by e.ord) into limit_of
    from unnest(of_keys) with ordinality as e (id, ord);
end $$;

-- Writes the event key.limit_reached. Call it in the statement after the one that sets reached_at, once in a period.
create function report_key_limit(p_limit uuid) returns void language plpgsql as $$
declare
  l  record;
begin
  select * into strict l from key_limits where id = p_limit;
  perform write_events(l.account_id, 'key_limit', l.id::text, new_event_id(), 'key.limit_reached', now(), json_build_object(
    'key_ids', (select json_agg(id order by created_at) from api_keys
      where limit_id = l.id and coalesce(least(revoked_at, expires_at) > now(), true)),
    'limit', json_build_object('credits', l.credits, 'per', l.per),
    'used', l.used, 'remaining', l.remaining,
    'resets_at', to_char(l.period_ends at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text);
end $$;

-- Counts what was charged or held: p_counted credits for each of the limits. p_reached: whether the limit has kept a charge
-- from being made, or from being greater.
create function count_key_limits(p_limits uuid[], p_counted bigint[], p_reached boolean[]) returns void
language plpgsql as $$
declare
  newly_reached  uuid[];
begin
  with counted as (
    update key_limits l set
        used = l.used + c.counted,
        reached_at = coalesce(l.reached_at, case when c.reached or l.used + c.counted >= l.credits then now() end)
      from unnest(p_limits, p_counted, p_reached) as c (id, counted, reached)
        -- The row as it is before this statement. It does not change meanwhile: its account is locked.
        join key_limits before on before.id = c.id
      where l.id = c.id and (c.counted > 0 or c.reached)
      returning l.id, before.reached_at is null and l.reached_at is not null as is_new
  )
  select array_agg(id) filter (where is_new) into newly_reached from counted;
  perform report_key_limit(id) from unnest(newly_reached) as id;
end $$;

-- Sets the limit of a key and of the keys that share it, or removes it (p_credits null). It counts what is charged and held from
-- now on. A limit for the same period keeps what was used; one for another period begins at 0.
create function set_key_limit(p_key uuid, p_credits bigint, p_per text) returns void language plpgsql as $$
declare
  account  uuid;
  l        key_limits;
begin
  select account_id into strict account from api_keys where id = p_key;
  perform from accounts where id = account for no key update;
  l := lock_key_limit(p_key);
  if p_credits is null then
    update api_keys set limit_id = null where limit_id = l.id;
    delete from key_limits where id = l.id;
    update accounts set has_key_limits = exists (select from key_limits where account_id = account) where id = account;
  elsif l.per = p_per then
    update key_limits set
        credits = p_credits, most = greatest(most, p_credits),
        reached_at = case when used >= p_credits then coalesce(reached_at, now()) end
      where id = l.id;
    -- Lowered to what was used.
    if l.reached_at is null and l.used >= p_credits then
      perform report_key_limit(l.id);
    end if;
  elsif l.id is not null then
    update key_limits set
        credits = p_credits, most = p_credits, per = p_per, used = 0, reached_at = null,
        period_ends = limit_period_end(p_per, now()), counted_after = nextval('movements_id_seq')
      where id = l.id;
  else
    insert into key_limits (account_id, credits, per, most, period_ends, counted_after)
      values (account, p_credits, p_per, p_credits, limit_period_end(p_per, now()), nextval('movements_id_seq'))
      returning * into l;
    update api_keys set limit_id = l.id where id = p_key;
    update accounts set has_key_limits = true where id = account;
  end if;
end $$;

-- The event credits.low: the balance has come down to a half, a fifth, or a twentieth of the grant of the cycle, or to a threshold
-- of a webhook. The functions that charge write it in their transaction. They compare the balance with accounts.low_at, which
-- is all that a charge without an event pays for.

-- The levels of an account that are not reported in this cycle yet. part null: the threshold of those webhooks. Not with the row of
-- the account: a restore drops tables before functions, and a table whose row a function takes cannot be dropped.
create function low_levels(p_account uuid, p_granted bigint, p_sent integer, p_since timestamptz)
returns table (part smallint, percent integer, webhooks uuid[], credits bigint)
language sql stable as $$
  select p.part, p.percent, null::uuid[], p_granted * p.percent / 100
    from (values (1::smallint, 50), (2::smallint, 20), (4::smallint, 5)) p (part, percent)
    where p_granted > 0 and p_sent & p.part = 0
  union all
  select null, null, array_agg(w.id), w.credits_threshold
    from webhooks w left join webhook_thresholds_sent t on t.account_id = w.account_id and t.webhook_id = w.id
    where w.account_id = p_account and w.revoked_at is null and w.credits_threshold is not null
      and coalesce(t.sent_at < p_since, true)
    group by w.credits_threshold
$$;

-- Sets the balance at which the next event is due. Call it where the balance rises and where the levels change, under the account's
-- lock.
create function set_low_level(p_account uuid) returns void language sql as $$
  update accounts a set low_at = coalesce((select max(l.credits) from low_levels(
      a.id, a.granted_this_cycle, a.low_sent, a.current_period_start) l where l.credits < a.balance), -1)
    where a.id = p_account
$$;

-- Writes an event for each level that the balance has come down to from p_before, and sets the next level. Call it after the
-- charge, in its transaction and under the account's lock, if the balance is not above low_at.
create function report_low_credits(p_account uuid, p_before bigint) returns void language plpgsql as $$
declare
  a  record;
  l  record;
begin
  select id, balance, held, granted_this_cycle, low_sent, current_period_start into strict a from accounts where id = p_account;
  for l in select * from low_levels(a.id, a.granted_this_cycle, a.low_sent, a.current_period_start)
    where credits >= a.balance and credits < p_before order by credits desc loop
    -- A threshold concerns its own webhooks only: an account has at most 100, so a charge writes at most 100 deliveries for
    -- all thresholds, and 100 for each part of the grant.
    perform write_events(a.id, 'account', a.id::text, new_event_id(), 'credits.low', now(), json_build_object(
      'credits', json_build_object('balance', a.balance, 'held', a.held, 'available', available_credits(a.balance, a.held),
        'granted_this_cycle', a.granted_this_cycle),
      'threshold', json_build_object('credits', l.credits, 'percent', l.percent))::text, l.webhooks);
    if l.part is null then
      -- A transaction that began before the cycle, and waited for the renewal, charges in the new cycle.
      insert into webhook_thresholds_sent as t (account_id, webhook_id, sent_at)
        select a.id, webhook, greatest(now(), a.current_period_start) from unnest(l.webhooks) as webhook
        on conflict (account_id, webhook_id) do update set sent_at = excluded.sent_at;
    else
      update accounts set low_sent = low_sent | l.part where id = a.id;
    end if;
  end loop;
  perform set_low_level(a.id);
end $$;
