-- Credits that were paid back while jobs held them, and credits of a cycle that was paid in advance and paid back in part: they are taken
-- when a job releases them (close_hold), and when the cycle begins (renew_prepaid).
alter table purchase_reversals
  add column owed bigint not null default 0,
  add constraint owed_within_claimed check (0 <= owed and taken + owed <= claimed);
create index owed_reversals on purchase_reversals (purchase_id) where owed > 0;

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

create or replace function take_owed(p_account uuid) returns bigint language plpgsql as $$
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
