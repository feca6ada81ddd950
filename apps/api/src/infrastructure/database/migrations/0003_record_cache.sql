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
