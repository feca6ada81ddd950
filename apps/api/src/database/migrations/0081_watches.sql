-- Watches: saved searches and lists of homes whose changes are reported as events. They are evaluated from the change log
-- (0080_listing_changes.sql), version by version, in one place at a time.

create table watches (
  account_id     uuid not null references accounts (id),
  id             uuid not null default gen_random_uuid(),
  -- That created it; the charges of its events name it.
  key_id         uuid not null,
  name           text not null,
  -- What it watches: a search (search/area-search.ts), or homes by their zpids.
  search         jsonb,
  -- Equal searches have equal hashes: the evaluation judges them once.
  search_hash    text generated always as (md5(search::text)) stored,
  -- The search as it was sent.
  filters        jsonb,
  zpids          text[],
  -- Types of events that are reported. Other changes only move its state.
  events         text[] not null check (cardinality(events) > 0),
  metadata       jsonb not null default '{}',
  status         text not null default 'active' check (status in ('active', 'paused')),
  paused_reason  text,
  -- Whether its state is that of the log at the evaluator's position or later. Where it is not (a new or resumed watch), its
  -- homes are first compared with the data set as a whole.
  is_current     boolean not null default false,
  -- The change of the log that its state has been brought up to.
  position       bigint not null,
  -- The number of its last event.
  last_seq       bigint not null default 0,
  created_at     timestamptz not null default now(),
  primary key (account_id, id),
  constraint watches_one_thing check (num_nonnulls(search, zpids) = 1 and (filters is null or search is not null)),
  constraint only_active_watches_are_current check (status = 'active' or not is_current),
  constraint pauses_have_a_reason check ((status = 'paused') = (paused_reason is not null))
);
create index watches_to_compare on watches (account_id, id) where status = 'active' and not is_current;
create index watches_by_search on watches (search_hash) where search is not null;
-- The lists that name a changed home.
create index watches_by_home on watches using gin (zpids);
create index watches_without_credits on watches (account_id) where paused_reason = 'out_of_credits';

-- The homes of a watch, as it has reported them last.
create table watch_homes (
  account_id  uuid not null,
  watch_id    uuid not null,
  zpid        text not null,
  -- As events report it.
  status      text not null,
  -- The last one that was known.
  price       double precision,
  -- null while the home matches. A home that comes back later than 90 days after is new.
  left_at     timestamptz,
  primary key (account_id, watch_id, zpid)
);

create table watch_events (
  account_id   uuid not null,
  watch_id     uuid not null,
  -- From 1, without a gap.
  seq          bigint not null,
  id           text not null,
  type         text not null,
  zpid         text not null,
  observed_at  timestamptz not null,
  written_at   timestamptz not null default now(),
  -- What changed, in JSON.
  body         text not null,
  -- The search row of the home is made of this; null: it is not known.
  summary      text,
  primary key (account_id, watch_id, seq)
);
create index watch_events_by_age on watch_events using brin (written_at);

-- How far the log has been evaluated. Its row is locked by whoever evaluates.
create table watch_progress (
  only_row  boolean primary key default true check (only_row),
  position  bigint not null default 0
);
insert into watch_progress default values;
