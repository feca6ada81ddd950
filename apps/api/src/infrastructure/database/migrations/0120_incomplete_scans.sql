-- What a search of a watch over a remote data source has come to (watches/scan.ts).

-- Searches in a row whose result was not complete.
alter table watches add incomplete_scans smallint not null default 0;

-- A watch that was made over a remote data source is compared with the data set too, whatever its last search came to.
drop index watches_to_compare;
create index watches_to_compare on watches (due_at, account_id, id) where status <> 'paused' and not is_current;
