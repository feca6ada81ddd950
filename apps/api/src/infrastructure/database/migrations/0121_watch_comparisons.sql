-- Comparisons of watches with the whole data set, which are free for the account: how often they are made, and what ends those
-- that fail.

alter table watches
  -- Each comparison moves this forward, from now at the earliest. A watch for which it is far ahead is compared later.
  add compared_until     timestamptz,
  -- Failed comparisons in a row. After some the watch is paused, and all others go on.
  add failed_comparisons smallint not null default 0;
