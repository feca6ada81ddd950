-- Which record of which source is which home. A source names its records in its own way; Lotline names homes by zpid.
-- Where a source knows zpids, the key is the zpid. Otherwise an import asks this table for the zpid of the key, and a key
-- that is new gets one (ingest/record-identity.ts). Rows are never deleted, so that a zpid never means another home.
create table record_identities (
  source      text not null,
  -- The source's own name of the record.
  source_key  text not null,
  zpid        text not null,
  primary key (source, source_key)
);
-- A home has one record in a source among those whose key is not its zpid. Records whose key is the zpid are left out,
-- because an index over all homes would be a tenth of an import, and the primary key keeps them apart from each other. So
-- this index does not refuse ('s', 'a', '55') beside ('s', '55', '55'). Zpids with 16 digits are in it in any case, so that
-- assign_zpid finds those that a source brought by itself.
create unique index record_identities_by_zpid on record_identities (zpid, source)
  where source_key <> zpid or length(zpid) = 16;

-- 16 digits, and exact as a JSON number. Sources that know zpids have shorter ones.
create sequence assigned_zpids minvalue 1000000000000000 maxvalue 1999999999999999 no cycle;

-- A zpid that no record has. A database that was restored from a backup begins to count anew: it goes on behind the
-- greatest that was assigned.
create function assign_zpid() returns text language plpgsql as $$
declare
  candidate  text;
begin
  loop
    candidate := nextval('assigned_zpids')::text;
    exit when not exists (select from record_identities where zpid = candidate and length(zpid) = 16);
    perform setval('assigned_zpids', greatest(candidate::bigint, (
      select max(zpid::bigint) from record_identities
      where source_key <> zpid and zpid ~ '^1[0-9]{15}$'
    )));
  end loop;
  return candidate;
end $$;
