-- The months of the ledger: a partition of movements and of usage_rows for each month in UTC, made ahead by every process
-- (database/partitions.ts), and the archives that old months have left to (credits/archive).

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

-- Functions that run with the owner's rights must find the owner's tables, whatever the caller's search path is.
do $$ begin
  execute format('alter function make_book_partition set search_path = %I, pg_temp', current_schema());
end $$;

select make_book_partitions(3);
