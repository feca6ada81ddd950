-- Where the rows of a result come from (`meta.source` of its pages): the source of the first row. Rows of other sources, and
-- records, name their own. null: no row was found, or each names its own.
alter table jobs add column source json;
