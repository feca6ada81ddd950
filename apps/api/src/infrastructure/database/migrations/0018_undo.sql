-- The undo of imports: what each import has replaced, what its changes made watches report, and what was refunded for it.

-- The import that made the change (imports.id). null: no import did, or an older version of the service wrote the row.
alter table listing_changes add column import_id bigint;
alter table listing_changes alter column import_id set default nullif(current_setting('lotline.import_id', true), '')::bigint;

-- One row for each home that an import has inserted, changed, withdrawn, or removed: the home as it was before the first of these
-- changes. The other columns of a listing follow from its record.
create table replaced_listings (
  import_id    bigint not null,
  zpid         text not null,
  kept_at      timestamptz not null default now(),
  -- null: the data set did not have the home.
  source       text,
  record       text,
  -- A right has forbidden since to show the home. Its record is not kept, and the home is not restored.
  is_withheld  boolean not null default false,
  -- The later imports of a home are found by its zpid.
  primary key (zpid, import_id),
  constraint records_have_a_source check ((record is null) = (source is null))
);
do $$ begin
  alter table replaced_listings alter column record set compression lz4;
exception when feature_not_supported then null;
end $$;
alter table replaced_listings alter column record set statistics 0;
-- The rows of an import are written together.
create index replaced_listings_by_import on replaced_listings using brin (import_id) with (pages_per_range = 16, autosummarize = on);
create index replaced_listings_by_age on replaced_listings using brin (kept_at);

-- A trigger, so that every change that an import makes is kept, whichever statement makes it. It reads the rows that the
-- triggers of the change log read too. An undo keeps nothing: it puts back what is kept.
create function keep_replaced_listings() returns trigger language plpgsql as $$
declare
  mine  bigint := nullif(current_setting('lotline.import_id', true), '')::bigint;
begin
  if mine is null or exists (select from imports where id = mine and kind = 'revert') then
    return null;
  end if;
  -- The first state counts: an import may write a home several times, and a run of a feed has many pages.
  if tg_op = 'INSERT' then
    insert into replaced_listings (import_id, zpid) select mine, zpid from new_listings on conflict do nothing;
  else
    insert into replaced_listings (import_id, zpid, source, record)
      select mine, zpid, source, record from old_listings on conflict do nothing;
  end if;
  return null;
end $$;

create trigger keep_inserted_listings after insert on listings
  referencing new table as new_listings for each statement execute function keep_replaced_listings();
create trigger keep_updated_listings after update on listings
  referencing old table as old_listings for each statement execute function keep_replaced_listings();
create trigger keep_removed_listings after delete on listings
  referencing old table as old_listings for each statement execute function keep_replaced_listings();

-- Each change of a watch's reported state by imports, with or without an event. An undo of an import goes back along the
-- transitions of each home. They outlive a deleted watch: its events are refunded.
create table watch_transitions (
  account_id     uuid not null,
  watch_id       uuid not null,
  zpid           text not null,
  -- The transitions of a home of a watch follow each other.
  id             bigint generated always as identity,
  -- The imports whose changes it reports; 0 stands for changes that no import has made.
  imports        bigint[] not null,
  -- The position in the change log before these changes.
  after          bigint not null,
  -- The reported state before; was_status null: the watch did not know the home.
  was_status     text,
  was_price      double precision,
  was_left_at    timestamptz,
  -- The reported state since.
  status         text not null,
  price          double precision,
  left_at        timestamptz,
  -- null: the transition was not reported.
  event_id       text,
  -- The request id of the event's usage row.
  request_id     text,
  written_at     timestamptz not null default now(),
  -- An undo has taken it back.
  undone_at      timestamptz,
  -- False: the watch has got another search or list since, so its state does not rest on this.
  is_of_state    boolean not null default true,
  primary key (account_id, watch_id, zpid, id)
);
create index watch_transitions_by_import on watch_transitions using gin (imports);
create index watch_transitions_by_age on watch_transitions using brin (written_at);

-- The imports that the metrics of undos count.
create index imports_with_refunds on imports (id) where counts ? 'refunded_credits';

-- Events whose charge was refunded because their import was undone: each once. The row of an event names the entry of the ledger that
-- refunded it together with the others of its account.
create table refunded_events (
  account_id   uuid not null,
  -- Of the event's usage row.
  request_id   text not null,
  import_id    bigint not null,
  key_id       uuid not null,
  operation    text not null,
  credits      bigint not null check (credits > 0),
  -- The movement that refunded it.
  movement_id  bigint not null,
  refunded_at  timestamptz not null default now(),
  primary key (account_id, request_id)
);
create index refunded_events_by_time on refunded_events (account_id, refunded_at);
create index refunded_events_by_import on refunded_events (import_id);
revoke update, delete, truncate on refunded_events from current_user;

-- Refunds the charges of events that were not refunded before, in one entry. Events without a charge are left out. Returns the
-- credits and the number of events.
create function refund_events(p_account uuid, p_import bigint, p_requests text[], p_reason text, p_operator text)
returns table (credits bigint, events bigint) language plpgsql security definer as $$
declare
  requests    text[];
  keys        uuid[];
  operations  text[];
  charges     bigint[];
  total       bigint;
  answer      text;
  entry       bigint;
begin
  -- The same lock as that of every charge: events are not refunded twice.
  perform from accounts where id = p_account for no key update;
  -- Events that can be undone are younger than the limit of undos. No setting allows more days than these.
  select array_agg(u.request_id), array_agg(u.key_id), array_agg(u.operation::text), array_agg(u.credits_charged),
      coalesce(sum(u.credits_charged), 0)
    into requests, keys, operations, charges, total
    from usage_rows u join unnest(p_requests) as g (request_id) using (request_id)
    where u.account_id = p_account and u.credits_charged > 0 and u.created_at > now() - interval '100 days'
      and not exists (select from refunded_events r where r.account_id = p_account and r.request_id = u.request_id);
  if total = 0 then
    return query select 0::bigint, 0::bigint;
    return;
  end if;
  select a.verdict into answer from adjust_credits(p_account, total, p_reason) a;
  if answer <> 'adjusted' then
    raise exception 'the refund of the events of import % was refused: %', p_import, answer;
  end if;
  perform note_operator_entry(p_account, 'adjust', null, null, p_reason, p_operator);
  select max(m.id) into entry from movements m where m.account_id = p_account;
  insert into refunded_events (account_id, request_id, import_id, key_id, operation, credits, movement_id)
    select p_account, g.request_id, p_import, g.key_id, g.operation, g.credits, entry
    from unnest(requests, keys, operations, charges) as g (request_id, key_id, operation, credits);
  return query select total, cardinality(requests)::bigint;
end $$;
do $$ begin
  execute format('alter function refund_events(uuid, bigint, text[], text, text) set search_path = %I, pg_temp', current_schema());
end $$;

-- Gives a role the rights of the service, and no more. The owner calls it at every start, because migrations bring new tables.
create or replace function grant_service_rights(p_role name) returns void language plpgsql as $$
declare
  name text;
begin
  execute format('grant usage on schema %I to %I', current_schema(), p_role);
  -- Partitions are reached through their tables only.
  for name in
    select oid::regclass from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
  loop
    execute format('revoke all on %s from %I', name, p_role);
    execute format('grant %s on %s to %I', case
        when name in ('movements', 'holds', 'book_archives', 'lotline_migrations', 'operator_entries', 'refunded_events') then 'select'
        when name in ('usage_rows', 'ledger_audits', 'operator_actions', 'mailboxes') then 'select, insert'
        else 'select, insert, update, delete'
      end, name, p_role);
  end loop;
  execute format('grant usage on all sequences in schema %I to %I', current_schema(), p_role);
end $$;
