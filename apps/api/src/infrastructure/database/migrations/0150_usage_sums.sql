-- Sums of usage rows by hour, so that GET /v1/usage/summary reads a few sums and not a million rows. They are made when an
-- account asks for a summary, never by a charge, and only for hours that are closed. Nothing else depends on them: they can be
-- emptied at any time.

create table usage_sums (
  account_id       uuid not null,
  -- UTC
  hour             timestamptz not null,
  key_id           uuid not null,
  operation        text,
  status_code      integer not null,
  usage_rows       bigint not null,
  units            bigint not null,
  credits_charged  bigint not null
);
create index usage_sums_by_hour on usage_sums (account_id, hour);

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
