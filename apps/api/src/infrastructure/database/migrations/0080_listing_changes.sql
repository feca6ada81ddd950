-- The change log of the data set: one row for each home whose searchable facts were changed by a transaction, written in
-- that transaction by triggers, so that every way to change listings is logged: imports, removals, and what comes later.

-- What searches filter by. Estimates, days on site, photos and counters are not among it: they are never a change. A
-- number takes the place of each position because points cannot be compared as part of a row.
create type listing_facts as (
  kind           text,
  price          double precision,
  beds           double precision,
  baths          double precision,
  sqft           double precision,
  year_built     double precision,
  home_type      text,
  longitude      double precision,
  latitude       double precision,
  listed_at      timestamptz,
  has_pool       boolean,
  has_garage     boolean,
  is_waterfront  boolean,
  lot_size       double precision,
  hoa            double precision,
  sale_type      text,
  is_pending     boolean,
  open_until     timestamptz,
  is_senior      boolean,
  zip            text,
  city           text
);

create table listing_changes (
  -- Rises without a gap that a reader could overtake: see log_listing_changes. What was rolled back leaves a gap.
  seq                bigint generated always as identity primary key,
  -- The version of the data set that the transaction made (data_set_version): all its changes have this one.
  version            bigint not null,
  zpid               text not null,
  -- Of the record after the change; of a removed one, its last.
  generation         bigint not null,
  source             text not null,
  -- On the database's clock.
  observed_at        timestamptz not null default statement_timestamp(),
  -- When the source says that it last changed the record.
  source_updated_at  timestamptz,
  -- null: the data set did not have the home before, or does not have it any more. A building's own record is no home.
  before             listing_facts,
  after              listing_facts,
  -- A removed home's search row is made of this; null: the home is in the data set.
  summary            text
);
-- Rows follow the time that they were written in. One index more would make an import of new homes a tenth slower.
create index listing_changes_by_age on listing_changes using brin (observed_at);
-- No query searches in these, and looking for their most common values would be most of an ANALYZE.
alter table listing_changes alter column before set statistics 0, alter column after set statistics 0,
  alter column summary set statistics 0;

-- As in 0041_missed_lookups.sql, but for the version that a database without a row begins with.
create or replace function listings_have_changed() returns trigger language plpgsql as $$
begin
  insert into data_set_version as v (version, changed_by)
    -- A database that was restored from a backup goes on behind the changes in it.
    values (coalesce((select version from listing_changes order by seq desc limit 1), 0) + 1, pg_current_xact_id())
    on conflict (only_row) do update set version = v.version + 1, changed_by = excluded.changed_by
      -- Once in a transaction: an import has thousands of statements.
      where v.changed_by is distinct from excluded.changed_by;
  return null;
end $$;

-- The trigger listings_have_changed, which runs before these (triggers run in the order of their names), has raised the
-- version of the data set. Its row stays locked until the transaction ends, so that a second writer waits there before
-- it takes a number of the sequence: numbers are committed in their order, whichever transaction began first.
--
-- TRUNCATE is not logged; the service never does that.
create function log_listing_changes() returns trigger language plpgsql as $$
declare
  v     bigint := (select version from data_set_version);
  -- The first change of this transaction, if it has inserted homes.
  mine  bigint := nullif(current_setting('lotline.inserted_from', true), '');
begin
  if tg_op = 'INSERT' then
    if mine is null then
      perform set_config('lotline.inserted_from', (select coalesce(max(seq), 0) + 1 from listing_changes)::text, true);
    end if;
    insert into listing_changes (version, zpid, generation, source, source_updated_at, after)
      select v, n.zpid, n.generation, n.source, n.source_updated_at,
        row(n.kind, n.price, n.beds, n.baths, n.sqft, n.year_built, n.home_type, n.location[0], n.location[1], n.listed_at,
          n.has_pool, n.has_garage, n.is_waterfront, n.lot_size, n.hoa, n.sale_type, n.is_pending, n.open_until,
          n.is_senior, n.zip, n.city)::listing_facts
      from new_listings n where not n.is_building;
  elsif tg_op = 'UPDATE' then
    insert into listing_changes (version, zpid, generation, source, source_updated_at, before, after)
      select v, n.zpid, n.generation, n.source, n.source_updated_at, f.before, f.after
      from new_listings n join old_listings o using (zpid), lateral (select
        case when not o.is_building then
          row(o.kind, o.price, o.beds, o.baths, o.sqft, o.year_built, o.home_type, o.location[0], o.location[1], o.listed_at,
            o.has_pool, o.has_garage, o.is_waterfront, o.lot_size, o.hoa, o.sale_type, o.is_pending, o.open_until,
            o.is_senior, o.zip, o.city)::listing_facts end as before,
        case when not n.is_building then
          row(n.kind, n.price, n.beds, n.baths, n.sqft, n.year_built, n.home_type, n.location[0], n.location[1], n.listed_at,
            n.has_pool, n.has_garage, n.is_waterfront, n.lot_size, n.hoa, n.sale_type, n.is_pending, n.open_until,
            n.is_senior, n.zip, n.city)::listing_facts end as after) f
      where f.before is distinct from f.after;
    -- A home that comes several times in the files of an import is inserted and then updated, in its first generation.
    -- It is one change. The test of the generation finds these few without a look at the log.
    if mine is not null and exists (
      select from new_listings n join old_listings o using (zpid) where n.generation = o.generation
    ) then
      with again as (
        select zpid, min(seq) as first, max(seq) as last from listing_changes
        where seq >= mine and zpid in (
          select zpid from new_listings n join old_listings o using (zpid) where n.generation = o.generation)
        group by zpid having count(*) > 1
      ), merged as (
        update listing_changes c set after = l.after, source = l.source, source_updated_at = l.source_updated_at
          from again a join listing_changes l on l.seq = a.last
          where c.seq = a.first
      )
      delete from listing_changes c using again a where c.zpid = a.zpid and c.seq > a.first and c.seq <= a.last;
    end if;
  else
    insert into listing_changes (version, zpid, generation, source, source_updated_at, before, summary)
      select v, o.zpid, o.generation, o.source, o.source_updated_at,
        row(o.kind, o.price, o.beds, o.baths, o.sqft, o.year_built, o.home_type, o.location[0], o.location[1], o.listed_at,
          o.has_pool, o.has_garage, o.is_waterfront, o.lot_size, o.hoa, o.sale_type, o.is_pending, o.open_until,
          o.is_senior, o.zip, o.city)::listing_facts, o.summary
      from old_listings o where not o.is_building;
  end if;
  return null;
end $$;

create trigger log_inserted_listings after insert on listings
  referencing new table as new_listings for each statement execute function log_listing_changes();
create trigger log_updated_listings after update on listings
  referencing old table as old_listings new table as new_listings
  for each statement execute function log_listing_changes();
create trigger log_removed_listings after delete on listings
  referencing old table as old_listings for each statement execute function log_listing_changes();
