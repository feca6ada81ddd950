-- The safety journal: what a restore must not undo, and what it loses. Triggers write a row in the transaction of the change. Each process
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

create function journal_keys() returns trigger language plpgsql as $$
begin
  insert into safety_journal (entry) values (
    case tg_op
      when 'INSERT' then jsonb_build_object('kind', 'key_created', 'key', new.id, 'account', new.account_id)
      else jsonb_build_object('kind', 'key_revoked', 'key', new.id, 'account', new.account_id, 'revoked_at', new.revoked_at)
    end);
  return null;
end $$;
create trigger journal_created_keys after insert on api_keys for each row execute function journal_keys();
create trigger journal_revoked_keys after update of revoked_at on api_keys for each row
  when (new.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function journal_keys();

create function journal_accounts() returns trigger language plpgsql as $$
begin
  insert into safety_journal (entry) values (
    case tg_op
      when 'INSERT' then jsonb_build_object('kind', 'account_created', 'account', new.id)
      else jsonb_build_object('kind', 'account_' || case new.status when 'active' then 'resumed' else new.status end, 'account', new.id)
    end);
  return null;
end $$;
create trigger journal_created_accounts after insert on accounts for each row execute function journal_accounts();
create trigger journal_statuses after update of status on accounts for each row
  when (new.status is distinct from old.status) execute function journal_accounts();

create function journal_purchases() returns trigger language plpgsql as $$
begin
  insert into safety_journal (entry) values (jsonb_build_object(
    'kind', case tg_op when 'INSERT' then 'order_placed' else 'order_closed' end, 'order', new.id, 'account', new.account_id,
    'credits', new.credits, 'state', new.state));
  return null;
end $$;
create trigger journal_orders after insert on purchases for each row execute function journal_purchases();
create trigger journal_closed_orders after update of state on purchases for each row
  when (new.state is distinct from old.state) execute function journal_purchases();

create function journal_credits() returns trigger language plpgsql as $$
begin
  insert into safety_journal (entry) values (jsonb_build_object(
    'kind', 'credits_changed', 'account', new.account_id, 'movement', new.movement_id, 'by', new.kind, 'credits', new.amount));
  return null;
end $$;
create trigger journal_credits after insert on operator_entries for each row execute function journal_credits();

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
