-- What the ended jobs of each account keep: one row for each account, so that a new job is judged, and the metrics are
-- read, without a look at every job of 30 days. Open jobs are few and are counted where they stand. The statements that end
-- and remove a job keep it (jobs/store/settle-job.ts, sweeper.ts).
create table stored_jobs (
  account_id  uuid primary key references accounts (id),
  jobs        bigint not null check (jobs >= 0),
  rows        bigint not null check (rows >= 0),
  bytes       bigint not null check (bytes >= 0)
);

-- What an account uses of the bounds of its plan. 1,024 bytes stand for the row of a job, its hold, its usage rows and its
-- event.
create view job_storage as
  select a.id as account_id, a.plan,
    coalesce(o.jobs, 0) as open_jobs,
    coalesce(s.rows, 0) + coalesce(o.rows, 0) as stored_rows,
    coalesce(s.bytes, 0) + coalesce(o.bytes, 0) + 1024 * (coalesce(s.jobs, 0) + coalesce(o.jobs, 0)) as stored_bytes
  from accounts a
    left join stored_jobs s on s.account_id = a.id
    left join lateral (
      select count(*) as jobs, sum(j.row_count)::bigint as rows, sum(j.stored_bytes)::bigint as bytes
      from jobs j where j.account_id = a.id and j.completed_at is null
    ) o on true;
