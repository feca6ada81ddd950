-- Events about credits: credits.low, when the balance falls to a half, a fifth, or a twentieth of the grant of the cycle, or to a
-- threshold of a webhook; and key.limit_reached. They are written in the transaction that charges, by triggers whose conditions
-- are all that a charge without an event pays for.

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

-- `evt_` and a ULID, as the service makes them.
create function new_event_id() returns text language sql volatile as $$
  select 'evt_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      1 + case when n < 10 then ((e.ms >> (45 - 5 * n)) & 31)::integer else get_byte(e.bytes, n) & 31 end, 1), '' order by n)
  from generate_series(0, 25) n,
    (select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms,
       uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as bytes) e
$$;

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

-- Sets the balance at which the next event is due. Call it where levels change, under the account's lock.
create function set_low_level(p_account uuid) returns void language sql as $$
  update accounts a set low_at = coalesce((select max(l.credits) from low_levels(
      a.id, a.granted_this_cycle, a.low_sent, a.current_period_start) l where l.credits < a.balance), -1)
    where a.id = p_account
$$;

create function report_low_credits() returns trigger language plpgsql as $$
declare
  l  record;
begin
  -- A new cycle reports nothing: what falls then has expired.
  if new.balance < old.balance and new.low_sent >= old.low_sent then
    for l in select * from low_levels(new.id, new.granted_this_cycle, new.low_sent, new.current_period_start)
      where credits >= new.balance and credits < old.balance order by credits desc loop
      -- A threshold is its own webhooks' affair: an account has at most 100, so a charge writes at most 100 deliveries for all
      -- thresholds, and 100 for each part of the grant.
      perform write_events(new.id, 'account', new.id::text, new_event_id(), 'credits.low', now(), json_build_object(
        'credits', json_build_object('balance', new.balance, 'held', new.held, 'available', new.balance - new.held,
          'granted_this_cycle', new.granted_this_cycle),
        'threshold', json_build_object('credits', l.credits, 'percent', l.percent))::text, l.webhooks);
      if l.part is null then
        insert into webhook_thresholds_sent as t (account_id, webhook_id, sent_at)
          select new.id, webhook, now() from unnest(l.webhooks) as webhook
          on conflict (account_id, webhook_id) do update set sent_at = excluded.sent_at;
      else
        update accounts set low_sent = low_sent | l.part where id = new.id;
      end if;
    end loop;
  end if;
  perform set_low_level(new.id);
  return null;
end $$;

create trigger report_low_credits after update of balance on accounts for each row
  when (new.balance > old.balance or new.balance <= new.low_at or new.granted_this_cycle <> old.granted_this_cycle)
  execute function report_low_credits();

create function report_key_limit() returns trigger language plpgsql as $$
begin
  perform write_events(new.account_id, 'key_limit', new.id::text, new_event_id(), 'key.limit_reached', now(), json_build_object(
    'key_ids', (select json_agg(id order by created_at) from api_keys
      where limit_id = new.id and coalesce(least(revoked_at, expires_at) > now(), true)),
    'limit', json_build_object('credits', new.credits, 'per', new.per),
    'used', new.used, 'remaining', greatest(0, new.credits - new.used),
    'resets_at', to_char(new.period_ends at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text);
  return null;
end $$;

create trigger report_key_limit after update of reached_at on key_limits for each row
  when (old.reached_at is null and new.reached_at is not null)
  execute function report_key_limit();
