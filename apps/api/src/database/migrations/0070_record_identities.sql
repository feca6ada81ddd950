-- Which record of which source is which home. A source names its records in its own way; Lotline names homes by zpid.
-- Today's sources all know zpids, so the key is the zpid. Written where a record is first stored: by an import, and by the
-- cache for a provider.
create table record_identities (
  source      text not null,
  -- The source's own name of the record.
  source_key  text not null,
  zpid        text not null,
  primary key (source, source_key),
  -- A home has one record in a source. Also the way from a zpid to its sources.
  unique (zpid, source)
);
