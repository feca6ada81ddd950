-- Sources that Lotline keeps up to date by itself: feeds that speak the RESO Web API, and files that are read on a schedule.

-- One row for each connected source. Its name is the source of its listings (listings.source).
create table connected_sources (
  name            text primary key,
  kind            text not null check (kind in ('reso', 'file')),
  -- How to reach and read it (replication/source-store.ts). It names environment variables and never holds a secret.
  settings        jsonb not null,
  every_seconds   integer not null check (every_seconds between 60 and 2678400),
  created_at      timestamptz not null default now(),
  -- null: it is not paused.
  paused_at       timestamptz,
  due_at          timestamptz not null default now(),
  -- The credential that its last run had (feed_credentials).
  credential      text,
  -- The one process that synchronizes it now, and until when no other process does.
  lease_token     uuid,
  lease_until     timestamptz,
  lease_holder    jsonb,
  -- The last run that failed since the last success, and how many failed in a row.
  failures        integer not null default 0,
  last_error      text,
  failed_at       timestamptz,
  synced_at       timestamptz,
  -- The number of the latest sweep of the keys, whether it is under way, and the next time for one.
  sweep           integer not null default 0,
  sweeping        boolean not null default false,
  sweep_due_at    timestamptz,
  swept_at        timestamptz,
  -- What a file was when it was last imported: its ETag, its Last-Modified, or its size and time.
  file_version    text,
  -- With which mapping and which rules a file was read when it was last imported: a digest (replication/file-source.ts). Read
  -- otherwise, an unchanged file may permit less.
  file_rules      text,
  -- Counts at the end of the last run, for the metrics (replication/source-status.ts).
  counts          jsonb not null default '{}'
);

-- How far each resource of a feed has been read (replication/replicate.ts).
-- A page of records and its position are written in one transaction.
create table source_cursors (
  source           text not null references connected_sources (name) on delete cascade,
  resource         text not null,
  -- All records that changed before this time have been read, and the next pass begins here: in the feed's own spelling, or the feed's
  -- time when the last pass began, so that the next one finds what changed behind its pages. null: none.
  complete_to      text,
  -- The pass that is under way: the latest change that was read, and the address of the next page. null: none is.
  reached          text,
  next_link        text,
  -- How many records the query of the pass has brought so far: some servers read $top as the number of all records, and send
  -- these in pages of their own size.
  next_count       integer not null default 0,
  -- The feed's time when the first page of the pass was asked for. null: none is under way.
  began_at         timestamptz,
  -- The latest change that was ever applied, in the feed's own spelling; null: none. The lag of the source is counted from it.
  newest           text,
  -- Whether no record can appear any more that changed before complete_to.
  is_settled       boolean not null default false,
  primary key (source, resource)
);

-- Each record of a feed by its key, also those that may not be stored: of these, only that they exist and why they are held back.
create table source_records (
  source       text not null references connected_sources (name) on delete cascade,
  source_key   text not null,
  state        text not null check (state in ('listed', 'withheld', 'rejected', 'deleted', 'withdrawn')),
  -- Why it is not listed.
  reason       text,
  modified_at  timestamptz,
  -- The last sweep that found the key, and how many sweeps in a row did not.
  sweep        integer not null,
  misses       smallint not null default 0,
  primary key (source, source_key)
);

-- The rejected records of a feed are few, and its records are many.
create index source_records_rejected on source_records (source, source_key) where state = 'rejected';

-- Open houses, offices, and agents of feeds that do not send them with their listings.
create table source_related (
  source       text not null references connected_sources (name) on delete cascade,
  resource     text not null,
  key          text not null,
  -- Of an open house.
  listing_key  text,
  ends_at      timestamptz,
  -- The few fields that listings are made of.
  body         jsonb not null,
  -- How many whole passes in a row have not found the row (replication/related.ts): of an open house.
  misses       smallint not null default 0,
  primary key (source, resource, key)
);
create index source_related_by_listing on source_related (source, listing_key) where listing_key is not null;

-- Lookup values of a feed that the mapping does not know, for the operator. The service keeps a thousand of each source.
create table source_unknown_lookups (
  source   text not null references connected_sources (name) on delete cascade,
  field    text not null,
  value    text not null,
  records  bigint not null,
  primary key (source, field, value)
);

-- Homes of different sources that are the same home: by their normalized address, by their parcel, or by both. They stay two
-- records. Each pair has one row, the smaller zpid first.
create table linked_homes (
  zpid        text not null,
  other_zpid  text not null,
  by_address  boolean not null,
  by_parcel   boolean not null,
  linked_at   timestamptz not null default now(),
  primary key (zpid, other_zpid),
  check (zpid < other_zpid and (by_address or by_parcel))
);
create index linked_homes_by_other on linked_homes (other_zpid);

-- The parcel of each home of a feed, as `STATE/COUNTY/NUMBER` in letters and digits.
create table home_parcels (
  zpid    text primary key,
  parcel  text not null
);
create index home_parcels_by_parcel on home_parcels (parcel);

-- Calls to the servers of feeds, counted for each credential, so that all processes together stay within its limits. The name
-- of a credential is a digest: nothing can be called with it.
create table feed_credentials (
  credential     text primary key,
  -- The next free moment for a call.
  next_at        timestamptz not null default '-infinity',
  -- The server has asked for silence until then.
  blocked_until  timestamptz not null default '-infinity',
  -- How many of its calls in a row the server refused with 429.
  refusals       integer not null default 0
);
-- The calls of each minute.
create table feed_calls (
  credential  text not null,
  minute      timestamptz not null,
  calls       integer not null,
  bytes       bigint not null default 0,
  primary key (credential, minute)
);

-- Reserves one call. Returns the moment at which it may be made (`granted`), or the earliest moment to ask again.
-- `p_windows` is a list of {seconds, calls, bytes}: no more than that may fall into any such time. Whole minutes are
-- counted, so a window is up to a minute longer than it says. `p_now` is the time of a simulation.
create function take_feed_call(p_credential text, p_spacing interval, p_windows jsonb, p_now timestamptz default null)
returns table (granted boolean, at timestamptz, current_at timestamptz) language plpgsql as $$
declare
  v_now   timestamptz;
  v_state feed_credentials;
  v_slot  timestamptz;
  v_from  timestamptz;
  v_used  record;
  v_win   record;
begin
  insert into feed_credentials (credential) values (p_credential) on conflict do nothing;
  select * into v_state from feed_credentials c where c.credential = p_credential for update;
  -- Read after the row is locked: the process that waited for it gets a later time than the one before it.
  v_now := coalesce(p_now, clock_timestamp());
  if v_state.blocked_until > v_now then
    return query select false, v_state.blocked_until, v_now;
    return;
  end if;
  v_slot := greatest(v_now, v_state.next_at);
  for v_win in select * from jsonb_to_recordset(p_windows) as w (seconds integer, calls bigint, bytes bigint) loop
    v_from := v_slot - make_interval(secs => v_win.seconds + 60);
    select coalesce(sum(f.calls), 0) as calls, coalesce(sum(f.bytes), 0) as bytes, min(f.minute) as oldest into v_used
      from feed_calls f where f.credential = p_credential and f.minute > v_from;
    if v_used.calls >= v_win.calls or v_used.bytes >= v_win.bytes then
      return query select false, v_used.oldest + make_interval(secs => v_win.seconds + 60), v_now;
      return;
    end if;
  end loop;
  update feed_credentials c set next_at = v_slot + p_spacing where c.credential = p_credential;
  insert into feed_calls as f (credential, minute, calls) values (p_credential, date_trunc('minute', v_slot), 1)
    on conflict (credential, minute) do update set calls = f.calls + 1;
  delete from feed_calls f where f.credential = p_credential and f.minute < v_now - interval '2 days';
  return query select true, v_slot, v_now;
end $$;
