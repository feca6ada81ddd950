-- Plans that are paid cycle by cycle. When a cycle ends, the plan that was paid in advance begins (purchases.in_advance), and without one
-- the plan becomes Free. Each cycle that was paid has its grant, also when it is over before the account is looked at again.

-- What the plan Free gives, as accounts/plans.ts has it.
create function free_plan(out credits bigint, out rate integer) language sql immutable as 'select 100::bigint, 20';

create function renew_prepaid(p_account uuid) returns void language plpgsql as $$
declare
  a      accounts;
  ahead  uuid;
begin
  loop
    select * into strict a from accounts where id = p_account for no key update;
    exit when not a.prepaid or a.renews_at is null or a.renews_at > now();
    select id into ahead from purchases where account_id = p_account and in_advance and movement_id is null;
    if a.next_plan is null then
      a.next_plan := 'free';
      select credits, rate into a.next_credits_per_cycle, a.next_rate_limit_per_minute from free_plan();
      a.next_denied_operations := '{}';
      a.next_cycle_months := null;
    end if;
    if a.next_cycle_months is distinct from a.cycle_months then
      a.cycle_anchor := a.renews_at;
    end if;
    update accounts set
        plan = a.next_plan, credits_per_cycle = a.next_credits_per_cycle,
        rate_limit_per_minute = a.next_rate_limit_per_minute, denied_operations = a.next_denied_operations,
        cycle_months = a.next_cycle_months, cycle_anchor = a.cycle_anchor, current_period_start = a.renews_at,
        renews_at = case when a.next_cycle_months is not null
          then (select c.ends from cycle_at(a.cycle_anchor, a.next_cycle_months, a.renews_at) c) end,
        -- Terms that were not paid here are the operator's.
        prepaid = ahead is not null,
        next_plan = null, next_credits_per_cycle = null, next_rate_limit_per_minute = null, next_denied_operations = null,
        next_cycle_months = null
      where id = p_account;
    perform begin_cycle(p_account);
    if ahead is not null then
      perform note_purchase(ahead, 'plan');
      perform take_owed(p_account);
    elsif a.next_cycle_months is not null then
      -- Terms of the operator may have begun more than a cycle ago.
      perform renew_if_due(p_account);
    end if;
  end loop;
end $$;

-- Explains the latest movement of the account as what the purchase has given.
create function note_purchase(p_purchase uuid, p_kind text) returns void language plpgsql as $$
declare
  p  purchases;
begin
  select * into strict p from purchases where id = p_purchase;
  perform note_operator_entry(p.account_id, p_kind, 'purchase ' || p.id, null,
    format('%s %s for %s %s', initcap(p.kind), p.item, to_char(p.price / 100.0, 'FM999999990.00'), upper(p.currency)),
    coalesce(p.operator, p.payment));
  update purchases set movement_id = o.movement_id from operator_entries o
    where purchases.id = p.id and o.account_id = p.account_id and o.reference = 'purchase ' || p.id;
end $$;

-- Another change of plan takes the place of a cycle that was paid in advance: its credits are added, and carry over.
create function credit_cycle_in_advance(p_account uuid) returns void language plpgsql as $$
declare
  ahead  purchases;
begin
  select * into ahead from purchases where account_id = p_account and in_advance and movement_id is null for update;
  if found then
    perform top_up(p_account, ahead.credits);
    perform note_purchase(ahead.id, 'topup');
    perform take_owed(p_account);
  end if;
end $$;

do $$ begin
  execute format('alter function take_back set search_path = %I, pg_temp', current_schema());
  execute format('alter function give_back set search_path = %I, pg_temp', current_schema());
end $$;
