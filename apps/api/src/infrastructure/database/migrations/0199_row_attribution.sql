-- What must be shown with a search row is part of what the row is made of: records of one source may say different things. Until
-- now, a source had one authority and one notice, or none if its records differed.
--
-- Of two fields with one name, the last one counts. A record with an escaped NUL cannot be read here; its next import corrects it.
update listings set summary = left(summary, -1) || ',"attributionInfo":' || json_strip_nulls(json_build_object(
    'brokerName', record::json -> 'attributionInfo' -> 'brokerName',
    'mlsName', record::json -> 'attributionInfo' -> 'mlsName',
    'mlsDisclaimer', record::json -> 'attributionInfo' -> 'mlsDisclaimer'))::text || '}'
where record like '%"attributionInfo":{%' and record like '%"mls%' and position('\u0000' in record) = 0;
alter table listing_sources drop column authority, drop column notice;

-- The listing source or the provider that had the home. null: none has it any more, or an earlier version wrote the event.
alter table watch_events add column source text;
