-- Places: areas with a name, by which searches ask for them (src/places). An operator imports them. States and counties of the
-- whole country are built in and have no row here; an imported place comes before a built-in one of the same kind and id.

-- Boundaries, each by the SHA-256 of its data. A boundary never changes: a place that is imported again gets another one. A watch
-- or a job names the boundary that it was created with, so it keeps it when the place is replaced or removed.
create table place_boundaries (
  key        text primary key check (key ~ '^[0-9a-f]{64}$'),
  positions  integer not null,
  -- Around it: west, south, east and north of its part west of 0° and of its part east of 0°. A search by ZIP code over a remote
  -- provider begins in them.
  boxes      double precision[] not null check (array_length(boxes, 1) in (4, 8)),
  -- As places/boundary.ts writes it.
  data       bytea not null,
  -- When a watch or a job last began to use it. A boundary of no place is kept while a watch names it, and for 40 days after this
  -- (places/import-places.ts).
  kept_at    timestamptz not null default now()
);

-- The places: each with its name and its boundary.
create table places (
  kind        text not null check (kind in ('zip', 'place', 'county', 'neighborhood')),
  -- As its source has it: a ZIP code, a GEOID.
  id          text not null,
  name        text not null,
  -- The name as it is compared (nameKey in places/place.ts).
  name_key    text not null,
  county      text,
  -- Two letters.
  state       text,
  -- Of the boundary. Each response names source and vintage.
  source      text not null,
  license     text not null,
  vintage     text not null,
  imported_at timestamptz not null default now(),
  boundary    text not null references place_boundaries (key),
  primary key (kind, id)
);
create index places_by_name on places (kind, name_key);
create index places_by_boundary on places (boundary);
