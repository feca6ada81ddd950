-- The statement that charges for calls, on the hot path, and for events. It is a function because deciding and writing must be
-- one round trip: the same work as a transaction of two statements costs four times as much.

-- Settles a group of calls or events: decides each one's charge in the order given, and writes the usage rows, which are
-- the postings of the charges too.
--
-- Accounts are locked in id order, so two groups never deadlock. Each entry is decided against what the entries before
-- it have left: a plain `update … from (values …)` would apply one of two charges to the same account and drop the
-- other in silence.
--
-- mode 'free': nothing is charged.   mode 'call': the price, whatever the units, or nothing at all.
-- mode 'row':  greatest(minimum, price × units), with units cut to what is available.
-- mode 'key_limit': like 'free', for a call that the limit of its key has refused. p_price is what the call required.
-- mode 'event': like 'row', for events that no call waits for, such as those of watches. The account keeps its last credit, which
--               reading them needs; the limit of a key keeps none. p_admitted is null: their moment is that of the charge.
--
-- A key may have a limit (0012_cycles_and_limits.sql): the smaller of what is available and what the limit leaves applies. key_left is
-- what the limit leaves after the call; null: the key has none.
--
-- verdict 'settled'; 'insufficient' (nothing charged; a call is recorded as 402, and of an event nothing is written); 'stale': the
-- cached record that the answer was made from is no longer current, nothing at all is written and the caller asks again. p_zpid,
-- p_generation, and p_source are null if no call was answered from a record.
create function settle_calls(
  p_account    uuid[],
  p_key        uuid[],
  p_request    text[],
  p_endpoint   text[],
  p_operation  text[],
  p_actor      text[],
  p_status     integer[],
  p_admitted   timestamptz[],
  p_mode       text[],
  p_units      bigint[],
  p_price      bigint[],
  p_minimum    bigint[],
  p_zpid       text[],
  p_generation bigint[],
  p_source     text[]
) returns table (verdict text, units bigint, charged bigint, balance bigint, held bigint, key_left bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  ids        uuid[];
  balances   bigint[];
  helds      bigint[];
  low_ats    bigint[];
  spent      bigint[];
  due        boolean;
  current    boolean[];
  -- Whether keys of these accounts have limits; the limits of the calls' keys; what each leaves, counts, and has refused; and
  -- which of them applies to each call.
  limited    boolean;
  limits     uuid[];
  lefts      bigint[];
  counted    bigint[];
  reached    boolean[];
  limit_of   integer[];
  lim        integer;
  at         integer;
  is_event   boolean;
  available  bigint;
  cost       bigint;
  granted    bigint[] := '{}';
  charges    bigint[] := '{}';
  -- null: no usage row is written.
  statuses   integer[] := p_status;
  moments    timestamptz[] := p_admitted;
  hour_ago   timestamptz;
  -- Whether an account has come down to a level of low credits.
  is_low     boolean := false;
begin
  select array_agg(a.id), array_agg(a.balance), array_agg(a.held), array_agg(a.low_at), array_agg(0::bigint),
      bool_or(a.renews_at <= now()), bool_or(a.has_key_limits)
    into ids, balances, helds, low_ats, spent, due, limited
    from (
      select accounts.id, accounts.balance, accounts.held, accounts.low_at, accounts.renews_at, accounts.has_key_limits
      from accounts where accounts.id = any (p_account) order by accounts.id for no key update
    ) a;
  if due then
    perform renew_if_due(id) from unnest(ids) as id;
    select array_agg(a.balance order by a.id), array_agg(a.held order by a.id), array_agg(a.low_at order by a.id)
      into balances, helds, low_ats from accounts a where a.id = any (ids);
  end if;
  if limited then
    select l.limits, l.lefts, l.limit_of into limits, lefts, limit_of from limits_of_keys(p_key) l;
    counted := array_fill(0::bigint, array[cardinality(limits)]);
    reached := array_fill(false, array[cardinality(limits)]);
  end if;

  -- Freshness is judged after the locks, in the statement that charges: no process serves a copy that an import has
  -- already replaced.
  if p_zpid is not null then
    select array_agg(e.zpid is null or c.zpid is not null order by e.ord) into current
      from unnest(p_source, p_zpid, p_generation) with ordinality as e (source, zpid, generation, ord)
      left join current_records c
        on c.source = e.source and c.zpid = e.zpid and c.generation is not distinct from e.generation;
  end if;

  hour_ago := clock_timestamp() - interval '1 hour';
  for i in 1 .. cardinality(p_account) loop
    -- The events of an account follow each other, and there may be thousands.
    if at is null or ids[at] <> p_account[i] then
      at := array_position(ids, p_account[i]);
      if at is null then
        raise exception 'no account %', p_account[i];
      end if;
    end if;
    if limited then
      lim := limit_of[i];
    end if;
    is_event := p_mode[i] = 'event';
    available := available_credits(balances[at] - spent[at], helds[at], is_event::integer, lefts[lim]);
    verdict := 'settled';
    granted[i] := 0;
    charges[i] := 0;
    if not current[i] then
      verdict := 'stale';
      statuses[i] := null;
    elsif p_mode[i] = 'key_limit' then
      -- Meanwhile the limit may have been removed (null), reset or raised, or a hold may have been released.
      if lim is not null and lefts[lim] < p_price[i] then
        reached[lim] := true;
      end if;
    elsif p_mode[i] <> 'free' then
      if p_mode[i] = 'call' then
        granted[i] := p_units[i];
        cost := p_price[i];
      else
        granted[i] := case when p_price[i] = 0 then p_units[i] else least(p_units[i], available / p_price[i]) end;
        cost := greatest(p_minimum[i], p_price[i] * granted[i]);
      end if;
      -- Rows that nothing is left for are refused, not sold as an empty answer at the minimum.
      if cost > available or (granted[i] = 0 and p_units[i] > 0) then
        verdict := 'insufficient';
        granted[i] := 0;
        statuses[i] := case when not is_event then 402 end;
      else
        charges[i] := cost;
        spent[at] := spent[at] + cost;
        if balances[at] - spent[at] <= low_ats[at] then
          is_low := true;
        end if;
      end if;
      if limited and lim is not null then
        -- The limit was the smaller of the two, and not enough for all units.
        if available = lefts[lim] and (verdict <> 'settled' or granted[i] < p_units[i]) then
          reached[lim] := true;
        end if;
        lefts[lim] := lefts[lim] - charges[i];
        counted[lim] := counted[lim] + charges[i];
      end if;
    end if;
    units := granted[i];
    charged := charges[i];
    balance := balances[at] - spent[at];
    held := helds[at];
    key_left := lefts[lim];
    return next;
    if is_event then
      moments[i] := clock_timestamp();
    elsif p_admitted[i] < hour_ago then
      -- Usage that is closed is summed (sum_usage): the row has the first moment after it. A call that was cancelled has a row at its
      -- own moment, and keeps it, so that this statement fails. In a statement of its own: it locks all months.
      if not exists (
        select from usage_rows u
        where u.account_id = p_account[i] and u.created_at = p_admitted[i] and u.request_id = p_request[i]
          and u.actor = p_actor[i]) then
        moments[i] := greatest(p_admitted[i], (select closed_until from usage_summed where account_id = p_account[i]));
      end if;
    end if;
  end loop;

  if limited then
    perform count_key_limits(limits, counted, reached);
  end if;

  -- One statement writes all, because starting each costs as much as several of its rows.
  with paid as (
    -- The grant is spent first, top-ups last. What earlier cycles left lies under holds and is theirs: it is never touched
    -- here, because spent ≤ balance − held ≤ balance − expiring = grant_left + what was topped up.
    update accounts set
        balance = accounts.balance - s.spent,
        grant_left = accounts.grant_left - least(accounts.grant_left, s.spent)
      from unnest(ids, spent) as s (id, spent)
      where accounts.id = s.id and s.spent > 0
  )
  insert into usage_rows (account_id, key_id, request_id, endpoint, operation, actor, units, status_code, credits_charged, created_at)
    select e.account, e.key, e.request, e.endpoint, e.operation, e.actor, e.units, e.status, e.charged, e.moment
    from unnest(p_account, p_key, p_request, p_endpoint, p_operation, p_actor, granted, statuses, charges, moments)
      with ordinality as e (account, key, request, endpoint, operation, actor, units, status, charged, moment, ord)
    where e.status is not null order by e.ord;

  if is_low then
    perform report_low_credits(e.id, e.balance)
      from unnest(ids, balances, spent, low_ats) as e (id, balance, spent, low_at)
      where e.spent > 0 and e.balance - e.spent <= e.low_at;
  end if;
end $$;

-- Closes the hours of an account that have been over for an hour, but no hour in which a row of an open job is: the end of the job
-- fills it. What writes usage rows has locked the account, so every row before these hours' end is visible when they are closed,
-- and what is written later is not written into them: a call that is charged more than an hour after its admission has the first
-- moment that is not closed (settle_calls, recordAccepted in credits/usage.ts). The rows of cancelled calls take no lock
-- and are not that late (credits/lost-answers.ts). Returns whether hours were closed.
create function close_usage(p_account uuid) returns boolean language plpgsql as $$
declare
  behind  timestamptz := date_trunc('hour', now() - interval '1 hour', 'UTC');
  jobs    uuid[];
  first   timestamptz;
begin
  if exists (select from usage_summed where account_id = p_account and closed_until >= behind) then
    return false;
  end if;
  -- Before the account is locked: this may wait for an archive, and charges must not.
  select coalesce(array_agg(h.job_id), '{}'), min(u.created_at) into jobs, first
    from holds h left join usage_rows u on u.account_id = h.account_id and u.job_id = h.job_id
    where h.account_id = p_account and h.state = 'open';
  perform from accounts where id = p_account for no key update;
  -- The rows of a job that was accepted meanwhile are not among them: the next summary closes.
  if exists (select from holds where account_id = p_account and state = 'open' and job_id <> all (jobs)) then
    return false;
  end if;
  insert into usage_summed as s (account_id, closed_until)
    values (p_account, least(behind, date_trunc('hour', first, 'UTC')))
    on conflict (account_id) do update set closed_until = excluded.closed_until where s.closed_until < excluded.closed_until;
  return found;
end $$;

-- Sums the next closed hours of an account, up to about p_rows rows, or closes the next ones, whose lock is then short. Returns
-- whether there may be more.
create function sum_usage(p_account uuid, p_rows integer) returns boolean language plpgsql as $$
declare
  s       usage_summed;
  first   timestamptz;
  behind  timestamptz;
begin
  select * into s from usage_summed where account_id = p_account and until < closed_until for update;
  if not found then
    return close_usage(p_account);
  end if;
  behind := s.closed_until;
  select date_trunc('hour', created_at, 'UTC') into first from usage_rows
    where account_id = p_account and created_at >= s.until and created_at < behind order by created_at limit 1;
  if first is not null then
    -- Whole hours, and at least one. Fewer rows than p_rows are summed at once.
    select greatest(date_trunc('hour', created_at, 'UTC'), first + interval '1 hour') into behind from usage_rows
      where account_id = p_account and created_at >= first and created_at < s.closed_until
      order by created_at offset p_rows limit 1;
    behind := coalesce(behind, s.closed_until);
    insert into usage_sums (account_id, hour, key_id, operation, status_code, usage_rows, units, credits_charged)
      select p_account, date_trunc('hour', created_at, 'UTC'), key_id, operation, status_code, count(*), sum(units),
        sum(credits_charged)
      from usage_rows where account_id = p_account and created_at >= first and created_at < behind
      group by 2, 3, 4, 5;
  end if;
  update usage_summed set until = behind where account_id = p_account;
  return true;
end $$;
