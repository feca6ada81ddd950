-- The data set: listings as they were imported, with the columns that searches and lookups ask for beside them.
create table listings (
  zpid         text primary key,
  -- Raised whenever an import changes the record; cached copies name the generation they were read from.
  generation   bigint not null default 1,
  -- The feed or file that brought it last, or 'sample' (listing_sources). Together with the zpid, which is the source's
  -- key, it is in record_identities.
  source       text not null default 'import',
  kind         text not null check (kind in ('for_sale', 'for_rent', 'recently_sold', 'off_market')),
  -- (longitude, latitude) in degrees; null: the home is found by zpid, URL and address only.
  location     point,
  -- The Morton code of the location (search/morton.ts): near homes have near codes, so a B-tree finds the homes of an area.
  cell         bigint check ((cell is null) = (location is null)),
  price        double precision,
  beds         double precision,
  baths        double precision,
  sqft         double precision,
  year_built   double precision,
  home_type    text,
  -- Put on the market; for sold homes: sold.
  listed_at    timestamptz,
  has_pool     boolean not null,
  has_garage   boolean not null,
  is_waterfront boolean not null,
  -- Square feet, and dollars a month.
  lot_size     double precision,
  hoa          double precision,
  -- How it is sold: one of SALE_TYPES (record/market-facts.ts).
  sale_type    text not null,
  is_pending   boolean not null,
  -- The end of its last open house.
  open_until   timestamptz,
  is_senior    boolean not null,
  -- Normalised street line, unit and 5-digit ZIP (address/street-address.ts).
  street_key   text,
  unit         text,
  zip          text,
  -- With its state, in their normal spelling: SEATTLE, WA.
  city         text,
  -- When the source says that it last changed the record; null: it does not say.
  source_updated_at timestamptz,
  -- The building this is a unit of, or the record of; null: it stands alone (site-urls/listing-url.ts referenceKey).
  building     text,
  is_building  boolean not null,
  -- Whether the record says that its address is undisclosed, and has none.
  address_hidden boolean not null default false,
  -- What a search row is made of, small enough to lie in the row itself.
  summary      text not null,
  record       text not null
);
-- lz4 packs these texts as well as the default does and unpacks them several times as fast; not every build has it.
do $$ begin
  alter table listings alter column record set compression lz4;
  alter table listings alter column summary set compression lz4;
exception when feature_not_supported then null;
end $$;
-- Summaries stay in the row, unpacked, however large the record beside them is: a page of results reads 50 of them.
alter table listings alter column summary set storage main;
-- No query searches in these texts, and looking for their most common values is half the work of an ANALYZE.
alter table listings alter column summary set statistics 0, alter column record set statistics 0;
-- For all other columns a fifth of the usual sample is enough, since each query has its one index: the ANALYZE behind
-- an import, which reads as many rows as the greatest of these asks for, then takes a fifth of the time.
do $$ declare
  name text;
begin
  for name in select attname from pg_attribute
    where attrelid = 'listings'::regclass and attnum > 0 and attname not in ('summary', 'record')
  loop
    execute format('alter table listings alter column %I set statistics 20', name);
  end loop;
end $$;

-- Two spatial indexes for each status, because every search names one; a building's own record is no home, and no search
-- returns it. The first holds what searches filter and sort by, so that an area is counted without a look at the table,
-- which is six times as large. Filters that few searches have (lot, association, open house, age of residents) do look at
-- the table. PostgreSQL unpacks every column of an entry that it reads, so searches without filters have a short index of
-- their own. Measured on 180,000 listings, beside one GiST index over the positions: a city of 42,000 homes takes 20 ms of
-- CPU instead of 44, the same with three filters 11 instead of 33, and a row of an import 3.8 µs less.
create index listings_for_sale on listings (cell)
  include (zpid, location, listed_at, price, beds, baths, sqft, year_built, home_type, has_pool, has_garage,
    is_waterfront, sale_type, is_pending)
  where kind = 'for_sale' and not is_building;
create index listings_for_rent on listings (cell)
  include (zpid, location, listed_at, price, beds, baths, sqft, year_built, home_type, has_pool, has_garage,
    is_waterfront, sale_type, is_pending)
  where kind = 'for_rent' and not is_building;
create index listings_sold on listings (cell)
  include (zpid, location, listed_at, price, beds, baths, sqft, year_built, home_type, has_pool, has_garage,
    is_waterfront, sale_type, is_pending)
  where kind = 'recently_sold' and not is_building;
create index listings_for_sale_places on listings (cell) include (zpid, location, listed_at)
  where kind = 'for_sale' and not is_building;
create index listings_for_rent_places on listings (cell) include (zpid, location, listed_at)
  where kind = 'for_rent' and not is_building;
create index listings_sold_places on listings (cell) include (zpid, location, listed_at)
  where kind = 'recently_sold' and not is_building;
create index listings_by_zip on listings (zip) where zip is not null;
create index listings_by_city on listings (city) where city is not null;
create index listings_by_street on listings (street_key) where street_key is not null;
create index listings_by_building on listings (building) where building is not null;

-- One row for each source that ever brought a listing: a feed or a file of the operator (`--source`), or `sample`. Its
-- name is in listings.source. Its row stays when its listings are removed.
create table listing_sources (
  name           text primary key,
  -- The last import of the source, and what it found.
  imported_at    timestamptz not null default now(),
  read_rows      bigint not null default 0,
  rejected_rows  bigint not null default 0,
  -- The first of these, as [{ file, line, reason }], for the console.
  rejections     jsonb not null default '[]',
  -- Those that may not be stored (rights/row-rights.ts).
  withheld_rows  bigint not null default 0,
  warnings       bigint not null default 0,
  -- When `lotline listings remove` removed all its listings; null: an import came later.
  emptied_at     timestamptz
);

-- Homes that the operator removed, with the generation that they would have next. A home that comes back goes on from
-- there, so that no cached copy and no ETag of the removed record is ever taken for the new one. Kept for good.
create table removed_listings (
  zpid        text primary key,
  generation  bigint not null,
  source      text not null,
  removed_at  timestamptz not null default now()
);

-- Which record of which source is which home. A source names its records in its own way; Lotline names homes by zpid.
-- Where a source knows zpids, the key is the zpid. Otherwise an import asks this table for the zpid of the key, and a key
-- that is new gets one (ingest/record-identity.ts). Rows are never deleted, so that a zpid never means another home.
create table record_identities (
  source      text not null,
  -- The source's own name of the record.
  source_key  text not null,
  zpid        text not null,
  primary key (source, source_key)
);
-- A home has one record in a source among those whose key is not its zpid. Records whose key is the zpid are left out,
-- because an index over all homes would be a tenth of an import, and the primary key keeps them apart from each other. So
-- this index does not refuse ('s', 'a', '55') beside ('s', '55', '55'). Zpids with 16 digits are in it in any case, so that
-- assign_zpid finds those that a source brought by itself.
create unique index record_identities_by_zpid on record_identities (zpid, source)
  where source_key <> zpid or length(zpid) = 16;

-- 16 digits, and exact as a JSON number. Sources that know zpids have shorter ones.
create sequence assigned_zpids minvalue 1000000000000000 maxvalue 1999999999999999 no cycle;

-- A zpid that no record has. A database that was restored from a backup begins to count anew: it goes on behind the
-- greatest that was assigned.
create function assign_zpid() returns text language plpgsql as $$
declare
  candidate  text;
begin
  loop
    candidate := nextval('assigned_zpids')::text;
    exit when not exists (select from record_identities where zpid = candidate and length(zpid) = 16);
    perform setval('assigned_zpids', greatest(candidate::bigint, (
      select max(zpid::bigint) from record_identities
      where source_key <> zpid and zpid ~ '^1[0-9]{15}$'
    )));
  end loop;
  return candidate;
end $$;
