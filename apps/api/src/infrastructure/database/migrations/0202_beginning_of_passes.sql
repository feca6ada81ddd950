-- Where a pass over a feed began, so that the next one finds what changed behind its pages (replication/replicate.ts).
-- complete_to is where the next pass begins: in the feed's own spelling, or the feed's time when the last pass began.

alter table source_cursors
  -- The pass that is under way: the feed's time when its first page was asked for. null: none is.
  add column began_at timestamptz,
  -- The latest change that was ever applied, in the feed's own spelling; null: none. The lag of the source is counted from it.
  add column newest text;
update source_cursors set newest = coalesce(complete_to, reached);
-- Where the passes that are under way began is not known, so they begin again.
update source_cursors set next_link = null, reached = null where next_link is not null;
