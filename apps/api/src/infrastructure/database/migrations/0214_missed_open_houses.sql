-- How many whole passes in a row have not found the row (replication/related.ts): of an open house.
alter table source_related add column misses smallint not null default 0;
