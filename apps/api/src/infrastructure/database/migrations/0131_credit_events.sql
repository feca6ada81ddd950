-- The event credits.low: the balance has come down to a half, a fifth, or a twentieth of the grant of the cycle, or to a threshold
-- of a webhook. The functions that charge write it in their transaction. They compare the balance with accounts.low_at, which
-- is all that a charge without an event pays for.

alter table webhooks
  -- credits.low is also sent when the balance falls to so many credits.
  add column credits_threshold bigint;

-- When that was sent last: once in each cycle. A table of its own, because senders hold locks on the rows of webhooks: a charge
-- must not wait for them, and they lock in another order than levels have.
create table webhook_thresholds_sent (
  account_id  uuid not null,
  webhook_id  uuid not null,
  sent_at     timestamptz not null,
  primary key (account_id, webhook_id)
);

-- The levels of an account that are not reported in this cycle yet. part null: the threshold of those webhooks. Not with the row of
-- the account: a restore drops tables before functions, and a table whose row a function takes cannot be dropped.
create function low_levels(p_account uuid, p_granted bigint, p_sent integer, p_since timestamptz) returns table (part smallint, percent integer, webhooks uuid[], credits bigint)
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

-- Sets the balance at which the next event is due.
create or replace function set_low_level(p_account uuid) returns void language sql as $$
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

-- Of the accounts that there are.
select set_low_level(id) from accounts;
