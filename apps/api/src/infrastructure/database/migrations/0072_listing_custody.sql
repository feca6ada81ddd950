-- Where the listings come from, and which were removed.

-- One row for each source that ever brought a listing: a feed or a file of the operator (`--source`), or `sample`. Its
-- name is in listings.source. Its row stays when its listings are removed.
create table listing_sources (
  name           text primary key,
  -- The last import of the source, and what it found.
  imported_at    timestamptz not null default now(),
  read_rows      bigint not null default 0,
  rejected_rows  bigint not null default 0,
  warnings       bigint not null default 0,
  -- Who its data is from, and the notice that must be shown with it, where all records of the last import said the same.
  authority      text,
  notice         text,
  -- When `lotline listings remove` removed all its listings; null: an import came later.
  emptied_at     timestamptz
);
insert into listing_sources (name) select distinct source from listings;

-- Homes that the operator removed, with the generation that they would have next. A home that comes back goes on from
-- there, so that no cached copy and no ETag of the removed record is ever taken for the new one. Kept for good.
create table removed_listings (
  zpid        text primary key,
  generation  bigint not null,
  source      text not null,
  removed_at  timestamptz not null default now()
);
