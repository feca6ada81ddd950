-- Watches: saved searches and lists of homes whose changes are reported as events. They are evaluated from the change log
-- (0004_listing_changes.sql), version by version, in one place at a time.

-- One row for each watch, with its state.
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
  -- Homes of the list that have no baseline yet: they were added since the last complete search.
  unseen         text[] not null default '{}',
  -- Types of events that are reported. Other changes only move its state.
  events         text[] not null check (cardinality(events) > 0),
  -- The account's own values. Each event keeps those of its time.
  metadata       jsonb not null default '{}',
  -- When changes are reported: as the data changes, or at an interval.
  every          text not null default 'change' check (every in ('change', '1h', '6h', '1d', '7d')),
  -- The smallest change of a price that is reported: {"amount": …, "percent": …}. null: every change is.
  min_change     jsonb,
  status         text not null default 'active' check (status in ('pending', 'active', 'paused', 'quarantined')),
  paused_reason  text,
  -- When it got its baseline. null: its first search, over a remote data source, has not finished.
  baseline_at    timestamptz,
  -- When it is evaluated next, if it is not current.
  due_at         timestamptz not null default now(),
  -- The homes that its last search found, if they were too many to keep.
  found          bigint,
  -- Over a remote data source, which has no change log: the watch is searched at its interval, by one process at a time, and the result
  -- is compared with what it reported last. The process that searches it now, and until when no other process does.
  scan_token     uuid,
  scan_until     timestamptz,
  -- When the last complete search ended, and how many searches in a row since then had an incomplete result (watches/scan.ts).
  scanned_at     timestamptz,
  incomplete_scans   smallint not null default 0,
  -- Whether its state is that of the log at the evaluator's position or later. Where it is not (a new or resumed watch), its
  -- homes are first compared with the data set as a whole.
  is_current     boolean not null default false,
  -- Comparisons with the whole data set are free for the account. Each moves this forward, from now at the earliest; a watch for which
  -- it is far ahead is compared later.
  compared_until     timestamptz,
  -- Failed comparisons in a row. After some the watch is paused, and all others go on.
  failed_comparisons smallint not null default 0,
  -- The change of the log that its state has been brought up to.
  position       bigint not null,
  -- The number of its last event.
  last_seq       bigint not null default 0,
  created_at     timestamptz not null default now(),
  primary key (account_id, id),
  constraint watches_one_thing check (num_nonnulls(search, zpids) = 1 and (filters is null or search is not null)),
  constraint only_active_watches_are_current check (status = 'active' or not is_current),
  -- One with an interval is compared with the data set each time.
  constraint only_changes_keep_it_current check (every = 'change' or not is_current),
  constraint pauses_have_a_reason check ((status = 'paused') = (paused_reason is not null)),
  constraint pending_is_without_baseline check (
    case status when 'pending' then baseline_at is null when 'paused' then true else baseline_at is not null end
  )
);
-- The number of the last event is counted in each evaluation: with room in its page, no index changes with it.
alter table watches set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
-- One that was made over a remote data source is compared with the data set too, whatever its last search came to.
create index watches_to_compare on watches (due_at, account_id, id) where status <> 'paused' and not is_current;
-- The watches of connectors that have ended are found by their keys (watches/update-watch.ts).
create index watches_by_key on watches (key_id);
create index watches_by_search on watches (search_hash) where search is not null;
-- The lists that name a changed home. Searches have none: in the index, each of their updates would wait in its list of pending
-- entries, which every look into it reads.
create index watches_by_home on watches using gin (zpids) where zpids is not null;
create index watches_without_credits on watches (account_id) where paused_reason in ('out_of_credits', 'key_limit_reached');

-- The time from one evaluation of a watch to the next, give or take a twentieth, so that watches that were created together
-- are not evaluated together. 0 for one that is evaluated as the data changes.
create function watch_interval(p_every text) returns interval language sql volatile as $$
  select case p_every
    when '1h' then interval '1 hour' when '6h' then interval '6 hours'
    when '1d' then interval '1 day' when '7d' then interval '7 days' else interval '0' end * (0.95 + random() / 10)
$$;

-- What was deleted, so that a client whose first DELETE was answered with nothing gets the same answer to its second one. Without a
-- reference to the account: checking it would lock the account's row.
create table deleted_watches (
  account_id  uuid not null,
  id          uuid not null,
  -- Whose watch it was: a connector learns nothing of those of other keys.
  key_id      uuid not null,
  deleted_at  timestamptz not null default now(),
  primary key (account_id, id)
);
create index deleted_watches_by_age on deleted_watches (deleted_at);

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
  -- Whether the last complete search did not find the home. If the next one does not either, it is removed.
  missed      boolean not null default false,
  primary key (account_id, watch_id, zpid)
);

-- What watches have reported, for 90 days.
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
  -- Of the watch, when the event was written: what was delivered and what is read later are the same.
  metadata     jsonb not null,
  -- The listing source or the provider that had the home. null: none has it any more.
  source       text,
  primary key (account_id, watch_id, seq)
);
create index watch_events_by_age on watch_events using brin (written_at);

-- How far the log has been evaluated. The process that evaluates locks its row.
create table watch_progress (
  only_row  boolean primary key default true check (only_row),
  position  bigint not null default 0
);
insert into watch_progress default values;
