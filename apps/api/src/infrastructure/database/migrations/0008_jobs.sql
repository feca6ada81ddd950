-- Jobs, their rows, and the keys that make a call safe to repeat. The row of a job is also its entry in the queue:
-- the worker that holds its lease works on it, and every write of a worker names the lease's token.

-- One row for each job of the last 30 days.
create table jobs (
  account_id      uuid not null references accounts (id),
  id              uuid not null,
  type            text not null check (type in ('search', 'batch_detail', 'chained_search_detail', 'building_units')),
  status          text not null default 'queued'
    check (status in ('queued', 'running', 'succeeded', 'failed', 'timed_out', 'aborted')),
  -- The stage of a chained job; null for all others.
  chain_stage     text check (chain_stage in ('search', 'detail')),
  -- The call that started it: its usage rows are filled when the job succeeds.
  request_id      text not null,
  operation       text not null,
  -- What to do, as it was validated. json and not jsonb, here and below: it is read whole, and keeps texts that jsonb
  -- refuses. null once the job has ended: it is not needed any more.
  request         json,
  -- Names of what the call carried and the job does not use, a list; null: everything is used.
  ignored         json,
  -- How far it has come, in the words of its type; written together with the rows found so far.
  checkpoint      json,
  -- What the search of a chained job has found. Written when that stage ends, and beside the checkpoint because that is
  -- written again and again.
  found           json,
  -- The places that the search names, as the contract tells them; null: it names none.
  places          json,
  -- Of several providers, the one that answered the first query of the job: all its queries go to it, so that no result is made
  -- of two. null: none has answered yet, or there is only one.
  provider        text,
  -- Where the rows of a result come from (`meta.source` of its pages): the source of the first row. Rows of other sources, and
  -- records, name their own. null: no row was found, or each names its own.
  source          json,
  progress_done   integer not null default 0,
  progress_total  integer,
  coverage        jsonb,
  -- Result rows; and of these, those that are charged: a building's own record beside its units is not.
  row_count       integer not null default 0,
  units           integer not null default 0,
  -- Of its rows and failed entries, and of its request while it is open (job_storage).
  stored_bytes    bigint not null default 0 check (stored_bytes >= 0),
  -- Rows of job_failures.
  failure_count   integer not null default 0,
  -- Entries that a result was cut before: how many, and the first of them as the contract tells them.
  skipped_count   integer not null default 0,
  skipped         json not null default '[]',
  -- The entries behind those in `skipped`: only a job that is read by itself has them, so that a page of jobs stays small.
  -- null: there are no more. They count as stored bytes.
  more_skipped    json,
  -- Rows of the search stage of a chained job, which are charged but not kept.
  search_units    integer not null default 0,
  -- Dotted names of all columns of the result as CSV, so that each page has the same header; null until it is known.
  columns         text[],
  truncated_by    text check (truncated_by in ('credits', 'max_items', 'max_credits', 'key_limit')),
  error_code      text,
  error_message   text,
  -- null: no worker has it.
  lease_token     uuid,
  lease_until     timestamptz,
  -- It waits for the account's budget of failed lookups until then; null: for nothing.
  not_before      timestamptz,
  -- How often a worker was lost over it.
  crashes         integer not null default 0,
  created_at      timestamptz not null default now(),
  -- Acceptance, or when a worker last gave it back.
  waiting_since   timestamptz not null default now(),
  started_at      timestamptz,
  completed_at    timestamptz,
  -- It is timed_out then. Counted from acceptance, and anew from the moment work on it begins.
  deadline_at     timestamptz not null,
  primary key (account_id, id),
  constraint lease_is_whole check ((lease_token is null) = (lease_until is null)),
  constraint only_running_jobs_are_leased check (lease_token is null or status = 'running'),
  constraint started_when_running check (
    case status when 'queued' then started_at is null when 'aborted' then true when 'timed_out' then true
      else started_at is not null end
  ),
  constraint completed_at_the_end check ((status in ('queued', 'running')) = (completed_at is null)),
  -- Clients may start jobs that cost nothing, so nothing of an ended one is kept but what its account can read.
  constraint ended_jobs_keep_no_work check (
    completed_at is null or num_nonnulls(request, checkpoint, found) = 0
  ),
  constraint open_jobs_have_work check (completed_at is not null or request is not null),
  constraint error_says_why check ((status in ('failed', 'timed_out', 'aborted')) = (error_code is not null)),
  constraint skipped_where_cut check (skipped_count >= json_array_length(skipped)),
  constraint more_rows_than_units check (0 <= units and units <= row_count)
);
-- A job at work is written again and again: room on its page keeps those writes out of the indexes.
alter table jobs set (fillfactor = 70);
create index jobs_by_time on jobs (account_id, created_at desc, id desc);
create unique index jobs_by_id on jobs (id);
create index jobs_waiting on jobs (account_id, created_at, id)
  where status in ('queued', 'running') and lease_token is null;
create index jobs_leased on jobs (account_id, lease_until) where lease_token is not null;
create index jobs_open on jobs (account_id) where completed_at is null;
create index jobs_by_deadline on jobs (deadline_at) where status in ('queued', 'running');
create index jobs_by_end on jobs (completed_at) where completed_at is not null;

-- Claims up to p_room jobs that no worker has, each with a lease and a token of its own.
--
-- Accounts are stepped through by the index, one probe each, so a long queue of one account costs the others nothing.
-- Accounts with the fewest jobs at work come first; of those with equally many, the one whose job has waited for longest.
-- So accounts take turns when there are more of them than places: a job that made room for another goes to the end of the
-- line. A job that a lost worker has left keeps its old place.
--
-- It is a function because claims are made one at a time, or two at the same moment would each count the other's jobs as
-- not begun; and the lock must not be held while a client, which may be paused, is to send its next statement.
create function claim_jobs(p_room integer, p_per_account integer, p_lease_ms float8, p_timeout_ms float8)
returns table (account_id uuid, id uuid, token uuid) language plpgsql as $$
begin
  -- The list of all advisory locks is in database/advisory-locks.ts.
  perform pg_advisory_xact_lock(7240316520);
  return query
    with recursive waiting (account_id) as (
      (select j.account_id from jobs j
        where j.status in ('queued', 'running') and j.lease_token is null order by j.account_id limit 1)
      union all
      select (
        select j.account_id from jobs j
        where j.status in ('queued', 'running') and j.lease_token is null and j.account_id > w.account_id
        order by j.account_id limit 1)
      from waiting w where w.account_id is not null
    ), next as (
      select j.account_id, j.id, j.created_at, j.waiting_since, b.running + row_number() over (
          partition by j.account_id order by j.created_at, j.id) as turn
      from waiting w
        cross join lateral (
          select count(*) as running from jobs l where l.account_id = w.account_id and l.lease_token is not null) b
        cross join lateral (
          select c.account_id, c.id, c.created_at, c.waiting_since from jobs c
          where c.account_id = w.account_id and c.status in ('queued', 'running') and c.lease_token is null
            -- One that has lost its worker three times (jobs/job.ts) is the sweeper's to fail.
            and c.crashes < 3 and c.deadline_at > now()
            and (c.not_before is null or c.not_before <= now())
          order by c.created_at, c.id limit p_per_account) j
      where w.account_id is not null
    ), free as (
      select j.account_id, j.id from jobs j join (
          select n.account_id, n.id from next n
          where n.turn <= p_per_account order by n.turn, n.waiting_since, n.id limit p_room
        ) chosen on chosen.account_id = j.account_id and chosen.id = j.id
      where j.lease_token is null and j.status in ('queued', 'running')
      for update of j skip locked
    )
    update jobs j set
        status = 'running', lease_token = gen_random_uuid(), lease_until = now() + p_lease_ms * interval '1 ms',
        started_at = coalesce(j.started_at, now()),
        deadline_at = case when j.started_at is null then now() + p_timeout_ms * interval '1 ms' else j.deadline_at end
      from free where j.account_id = free.account_id and j.id = free.id
    returning j.account_id, j.id, j.lease_token;
end $$;

-- Result rows by position, without gaps: any page is read by its key. `body` is JSON, as text, because it is sent as it is;
-- `zpid` the home, whose rights may change after the row was stored (withheld_homes), and which a search may come upon twice.
--
-- As for listings: lz4 unpacks several times as fast, and not every build has it. Without it rows are not compressed at all
-- where that can be said here (PostgreSQL 16): PostgreSQL's own way of it takes longer than everything else that a batch
-- does. They are kept for 30 days. It is said in this statement because engines that distribute tables refuse to alter it.
do $do$ begin
  execute format($table$
    -- Result rows of jobs, by position.
    create table job_rows (
      account_id  uuid not null,
      job_id      uuid not null,
      position    integer not null,
      zpid        text,
      body        text %s not null,
      primary key (account_id, job_id, position)
    )$table$,
    case
      when (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then 'compression lz4'
      when current_setting('server_version_num')::integer >= 160000 then 'storage external'
      else ''
    end);
end $do$;
create index job_rows_by_zpid on job_rows (account_id, job_id, zpid) where zpid is not null;

-- Entries that gave no record, by their place in the job.
create table job_failures (
  account_id  uuid not null,
  job_id      uuid not null,
  position    integer not null,
  -- The start of the entry (jobs/failure-reasons.ts, which has the reasons too).
  input       text not null check (char_length(input) <= 200),
  reason      text not null,
  primary key (account_id, job_id, position)
);

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

-- Idempotency-Key: for 24 hours a key stands for one request and what it has created (src/idempotency). Without a reference to the
-- account: checking it would lock the account's row before the work does.
create table idempotency_keys (
  account_id   uuid not null,
  key          text not null,
  -- SHA-256 of the operation and its body.
  fingerprint  bytea not null,
  -- What the first call was answered with; sealed if it has a secret.
  answer       json,
  sealed       bytea,
  created_at   timestamptz not null default now(),
  primary key (account_id, key),
  check (answer is null or sealed is null)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
