-- The first rows that the last import of a source has rejected, as [{ file, line, reason }], for the console.
alter table listing_sources add column rejections jsonb not null default '[]';
