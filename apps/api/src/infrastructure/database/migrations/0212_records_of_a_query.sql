-- Some servers read $top as the number of all records, and send these in pages of their own size: how many records the query
-- of a pass has brought so far (replication/replicate.ts).
alter table source_cursors add column next_count integer not null default 0;
