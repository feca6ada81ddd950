-- The change log of the data set: one row for each home whose searchable facts were changed by a transaction, written in
-- that transaction by triggers, so that every way to change listings is logged: imports, removals, and what comes later.

-- How often the data set has changed. A remembered miss names the version it was made from and is void at any other: what
-- an import brings is found at once. There is no row before the first change (version 0).
create table data_set_version (
  only_row    boolean primary key default true check (only_row),
  version     bigint not null,
  changed_by  xid8 not null
);

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

-- The changes in the order in which they were committed, for 90 days.
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
-- Finds the search rows of removed homes: watches report them, and a home that may not be shown any more loses its
-- own. Rows of other changes have none, so imports do not write to this index.
create index listing_changes_removed on listing_changes (zpid, seq) where summary is not null;

-- A trigger, so that every way to change listings counts. The new version is visible exactly when the change is: a sequence
-- would be ahead of the commit, and a miss found meanwhile would outlive the import.
create function listings_have_changed() returns trigger language plpgsql as $$
begin
  insert into data_set_version as v (version, changed_by)
    -- A database that was restored from a backup goes on behind the changes in it.
    values (coalesce((select version from listing_changes order by seq desc limit 1), 0) + 1, pg_current_xact_id())
    on conflict (only_row) do update set version = v.version + 1, changed_by = excluded.changed_by
      -- Once in a transaction: an import has thousands of statements.
      where v.changed_by is distinct from excluded.changed_by;
  return null;
end $$;

create trigger listings_have_changed after insert or update or delete or truncate on listings
  for each statement execute function listings_have_changed();

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

-- Homes whose address, or whole listing, may not be shown any more after it had been shown. Rows of jobs, events of watches, and
-- messages to webhooks that were stored before are read together with this table, so that nothing of them is shown from the
-- commit on that withholds it (record/withheld.ts). They are not rewritten: they belong to many accounts, and a job that runs
-- meanwhile may store a row that it found before.
create table withheld_homes (
  zpid   text primary key,
  -- The address and the exact position, or everything.
  what   text not null check (what in ('address', 'listing')),
  -- On the clock of the transaction that withheld it.
  since  timestamptz not null default now()
);
create index withheld_homes_by_time on withheld_homes (since);

-- Follows the listings. A home that was never shown before needs no row: it is new to the data set (generation 1), or its address
-- was hidden already. Homes whose feed takes back the whole listing are removed, and the code that removes them writes their rows.
create function follow_hidden_addresses() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from new_listings where generation > 1) then
      return null;
    end if;
    delete from withheld_homes w using new_listings n where w.zpid = n.zpid and not n.address_hidden;
    insert into withheld_homes as w (zpid, what)
      select n.zpid, 'address' from new_listings n where n.address_hidden and n.generation > 1
      on conflict (zpid) do update set what = excluded.what, since = excluded.since where w.what <> excluded.what;
  elsif exists (select from new_listings where address_hidden) or exists (select from old_listings where address_hidden) then
    delete from withheld_homes w using new_listings n where w.zpid = n.zpid and not n.address_hidden;
    insert into withheld_homes (zpid, what)
      select n.zpid, 'address' from new_listings n join old_listings o using (zpid)
      where n.address_hidden and not o.address_hidden
      on conflict (zpid) do nothing;
  end if;
  return null;
end $$;

create trigger hide_inserted_addresses after insert on listings
  referencing new table as new_listings for each statement execute function follow_hidden_addresses();
create trigger hide_updated_addresses after update on listings
  referencing old table as old_listings new table as new_listings
  for each statement execute function follow_hidden_addresses();
