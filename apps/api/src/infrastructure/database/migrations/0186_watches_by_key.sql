-- The watches of connectors that have ended are found by their keys (watches/update-watch.ts).
create index watches_by_key on watches (key_id);
