-- Searches of watches over a remote data source are free for the account, so the plan limits their provider queries, and a
-- search that is never complete comes to an end.

create table watch_scan_budgets (
  account_id   uuid primary key references accounts (id),
  -- At the hourly rate of the plan, the queries that were made so far last until then. While this is in the future, no
  -- search of the account begins: its watches stay due, and none is lost. An hour's worth can be unused at most.
  spent_until  timestamptz not null
);

-- Searches in a row whose result was not complete.
alter table watches add incomplete_scans smallint not null default 0;

-- A watch that was made over a remote data source is compared with the data set too, whatever its last search came to.
drop index watches_to_compare;
create index watches_to_compare on watches (due_at, account_id, id) where status <> 'paused' and not is_current;
