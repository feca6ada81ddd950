-- Limits of keys (the table key_limits): the most credits that a key may spend, in all or in each day, week, or month in UTC. What
-- is held for jobs counts when it is held and comes back when it is released. The counter is changed only under the lock of its
-- account, in the statements that charge and hold (0005_hold_functions.sql, 0006_charge_functions.sql), so a limit is exact to
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
