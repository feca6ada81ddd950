-- The log of imports: what changed the data set, when, and what was decided about it.

-- One row for each import that wrote, or that is held. All pages of one run of a feed are one import.
create table imports (
  id            bigint generated always as identity primary key,
  kind          text not null check (kind in ('file', 'schedule', 'feed', 'sweep', 'removal', 'release', 'revert')),
  state         text not null check (state in ('held', 'applied', 'discarded', 'reverted')),
  -- The sources of its rows, in alphabetical order.
  sources       text[] not null default '{}',
  started_at    timestamptz not null default now(),
  ended_at      timestamptz,
  -- What it did, by name: read, inserted, updated, withdrawn, removed …
  counts        jsonb not null default '{}',
  -- The first and the last row of listing_changes that it wrote; null: it changed no searchable fact. The rows of a file are all between
  -- these two numbers, and no others are. Between the pages of a feed there may be changes by other sources.
  first_change  bigint,
  last_change   bigint,
  -- The decision of a person about a held import, or its revert.
  decided_at    timestamptz,
  decided_by    text,
  note          text,
  -- What it did to the homes of each source, by name of the source: lost, gained, changed, takenOver, emptied. Slow losses are the sum
  -- over several imports.
  effects       jsonb not null default '{}'
);
create index imports_by_time on imports (started_at);
create index imports_held on imports (id) where state = 'held';

-- The profile of each source: its homes by status, type, and price, and how many of each group lack a fact. A trigger on the listings
-- writes each difference, so that it costs as much as the change and never as much as the source.
create table source_profiles (
  source         text not null,
  kind           text not null,
  home_type      text not null,
  -- The price as an eighth of its binary logarithm: prices of one step differ by at most 9%. -1: no price.
  price_step     smallint not null,
  homes          bigint not null,
  no_position    bigint not null,
  zero_position  bigint not null,
  no_address     bigint not null,
  no_photos      bigint not null,
  no_beds        bigint not null,
  no_baths       bigint not null,
  no_sqft        bigint not null,
  primary key (source, kind, home_type, price_step)
);

-- Differences that are not yet added to the profiles: rows are only added while an import is under way, and are added up at its end.
create table profile_changes (
  changed_by     xid8 not null default pg_current_xact_id(),
  source         text not null,
  kind           text not null,
  home_type      text not null,
  price_step     smallint not null,
  homes          bigint not null,
  no_position    bigint not null,
  zero_position  bigint not null,
  no_address     bigint not null,
  no_photos      bigint not null,
  no_beds        bigint not null,
  no_baths       bigint not null,
  no_sqft        bigint not null,
  -- Homes of the group as it was: with other facts, gone off the market, provided by another source now, or without most facts now.
  changed        bigint not null default 0,
  lost           bigint not null default 0,
  taken_over     bigint not null default 0,
  emptied        bigint not null default 0,
  -- Homes that are new on the market.
  gained         bigint not null default 0
);

-- The limits of a source that differ from the usual ones (imports/limits.ts).
create table import_limits (
  source  text primary key,
  limits  jsonb not null
);

-- Imports that were held: why, and how they are released.
create table held_imports (
  import_id    bigint primary key references imports (id) on delete cascade,
  -- [{ source, limit, text, examples }]
  findings     jsonb not null,
  -- The sources that are complete in it, and the homes of its rejected rows.
  complete     text[] not null default '{}',
  rejected     text[] not null default '{}',
  -- Of a feed: its next run is not judged, up to its end.
  passes_run   boolean not null default false
);

-- The rows of held imports, each home once, as they would have been stored.
create table held_listings (
  import_id   bigint not null references held_imports (import_id) on delete cascade,
  zpid        text not null,
  source      text not null,
  -- The source's own name of the record; null: it is the zpid.
  source_key  text,
  record      text not null,
  primary key (import_id, zpid)
);

-- The group of a home, and what it lacks. An address that a right hides is not missing.
create view profiled_listings as
  select zpid, source, kind, coalesce(home_type, '') as home_type,
    (case when price > 0 then greatest(0, round(8 * ln(price) / ln(2)))::smallint else -1 end)::smallint as price_step,
    1 as homes, (location is null and not address_hidden)::integer as no_position,
    (location is not null and location[0] = 0 and location[1] = 0)::integer as zero_position,
    (street_key is null and not address_hidden)::integer as no_address,
    (summary not like '%hotos":[%' or summary like '%hotos":[]%')::integer as no_photos,
    (beds is null)::integer as no_beds, (baths is null)::integer as no_baths, (sqft is null)::integer as no_sqft
  from listings where not is_building;

create function profile_listings() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from source_profiles;
    delete from profile_changes;
    -- The homes that earlier imports have lost are no part of what comes.
    update imports set effects = '{}' where effects <> '{}';
  elsif tg_op = 'INSERT' then
    insert into profile_changes (source, kind, home_type, price_step, homes, no_position, zero_position, no_address, no_photos,
      no_beds, no_baths, no_sqft, gained)
    select source, kind, coalesce(home_type, ''),
      (case when price > 0 then greatest(0, round(8 * ln(price) / ln(2))) else -1 end)::smallint as step, count(*),
      count(*) filter (where location is null and not address_hidden),
      count(*) filter (where location is not null and location[0] = 0 and location[1] = 0),
      count(*) filter (where street_key is null and not address_hidden),
      count(*) filter (where summary not like '%hotos":[%' or summary like '%hotos":[]%'),
      count(*) filter (where beds is null), count(*) filter (where baths is null), count(*) filter (where sqft is null),
      count(*) filter (where kind <> 'off_market')
    from new_listings where not is_building group by source, kind, coalesce(home_type, ''), step;
  elsif tg_op = 'DELETE' then
    -- Only a person, a feed, or a right deletes a home, so a deletion is no loss.
    insert into profile_changes (source, kind, home_type, price_step, homes, no_position, zero_position, no_address, no_photos,
      no_beds, no_baths, no_sqft)
    select source, kind, coalesce(home_type, ''),
      (case when price > 0 then greatest(0, round(8 * ln(price) / ln(2))) else -1 end)::smallint as step, -count(*),
      -count(*) filter (where location is null and not address_hidden),
      -count(*) filter (where location is not null and location[0] = 0 and location[1] = 0),
      -count(*) filter (where street_key is null and not address_hidden),
      -count(*) filter (where summary not like '%hotos":[%' or summary like '%hotos":[]%'),
      -count(*) filter (where beds is null), -count(*) filter (where baths is null), -count(*) filter (where sqft is null)
    from old_listings where not is_building group by source, kind, coalesce(home_type, ''), step;
  else
    insert into profile_changes (source, kind, home_type, price_step, homes, no_position, zero_position, no_address, no_photos,
      no_beds, no_baths, no_sqft, changed, lost, taken_over, emptied, gained)
    select source, kind, coalesce(home_type, ''),
      (case when price > 0 then greatest(0, round(8 * ln(price) / ln(2))) else -1 end)::smallint as step, sum(sign),
      sum((location is null and not address_hidden)::integer * sign),
      sum((location is not null and location[0] = 0 and location[1] = 0)::integer * sign),
      sum((street_key is null and not address_hidden)::integer * sign),
      sum((summary not like '%hotos":[%' or summary like '%hotos":[]%')::integer * sign),
      sum((beds is null)::integer * sign), sum((baths is null)::integer * sign), sum((sqft is null)::integer * sign),
      count(*) filter (where changed), count(*) filter (where lost), count(*) filter (where taken_over),
      count(*) filter (where emptied), count(*) filter (where gained)
    from (
      select o.source, o.kind, o.home_type, o.price, o.location, o.street_key, o.address_hidden, o.summary, o.beds, o.baths,
        o.sqft, -1 as sign,
        not n.address_hidden and (o.kind, o.beds, o.baths, o.sqft, o.year_built, o.home_type, o.cell)
          is distinct from (n.kind, n.beds, n.baths, n.sqft, n.year_built, n.home_type, n.cell) as changed,
        o.kind <> 'off_market' and n.kind = 'off_market' as lost,
        o.source <> n.source as taken_over,
        not n.address_hidden and num_nonnulls(o.price, o.beds, o.baths, o.sqft, o.year_built, o.home_type, o.cell, o.street_key,
          o.lot_size) > 2 * num_nonnulls(n.price, n.beds, n.baths, n.sqft, n.year_built, n.home_type, n.cell, n.street_key,
          n.lot_size) as emptied,
        false as gained
      from old_listings o join new_listings n using (zpid) where not o.is_building
      union all
      select n.source, n.kind, n.home_type, n.price, n.location, n.street_key, n.address_hidden, n.summary, n.beds, n.baths,
        n.sqft, 1, false, false, false, false, o.kind = 'off_market' and n.kind <> 'off_market'
      from new_listings n join old_listings o using (zpid) where not n.is_building
    ) as r
    group by source, kind, coalesce(home_type, ''), step
    having sum(sign) <> 0 or bool_or(changed or lost or taken_over or emptied or gained)
      or sum((summary not like '%hotos":[%' or summary like '%hotos":[]%')::integer * sign) <> 0
      or sum((street_key is null and not address_hidden)::integer * sign) <> 0
      or sum((location is null and not address_hidden)::integer * sign) <> 0
      or sum((location is not null and location[0] = 0 and location[1] = 0)::integer * sign) <> 0;
  end if;
  return null;
end $$;

create trigger profile_inserted_listings after insert on listings
  referencing new table as new_listings for each statement execute function profile_listings();
create trigger profile_updated_listings after update on listings
  referencing old table as old_listings new table as new_listings for each statement execute function profile_listings();
create trigger profile_removed_listings after delete on listings
  referencing old table as old_listings for each statement execute function profile_listings();
create trigger profile_cut_listings after truncate on listings
  for each statement execute function profile_listings();

insert into source_profiles
  select source, kind, home_type, price_step, sum(homes), sum(no_position), sum(zero_position), sum(no_address), sum(no_photos),
    sum(no_beds), sum(no_baths), sum(no_sqft)
  from profiled_listings group by source, kind, home_type, price_step;
