-- The first rows that the last import of a source has rejected, as [{ file, line, reason }], for the console.
alter table listing_sources add column rejections jsonb not null default '[]';

-- The rejected records of a feed are few, and its records are many.
create index source_records_rejected on source_records (source, source_key) where state = 'rejected';
