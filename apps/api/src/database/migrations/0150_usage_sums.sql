-- Sums of usage rows by hour, so that GET /v1/usage/summary reads a few sums and not a million rows. They are made when an
-- account asks for a summary, never by a charge, and only for hours that are over. Nothing else depends on them: they can be
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

-- How far an account's rows are summed: every row before this hour is in usage_sums, no other one is.
create table usage_summed (
  account_id  uuid primary key,
  until       timestamptz not null
);

-- Sums the next hours of an account, up to about p_rows rows. Returns whether there are more.
create function sum_usage(p_account uuid, p_rows integer) returns boolean language plpgsql as $$
declare
  -- A row is written within minutes of its moment. One that comes an hour late corrects the sums (unsum_usage), so the
  -- second hour is for transactions that are open meanwhile.
  horizon  constant timestamptz := date_trunc('hour', now() - interval '2 hours', 'UTC');
  reached  timestamptz;
  first    timestamptz;
  behind   timestamptz;
begin
  select until into reached from usage_summed where account_id = p_account;
  if reached >= horizon then
    return false;
  end if;
  insert into usage_summed (account_id, until) values (p_account, '-infinity') on conflict do nothing;
  select until into reached from usage_summed where account_id = p_account for update;
  if reached >= horizon then
    return false;
  end if;
  select date_trunc('hour', created_at, 'UTC') into first from usage_rows
    where account_id = p_account and created_at >= reached and created_at < horizon order by created_at limit 1;
  if first is null then
    behind := horizon;
  else
    -- Whole hours, and at least one. Fewer rows than p_rows are summed at once.
    select date_trunc('hour', created_at, 'UTC') into behind from usage_rows
      where account_id = p_account and created_at >= first and created_at < horizon
      order by created_at offset p_rows limit 1;
    behind := case when behind is null then horizon else greatest(behind, first + interval '1 hour') end;
    insert into usage_sums (account_id, hour, key_id, operation, status_code, usage_rows, units, credits_charged)
      select p_account, date_trunc('hour', created_at, 'UTC'), key_id, operation, status_code, count(*), sum(units),
        sum(credits_charged)
      from usage_rows where account_id = p_account and created_at >= first and created_at < behind
      group by 2, 3, 4, 5;
  end if;
  update usage_summed set until = behind where account_id = p_account;
  return behind < horizon;
end $$;

-- A row that is written, or filled by its job, more than an hour after its moment may belong to an hour that is summed already:
-- the sums from that hour on are made again. The lock on the row of usage_summed orders this with sum_usage, so no row is
-- missed and none is counted twice.
create or replace function unsum_usage(p_account uuid, p_since timestamptz) returns void language plpgsql security definer as $$
declare
  its_hour  constant timestamptz := date_trunc('hour', p_since, 'UTC');
  reached   timestamptz;
begin
  insert into usage_summed (account_id, until) values (p_account, '-infinity') on conflict do nothing;
  select until into reached from usage_summed where account_id = p_account for update;
  if reached > its_hour then
    delete from usage_sums where account_id = p_account and hour >= its_hour;
    update usage_summed set until = its_hour where account_id = p_account;
  end if;
end $$;

do $$ begin
  execute format('alter function unsum_usage set search_path = %I, pg_temp', current_schema());
end $$;
