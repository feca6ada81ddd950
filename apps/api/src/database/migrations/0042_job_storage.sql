-- What the ended jobs of each account keep: one row for each account, so that a new job is judged, and the metrics are
-- read, without a look at every job of 30 days. Open jobs are few and are counted where they stand.
create table stored_jobs (
  account_id  uuid primary key references accounts (id),
  jobs        bigint not null check (jobs >= 0),
  rows        bigint not null check (rows >= 0),
  bytes       bigint not null check (bytes >= 0)
);

-- Triggers, so that the figures hold whoever ends or removes a job. They change nothing after its end.
create function jobs_are_stored() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update stored_jobs s set jobs = s.jobs - 1, rows = s.rows - old.row_count, bytes = s.bytes - old.stored_bytes
      where s.account_id = old.account_id;
    return old;
  end if;
  insert into stored_jobs as s (account_id, jobs, rows, bytes)
    values (new.account_id, 1, new.row_count, new.stored_bytes)
    on conflict (account_id) do update
      set jobs = s.jobs + 1, rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes;
  return new;
end $$;
create trigger ended_jobs_are_stored after update on jobs for each row
  when (old.completed_at is null and new.completed_at is not null) execute function jobs_are_stored();
create trigger removed_jobs_are_not_stored after delete on jobs for each row
  when (old.completed_at is not null) execute function jobs_are_stored();

create function stored_bytes_are_final() returns trigger language plpgsql as $$
begin
  raise exception 'what an ended job stores does not change';
end $$;
create trigger stored_bytes_are_final before update on jobs for each row
  when (old.completed_at is not null
    and (old.row_count, old.stored_bytes) is distinct from (new.row_count, new.stored_bytes))
  execute function stored_bytes_are_final();

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
