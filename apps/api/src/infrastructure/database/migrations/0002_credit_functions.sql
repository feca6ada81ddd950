-- What an account can pay, and its cycles: how one ends and the next begins.

-- The credits that can be paid now: what no job holds, without those that are kept back (the last one of the account, where reading
-- what was paid for needs it), and no more than the limit of the key leaves (null: the key has none). Every function and every query
-- asks this function, and TypeScript asks `availableCredits` (credits/settlement.ts). PostgreSQL inlines it.
create function available_credits(p_balance bigint, p_held bigint, p_kept bigint default 0, p_key_left bigint default null)
returns bigint language sql immutable parallel safe as 'select greatest(0, least(p_balance - p_held - p_kept, p_key_left))';

-- What follows from a change of credits is a statement of the function that makes the change, and not a trigger: accounts can
-- then be spread over nodes by an engine that refuses triggers (guides/operations/capacity.md). These do nothing until a
-- later migration replaces them.

-- Sets the balance at which the next event of low credits is due (0131_credit_events.sql). Call it where the balance rises and
-- where the levels change, under the account's lock.
create function set_low_level(p_account uuid) returns void language sql as '';

-- Takes back what refunds ask for and jobs have held until now (0194_owed_credits.sql). Returns what was taken.
create function take_owed(p_account uuid) returns bigint language sql as 'select 0::bigint';

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
      -- Events of low credits (0131_credit_events.sql) are due again. What falls now has expired, so none is written.
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
-- 0193_prepaid_cycles.sql.
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
