-- The credit ledger, the usage rows, and what keeps them: months, archives, audits, and the entries of operators.
-- Money invariants are held here as well as in code: no statement, however wrong, can commit a call's charge a second time.

-- What jobs have set aside. A hold is open until its job ends, and is closed once: settled (charged, the rest released)
-- or released whole. Only functions write here that run with the owner's rights (0016_rights_of_roles.sql): the service's own
-- role can read.
create table holds (
  account_id   uuid not null references accounts (id),
  job_id       uuid not null,
  -- Credits, with all that it has grown by. It stays when the hold is closed.
  amount       bigint not null check (amount >= 0),
  -- The part of it that an earlier cycle granted: charged first, and gone when the hold is closed.
  expiring     bigint not null default 0,
  state        text not null default 'open' check (state in ('open', 'settled', 'released')),
  charged      bigint not null default 0,
  -- What the job's stages cost as it was accepted (the contract's PriceStage, a list): it is charged at these, whatever
  -- they cost by the time it ends. null: not known, so the contract's prices of the day.
  prices       jsonb,
  -- What the client allows the job to cost; null: no limit.
  max_amount   bigint,
  -- The key whose call started the job.
  key_id       uuid,
  -- How much of it counts in the period of a limit of the key that began with limit_after. What the job is not charged comes back.
  limit_counted  bigint not null default 0,
  limit_after    bigint,
  -- What kept it from being greater when it was last placed or grown: the credits of the account, or the limit of the key.
  short_of     text check (short_of in ('credits', 'key_limit')),
  created_at   timestamptz not null default now(),
  closed_at    timestamptz,
  primary key (account_id, job_id),
  constraint expiring_within_amount check (0 <= expiring and expiring <= amount),
  constraint counted_within_amount check (0 <= limit_counted and limit_counted <= amount),
  constraint amount_within_limit check (amount <= max_amount),
  constraint charged_within_amount check (0 <= charged and charged <= amount),
  constraint only_settled_holds_charge check (charged = 0 or state = 'settled'),
  constraint closed_holds_hold_nothing check ((state = 'open') = (closed_at is null) and (state = 'open' or expiring = 0))
);
create index open_holds on holds (account_id, created_at, job_id) where state = 'open';

revoke delete, truncate on holds from current_user;

-- The ledger is append-only: no user, not even the owner, has the right to update, delete or truncate. What a call is charged
-- stands in its usage row, because two rows for one charge would be half of what it costs; every other change of credits
-- stands here. The view `postings` is both.
--
-- Both tables have a partition for each month in UTC (make_book_partition), so that old months can leave as a whole.
-- Rows of a month that has no partition are in the default one, so no clock and no idle time can make a charge fail.
create table movements (
  -- No foreign key here and in usage_rows: it costs a fifth of a charge. What writes rows has locked the account, and
  -- accounts are never removed.
  account_id   uuid not null,
  -- The rows of an account, here and in usage_rows, are numbered in the order in which they were written.
  id           bigserial,
  kind         text not null,
  -- Change of the balance, in credits. A hold or a release moves no balance.
  amount       bigint not null,
  held_change  bigint not null default 0,
  request_id   text,
  stage        text,
  job_id       uuid,
  -- Why an operator has adjusted the balance.
  reason       text,
  created_at   timestamptz not null default now(),
  -- A key of a partitioned table includes the moment that decides the partition. The number alone is unique: it is a
  -- sequence's.
  primary key (account_id, id, created_at),
  constraint adjustments_have_a_reason check ((kind = 'adjust') = (coalesce(reason, '') <> '')),
  constraint movement_fits_its_kind check (
    case kind
      when 'grant' then amount > 0 and held_change = 0 and request_id is null
      when 'topup' then amount > 0 and held_change = 0 and request_id is null
      -- The operator's: credits given or taken away by hand.
      when 'adjust' then amount <> 0 and held_change = 0 and request_id is null and job_id is null
      when 'expire' then amount < 0 and held_change = 0 and request_id is null
      -- The sum of the postings that left with an archive.
      when 'carried' then (amount <> 0 or held_change <> 0) and request_id is null and job_id is null
      -- A job's, which is taken out of its hold.
      when 'charge' then amount < 0 and held_change = amount and request_id is not null and job_id is not null
      when 'hold' then amount = 0 and held_change > 0 and job_id is not null and request_id is null
      when 'release' then amount = 0 and held_change < 0 and job_id is not null and request_id is null
      else false
    end
  )
) partition by range (created_at);
create table movements_default partition of movements default;
revoke update, delete, truncate on movements from current_user;

-- One row for each admitted call and stage; with credits and without a job it is also the posting of the call's charge.
create table usage_rows (
  account_id       uuid not null,
  id               bigint not null default nextval('movements_id_seq'),
  key_id           uuid not null,
  request_id       text not null,
  stage            text,
  endpoint         short_text not null,
  -- The contract's operationId; null when no operation matched. The audit recomputes prices from it.
  operation        text,
  actor            usage_actor not null,
  units            bigint not null default 0,
  status_code      integer not null,
  credits_charged  bigint not null default 0,
  -- Of the job that a 202 accepted; units and credits are filled in when its hold is settled.
  job_id           uuid,
  -- The moment of admission on the server's clock: the rate window is rebuilt from it.
  created_at       timestamptz not null,
  -- Once for a request and stage, also if a retry writes it again: the moment of a call is the same in each attempt, and each stage
  -- has an actor of its own. The audit finds a request at two moments. One index is also the order of /v1/usage and of the rate windows;
  -- a second costs a seventh of a charge.
  primary key (account_id, created_at, request_id, actor),
  constraint usage_is_sound check (
    units >= 0 and credits_charged >= 0
    -- Failures are free.
    and (status_code < 300 or (units = 0 and credits_charged = 0))
    and (credits_charged = 0 or operation is not null)
    and (stage is null or stage = actor)
  )
) partition by range (created_at);
create index usage_rows_of_jobs on usage_rows (account_id, job_id) where job_id is not null;
create table usage_rows_default partition of usage_rows default;
-- A usage row is final, but for the one filling of what a job has cost (close_hold).
revoke update, delete, truncate on usage_rows from current_user;
grant update (units, credits_charged) on usage_rows to current_user;

-- Every change of credits. Σ amount = balance, Σ held_change = held.
create view postings as
  select account_id, id, kind, amount, held_change, request_id, stage, job_id, created_at, reason from movements
  union all
  select account_id, id, 'charge', -credits_charged, 0, request_id, stage, null, created_at, null
  from usage_rows where credits_charged > 0 and job_id is null;

-- How far the usage of an account is closed and summed (0014_charges.sql). Sums are made once: no row
-- before closed_until is written or changed.
create table usage_summed (
  account_id    uuid primary key,
  closed_until  timestamptz not null,
  -- Every row before this moment is in usage_sums, no other one is. At most closed_until.
  until         timestamptz not null default '-infinity'
);

-- Sums of usage rows by hour, so that GET /v1/usage/summary reads a few sums and not a million rows. They are made when an
-- account asks for a summary (sum_usage), never by a charge, and only for hours that are closed. Nothing else depends on them: they
-- can be emptied at any time.
create table usage_sums (
  account_id       uuid not null,
  -- UTC
  hour             timestamptz not null,
  key_id           uuid not null,
  operation        text,
  status_code      integer not null,
  usage_rows       bigint not null,
  units            bigint not null,
  credits_charged  bigint not null
);
create index usage_sums_by_hour on usage_sums (account_id, hour);

-- One row for each audit of the ledger (`lotline credits audit`), for /metrics and for operators who have to show when the books
-- were last proven.
create table ledger_audits (
  ended_at    timestamptz not null default clock_timestamp() primary key,
  accounts    bigint not null,
  holds       bigint not null,
  postings    bigint not null,
  usage_rows  bigint not null,
  -- Contradictions found: 0 when every credit is accounted for.
  drifts      bigint not null
);

-- Who has given or taken credits by hand, and why: one row beside each top-up, adjustment, and refund that an operator makes
-- with the command, and beside what a purchase grants (0011_purchases.sql). It stays when its movement leaves with an archive, so a
-- reference or a refund is never used twice.
create table operator_entries (
  account_id   uuid not null,
  -- Of the movement that it explains.
  movement_id  bigint not null,
  kind         text not null check (kind in ('topup', 'adjust', 'refund', 'plan')),
  -- Change of the balance, in credits.
  amount       bigint not null,
  -- The operator's own name of a payment, such as the number of an invoice.
  reference    text check (char_length(reference) between 1 and 200),
  -- The call that is refunded.
  request_id   text,
  reason       text,
  operator     text not null,
  created_at   timestamptz not null default now(),
  primary key (account_id, movement_id),
  constraint refunds_name_their_call check ((kind = 'refund') = (request_id is not null))
);
create unique index operator_entries_by_reference on operator_entries (account_id, reference) where reference is not null;
create unique index operator_entries_by_call on operator_entries (account_id, request_id) where request_id is not null;
revoke update, delete, truncate on operator_entries from current_user;

-- Explains the latest movement of an account, in the transaction that has written it and holds the account's lock.
create function note_operator_entry(
  p_account uuid, p_kind text, p_reference text, p_request text, p_reason text, p_operator text
) returns void language plpgsql security definer as $$
begin
  insert into operator_entries (account_id, movement_id, kind, amount, reference, request_id, reason, operator)
    select p_account, m.id, p_kind, m.amount, p_reference, p_request, p_reason, p_operator
    from movements m where m.account_id = p_account order by m.id desc limit 1;
end $$;

-- One row for each archive of the books (`lotline credits archive`), written in the transaction that removes its rows.
create table book_archives (
  -- The first moment that is kept: the rows before it are in this file and in those of earlier archives.
  before_month  timestamptz primary key,
  -- The greatest number of a row in it.
  last_id       bigint not null,
  movements     bigint not null,
  usage_rows    bigint not null,
  -- Of the file, so that an audit knows that it reads the one that was written.
  sha256        text not null,
  archived_at   timestamptz not null default now()
);
revoke update, delete, truncate on book_archives from current_user;

-- From when the books are complete, and the greatest number of a row that has left; before the first archive, from ever.
create view kept_books as
  select coalesce(max(before_month), '-infinity') as since, coalesce(max(last_id), 0) as last_archived_id from book_archives;

-- Makes the partition of a month, named by any moment in it, of 'movements' or 'usage_rows', unless it exists. Rows of the
-- month that are in the default partition move into it. Returns whether it was made.
--
-- Waits for no more than a second, and then fails with lock_not_available: what waits for the default partition must not
-- keep back what reads the books. The caller tries again; meanwhile rows go to the default partition.
create function make_book_partition(p_table text, p_at timestamptz) returns boolean
language plpgsql security definer
set lock_timeout = '1s' set timezone = 'UTC' as $$
declare
  month      timestamptz := date_trunc('month', p_at);
  next       timestamptz := date_trunc('month', p_at) + interval '1 month';
  partition  text := p_table || to_char(p_at, '_YYYY_MM');
  made       boolean;
  late       boolean;
begin
  if p_table not in ('movements', 'usage_rows') then
    raise exception '% is no table of the books', p_table;
  end if;
  -- The catalog is asked by a query, which sees what others have committed meanwhile; to_regclass remembers.
  select exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = p_table::regclass and c.relname = partition) into made;
  if made then
    return false;
  end if;
  -- One at a time: two would both make it, and one fail.
  perform pg_advisory_xact_lock(7240316521);
  select exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = p_table::regclass and c.relname = partition) into made;
  if made then
    return false;
  end if;
  -- Made beside the table and attached, because `create table … partition of` would lock out every charge.
  execute format('create table %I (like %I including all)', partition, p_table);
  execute format('select exists (select from %I where created_at >= %L and created_at < %L)',
    p_table || '_default', month, next) into late;
  if late then
    execute format('lock table %I in access exclusive mode', p_table || '_default');
    execute format(
      'with moved as (delete from %I where created_at >= %L and created_at < %L returning *) insert into %I select * from moved',
      p_table || '_default', month, next, partition);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, partition, month, next);
  return true;
end $$;

-- Makes the partitions of the present month and of the p_ahead that follow. Returns how many were made.
create function make_book_partitions(p_ahead integer) returns integer
language plpgsql as $$
declare
  made  integer := 0;
begin
  for n in 0 .. p_ahead loop
    made := made
      + make_book_partition('movements', now() + n * interval '1 month')::integer
      + make_book_partition('usage_rows', now() + n * interval '1 month')::integer;
  end loop;
  return made;
end $$;

select make_book_partitions(3);
