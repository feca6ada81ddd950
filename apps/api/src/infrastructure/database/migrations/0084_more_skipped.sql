-- The entries that a result was cut before, behind those in `skipped`: only a job that is read by itself has them, so that
-- a page of jobs stays small. null: there are no more. They count as stored bytes.
alter table jobs add column more_skipped json;
