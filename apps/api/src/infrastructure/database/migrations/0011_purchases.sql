-- What accounts buy in the portal: packs of credits, and plans. A purchase that is paid is granted once: its movement is the one that
-- gave its credits.
create table purchases (
  id              uuid primary key default gen_random_uuid(),
  account_id      uuid not null references accounts (id),
  kind            text not null check (kind in ('pack', 'plan')),
  -- The id of the pack in the price list of that day, or the plan.
  item            short_text not null,
  -- Of the pack, or of one cycle of the plan.
  credits         bigint not null check (credits > 0),
  -- In hundredths of the currency.
  price           integer not null check (price > 0),
  currency        text not null check (currency ~ '^[a-z]{3}$'),
  payment         text not null check (payment in ('manual', 'stripe')),
  -- open: waits for the operator or for the payment. failed: the payment has failed.
  state           text not null default 'open' check (state in ('open', 'paid', 'refused', 'cancelled', 'failed')),
  -- The key of the session that ordered it.
  key_id          uuid not null,
  -- Of the form that ordered it. A form that is sent twice is one order.
  form_id         uuid,
  -- The Checkout session at Stripe, and the payment that was made in it.
  checkout        text,
  checkout_url    text,
  -- How many sessions Stripe has refused to make. The next one has another idempotency key: for one, Stripe repeats its answer.
  refused_checkouts integer not null default 0,
  payment_intent  text unique,
  -- A plan that is paid while another cycle runs: it begins when that one ends.
  in_advance      boolean not null default false,
  -- The operator who approved or refused it, and why.
  operator        short_text,
  reason          short_text,
  -- null: not granted. A plan that is paid in advance is granted when its cycle begins.
  movement_id     bigint,
  -- Of a plan whose cycle is over: credits that a refund had taken and that were given back when it failed, or when a dispute was won.
  -- They carry over, and the next refund takes them.
  carried         bigint not null default 0 check (carried >= 0),
  created_at      timestamptz not null default now(),
  -- When it was paid, refused, cancelled, or has failed.
  closed_at       timestamptz,
  constraint open_purchases_are_not_closed check ((state = 'open') = (closed_at is null)),
  constraint only_paid_purchases_are_granted check (movement_id is null or state = 'paid'),
  constraint only_paid_plans_are_in_advance check (not in_advance or (kind = 'plan' and state = 'paid'))
);
create index purchases_of_account on purchases (account_id, created_at desc);
create index open_purchases on purchases (created_at) where state = 'open';
create unique index purchases_by_movement on purchases (account_id, movement_id) where movement_id is not null;
create unique index purchases_by_form on purchases (account_id, form_id);
-- Two open plans would contradict each other.
create unique index one_open_plan on purchases (account_id) where kind = 'plan' and state = 'open';
create unique index one_plan_in_advance on purchases (account_id) where in_advance and movement_id is null;

-- What was paid back of a purchase: each refund and each dispute, by its id at Stripe.
create table purchase_reversals (
  purchase_id  uuid not null references purchases (id),
  cause        text not null,
  kind         text not null check (kind in ('refund', 'dispute')),
  -- In hundredths of the currency.
  amount       integer not null check (amount > 0),
  -- The refund has failed, or the dispute was won: it asks for nothing, and what it has taken is given back. This is final.
  is_void      boolean not null default false,
  -- Credits that it has asked back, and those of them that were not spent and were taken.
  claimed      bigint not null default 0,
  taken        bigint not null default 0,
  -- Those that were held by jobs, or are of a cycle that has not begun: they are taken when a job releases them (close_hold), and when
  -- the cycle begins (renew_prepaid).
  owed         bigint not null default 0,
  -- How often these figures have changed: the number is in the reference of each entry, so no two entries have the same.
  changes      integer not null default 0,
  created_at   timestamptz not null default now(),
  primary key (purchase_id, cause),
  constraint taken_within_claimed check (0 <= taken and taken <= claimed),
  constraint owed_within_claimed check (0 <= owed and taken + owed <= claimed)
);
create index owed_reversals on purchase_reversals (purchase_id) where owed > 0;

-- Requests to Stripe that customers cause (billing/stripe-turns.ts): the one that is under way for an account. All processes take their
-- turns here, and how many there are is in budgets. A row is deleted when its request is over.
create table stripe_turns (
  account_id  uuid primary key,
  -- Of the holder. A holder that was too slow must not end the turn of its successor.
  token       uuid not null,
  -- When the turn is over even if its process was killed.
  held_until  timestamptz not null
);

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

-- Whether the grant of the running cycle is one that a purchase has paid for at Stripe. Movements may be archived while a long cycle runs;
-- entries stay.
create function is_cycle_paid(p_account uuid) returns boolean language sql stable as $$
  select exists (
    select from accounts a
      join operator_entries o on o.account_id = a.id and o.kind = 'plan' and o.created_at >= a.current_period_start
      join purchases p on p.account_id = a.id and p.movement_id = o.movement_id and p.item = a.plan and p.payment = 'stripe'
    where a.id = p_account)
$$;

-- Whether the grant of the running cycle is the one that the purchase has given.
create function is_grant_running(p_purchase uuid) returns boolean language sql stable as $$
  select exists (
    select from purchases p
      join accounts a on a.id = p.account_id and a.plan = p.item
      join operator_entries o on o.account_id = p.account_id and o.movement_id = p.movement_id and o.kind = 'plan'
        and o.created_at >= a.current_period_start
    where p.id = p_purchase
      and o.movement_id = (select max(movement_id) from operator_entries where account_id = p.account_id and kind = 'plan'))
$$;

-- Whether the purchase has given a grant. Others have given credits that carry over.
create function has_grant(p_purchase uuid) returns boolean language sql stable as $$
  select exists (
    select from purchases p
      join operator_entries o on o.account_id = p.account_id and o.movement_id = p.movement_id and o.kind = 'plan'
    where p.id = p_purchase)
$$;

-- Takes back credits of a purchase as far as they are not spent (take_back), with an operator entry. `owed` is what can be taken later:
-- credits that jobs hold, or the cycle has not begun. The account is locked.
create function take_purchase_back(p_purchase uuid, p_most bigint, p_reference text, p_reason text,
  out taken bigint, out owed bigint) language plpgsql as $$
declare
  p           purchases;
  a           accounts;
  back        record;
  most_grant  bigint := 0;
  most_rest   bigint;
begin
  taken := 0;
  owed := 0;
  select * into strict p from purchases where id = p_purchase;
  perform renew_if_due(p.account_id);
  select * into strict p from purchases where id = p_purchase;
  if p.movement_id is null then
    owed := case when p.in_advance then p_most else 0 end;
    return;
  end if;
  select * into strict a from accounts where id = p.account_id for no key update;
  most_rest := a.balance - a.grant_left - a.expiring;
  if has_grant(p.id) then
    -- The grant of a cycle that is over is gone, but for what was given back since then.
    if is_grant_running(p.id) then
      most_grant := least(p_most, a.grant_left);
    end if;
    most_rest := least(most_rest, p.carried);
  end if;
  most_rest := least(most_rest, p_most - most_grant);
  select * into back from take_back(p.account_id, most_grant, most_rest, p_reason);
  taken := back.of_grant + back.of_rest;
  owed := most_grant + most_rest - taken;
  if taken > 0 then
    perform note_operator_entry(p.account_id, 'adjust', p_reference, null, null, 'stripe');
  end if;
  if back.of_rest > 0 and has_grant(p.id) then
    update purchases set carried = carried - back.of_rest where id = p.id;
  end if;
end $$;

-- Gives back what take_purchase_back has taken (give_back), with an operator entry: to the grant of the running cycle if the purchase has
-- given it, so that another refund finds the credits there. Otherwise they carry over. The account is locked.
create function give_purchase_back(p_purchase uuid, p_amount bigint, p_reference text, p_reason text) returns void
language plpgsql as $$
declare
  p         purchases;
  a         accounts;
  to_grant  bigint := 0;
begin
  select * into strict p from purchases where id = p_purchase;
  perform renew_if_due(p.account_id);
  select * into strict a from accounts where id = p.account_id for no key update;
  if is_grant_running(p.id) then
    to_grant := least(p_amount, a.granted_this_cycle - a.grant_left);
  end if;
  perform give_back(p.account_id, p_amount, to_grant, p_reason);
  perform note_operator_entry(p.account_id, 'adjust', p_reference, null, null, 'stripe');
  if has_grant(p.id) and to_grant < p_amount then
    update purchases set carried = carried + p_amount - to_grant where id = p.id;
  end if;
end $$;

-- Takes back what refunds ask for and jobs have held until now. Returns what was taken.
create function take_owed(p_account uuid) returns bigint language plpgsql as $$
declare
  r      record;
  back   record;
  total  bigint := 0;
begin
  for r in
    select v.*, p.kind, p.item from purchase_reversals v join purchases p on p.id = v.purchase_id
    where v.owed > 0 and p.account_id = p_account
    order by v.created_at, v.purchase_id, v.cause
  loop
    select * into back from take_purchase_back(r.purchase_id, r.owed,
      format('%s, change %s, purchase %s', r.cause, r.changes + 1, r.purchase_id),
      format('Paid back: %s %s', initcap(r.kind), r.item));
    update purchase_reversals set taken = r.taken + back.taken, owed = back.owed, changes = r.changes + 1
      where purchase_id = r.purchase_id and cause = r.cause;
    total := total + back.taken;
  end loop;
  return total;
end $$;
