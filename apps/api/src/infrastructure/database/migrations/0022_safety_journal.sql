-- The safety journal: what a restore must not undo, and what it loses. A row is written in the transaction of the change. Each process
-- copies new rows to files in its DATA_DIR (database/journal), because a restore replaces this table. A backup does not contain it.

create table safety_journal (
  id          bigint generated always as identity primary key,
  -- A copier asks for the rows of transactions that its last snapshot did not see: ids are not committed in their order.
  written_by  xid8 not null default pg_current_xact_id(),
  at          timestamptz not null default clock_timestamp(),
  -- `kind` and its facts: ids, credits, and times. No secrets and no personal data.
  entry       jsonb not null
);
create index safety_journal_by_transaction on safety_journal (written_by);
create index safety_journal_by_time on safety_journal (at);

-- The first row names this database until a restore replaces it. With it, a restore finds the entries that follow its backup.
insert into safety_journal (id, entry) overriding system value
  values (0, jsonb_build_object('kind', 'database_begun', 'era', gen_random_uuid()));

-- Homes are written by the hundred: an import can remove all homes of a source.
create function journal_homes(p_kind text, p_zpids text[]) returns void language sql as $$
  insert into safety_journal (entry)
    select jsonb_build_object('kind', p_kind, 'zpids', jsonb_agg(zpid))
    from unnest(p_zpids) with ordinality as homes (zpid, n) group by (n - 1) / 500 order by (n - 1) / 500
$$;

-- As before, and also written to the journal.
create or replace function note_operator_entry(
  p_account uuid, p_kind text, p_reference text, p_request text, p_reason text, p_operator text
) returns void language plpgsql security definer as $$
declare
  last  movements;
begin
  select * into last from movements m where m.account_id = p_account order by m.id desc limit 1;
  if not found then
    return;
  end if;
  insert into operator_entries (account_id, movement_id, kind, amount, reference, request_id, reason, operator)
    values (p_account, last.id, p_kind, last.amount, p_reference, p_request, p_reason, p_operator);
  insert into safety_journal (entry) values (jsonb_build_object(
    'kind', 'credits_changed', 'account', p_account, 'movement', last.id, 'by', p_kind, 'credits', last.amount));
end $$;
do $$ begin
  execute format('alter function note_operator_entry(uuid, text, text, text, text, text) set search_path = %I, pg_temp', current_schema());
end $$;

-- Homes are on one node, where triggers work. They miss no statement that removes or withholds homes.

create function journal_removed_homes() returns trigger language plpgsql as $$
begin
  perform journal_homes(case tg_op when 'INSERT' then 'homes_removed' else 'homes_returned' end,
    (select array_agg(zpid) from changed_homes));
  return null;
end $$;
create trigger journal_removed_homes after insert on removed_listings
  referencing new table as changed_homes for each statement execute function journal_removed_homes();
create trigger journal_returned_homes after delete on removed_listings
  referencing old table as changed_homes for each statement execute function journal_removed_homes();

create function journal_withheld_homes() returns trigger language plpgsql as $$
begin
  perform journal_homes('homes_withheld', (select array_agg(zpid) from changed_homes where what = 'listing'));
  perform journal_homes('addresses_withheld', (select array_agg(zpid) from changed_homes where what = 'address'));
  return null;
end $$;
create trigger journal_withheld_homes after insert on withheld_homes
  referencing new table as changed_homes for each statement execute function journal_withheld_homes();
create trigger journal_homes_withheld_further after update on withheld_homes
  referencing new table as changed_homes for each statement execute function journal_withheld_homes();

-- A row that has expired is deleted too: then the home is still gone, or its address hidden.
create function journal_shown_addresses() returns trigger language plpgsql as $$
begin
  perform journal_homes('addresses_shown', (
    select array_agg(zpid) from changed_homes join listings l using (zpid) where not l.address_hidden));
  return null;
end $$;
create trigger journal_shown_addresses after delete on withheld_homes
  referencing old table as changed_homes for each statement execute function journal_shown_addresses();

-- What was revoked, suspended, removed, or withheld before this migration counts as well: backups may be older.
insert into safety_journal (entry)
  select jsonb_build_object('kind', 'key_revoked', 'key', id, 'account', account_id, 'revoked_at', revoked_at)
  from api_keys where revoked_at is not null order by revoked_at;
insert into safety_journal (entry)
  select jsonb_build_object('kind', 'account_suspended', 'account', id) from accounts where status = 'suspended';
select journal_homes('homes_removed', (select array_agg(zpid) from removed_listings));
select journal_homes('homes_withheld', (select array_agg(zpid) from withheld_homes where what = 'listing'));
select journal_homes('addresses_withheld', (select array_agg(zpid) from withheld_homes where what = 'address'));
