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
  note          text
);
create index imports_by_time on imports (started_at);
