-- Lookups that found nothing, remembered for 10 minutes in all processes, so that a repeated request for an unknown home
-- sends no provider query.

-- How often the data set has changed. A remembered miss names the version it was made from and is void at any other: what
-- an import brings is found at once. There is no row before the first change (version 0).
create table data_set_version (
  only_row    boolean primary key default true check (only_row),
  version     bigint not null,
  changed_by  xid8 not null
);

-- A trigger, so that every way to change listings counts. The new version is visible exactly when the change is: a sequence
-- would be ahead of the commit, and a miss found meanwhile would outlive the import.
create function listings_have_changed() returns trigger language plpgsql as $$
begin
  insert into data_set_version as v (version, changed_by)
    values (1, pg_current_xact_id())
    on conflict (only_row) do update set version = v.version + 1, changed_by = excluded.changed_by
      -- Once in a transaction: an import has thousands of statements.
      where v.changed_by is distinct from excluded.changed_by;
  return null;
end $$;
create trigger listings_have_changed after insert or update or delete or truncate on listings
  for each statement execute function listings_have_changed();

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
