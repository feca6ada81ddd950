-- Records as a provider last returned them, fresh for 24 hours on this database's clock, shared by all processes.
create table cached_records (
  -- The provider that returned it: after a change of provider nothing of the old one is served, and two may know one zpid.
  source      text not null,
  zpid        text not null,
  -- Of the data set's listing it was read from; an import raises the listing's and so retires this entry. null where
  -- the provider counts no generations.
  generation  bigint,
  fetched_at  timestamptz not null default now(),
  record      text not null,
  -- What responses say of its source, as JSON (sources/origin.ts). null: an earlier version of the service wrote the row.
  origin      text,
  primary key (source, zpid)
);
create index cached_records_by_age on cached_records (fetched_at);

-- Freshness, the one rule: for how long a cached record may be served, and which are current. Every statement that judges one reads
-- this view: the lookup, the statement that charges for it (settle_calls) and the checkpoint of a job.
create function cached_record_lifetime() returns interval language sql immutable
  return interval '24 hours';

create view current_records as
  select c.*, c.fetched_at + cached_record_lifetime() - now() as time_left
  from cached_records c
  where c.fetched_at > now() - cached_record_lifetime()
    -- Only records of the data set have a generation; what a remote provider said is current for its whole lifetime.
    and (c.generation is null or c.generation = (select l.generation from listings l where l.zpid = c.zpid));

-- Lookups that found nothing, remembered for 10 minutes in all processes, so that a repeated request for an unknown home
-- sends no provider query.
create table missed_lookups (
  -- The provider that was asked: what one lacks another may have.
  source      text not null,
  -- SHA-256 of the query, so that a row is small however long the address or URL was.
  query       bytea not null,
  version     bigint not null,
  missed_at   timestamptz not null default now(),
  -- What the provider answered instead of a record, in JSON: the candidates of an ambiguous address. null: nothing.
  answer      json,
  primary key (source, query)
);
create index missed_lookups_by_age on missed_lookups (missed_at);

-- How many queries each account has sent to the provider, by hour: for `lotline accounts top --by provider`. No money hangs
-- on it, so the counts of the last seconds of a process that is killed may be missing.
create table provider_usage (
  account_id  uuid not null,
  hour        timestamptz not null,
  queries     bigint not null check (queries > 0),
  primary key (account_id, hour)
);
create index provider_usage_by_hour on provider_usage (hour);
