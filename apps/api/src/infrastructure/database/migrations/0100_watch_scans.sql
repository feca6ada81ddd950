-- Watches over a remote data source, which has no change log: they are searched at their intervals, each by one process at a
-- time, and the result is compared with what they reported last.

alter table watches
  -- Of the process that searches it now, and until when no other process does.
  add scan_token uuid,
  add scan_until timestamptz,
  -- When the last complete search ended.
  add scanned_at timestamptz,
  -- Homes of the list that have no baseline yet: they were added since the last complete search.
  add unseen     text[] not null default '{}';

-- Whether the last complete search did not find the home. If the next one does not either, it is removed.
alter table watch_homes add missed boolean not null default false;
