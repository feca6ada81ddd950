-- Finds the search rows of removed homes in the change log: watches report them, and a home that may not be shown any more loses its
-- own. Rows of other changes have none, so imports do not write to this index.
create index listing_changes_removed on listing_changes (zpid, seq) where summary is not null;
