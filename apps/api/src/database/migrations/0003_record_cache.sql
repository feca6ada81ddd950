-- Records as a provider last told them, fresh for 24 hours on this database's clock, shared by all processes.
create table cached_records (
  zpid        text primary key,
  -- The provider that said it: after a change of provider nothing of the old one is served.
  source      text not null,
  -- Of the data set's listing it was read from; an import raises the listing's and so retires this entry. null where
  -- the provider counts no generations.
  generation  bigint,
  fetched_at  timestamptz not null default now(),
  record      text not null
);
create index cached_records_by_age on cached_records (fetched_at);
