-- How many queries each account has sent to the provider, by hour: for `lotline accounts top --by provider`. No money hangs
-- on it, so the counts of the last seconds of a process that is killed may be missing.
create table provider_usage (
  account_id  uuid not null,
  hour        timestamptz not null,
  queries     bigint not null check (queries > 0),
  primary key (account_id, hour)
);
create index provider_usage_by_hour on provider_usage (hour);
