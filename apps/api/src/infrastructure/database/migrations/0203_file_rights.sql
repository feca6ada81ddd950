-- Files state rights too (rights/row-rights.ts).

-- Rows of the last import of a source that may not be stored.
alter table listing_sources add column withheld_rows bigint not null default 0;
-- With which mapping and which rules a file was read when it was last imported: a digest (replication/file-source.ts). Read
-- otherwise, an unchanged file may permit less. null: by an older Lotline.
alter table connected_sources add column file_rules text;
