-- Accounts, keys, the credit ledger and the usage rows.
-- Money invariants are held here as well as in code: no statement, however wrong, can commit a negative balance,
-- a hold greater than the balance, or a call's charge a second time.
--
-- Each statement that writes to a table reads the text of all its checks anew, whatever it writes: sixteen on accounts were
-- a seventh of a charge. So a table that calls write to has one check, and what a value may be at all is said by its type,
-- which is looked at only when the value is written.

create domain account_status as text check (value in ('active', 'suspended'));
create domain plan_id as text check (value in ('free', 'monthly', 'annual', 'custom'));
create domain granted_credits as bigint check (value >= 0);
create domain calls_per_minute as integer check (value between 1 and 100000);
create domain cycle_length as smallint check (value > 0);
create domain short_text as text check (char_length(value) <= 200);
create domain limit_period as text check (value in ('total', 'day', 'week', 'month'));
create domain usage_actor as text check (value in ('detail', 'search', 'account'));

create table accounts (
  id                      uuid primary key default gen_random_uuid(),
  email                   text,
  status                  account_status not null default 'active',
  plan                    plan_id not null,
  credits_per_cycle       granted_credits not null,
  rate_limit_per_minute   calls_per_minute not null,
  denied_operations       text[] not null default '{}',
  -- null: this plan does not renew, its credits are granted once.
  cycle_months            cycle_length,
  -- A downgrade waits in these until the cycle ends.
  next_plan                   plan_id,
  next_credits_per_cycle      granted_credits,
  next_rate_limit_per_minute  calls_per_minute,
  next_denied_operations      text[],
  next_cycle_months           cycle_length,
  -- The account has chosen it in the portal and may withdraw it.
  next_by_customer            boolean not null default false,
  -- The plan is paid cycle by cycle: without a payment for the next cycle, it becomes Free (0193_prepaid_cycles.sql).
  prepaid                 boolean not null default false,
  current_period_start    timestamptz not null default now(),
  -- Cycles are counted from here, so that a cycle begun on the 31st comes back to the 31st.
  cycle_anchor            timestamptz not null default now(),
  -- null: never
  renews_at               timestamptz,
  -- What a plan grants once is granted once in the life of an account, however often it comes back to such a plan.
  had_single_grant        boolean not null default false,
  balance                 bigint not null default 0,
  held                    bigint not null default 0,
  granted_this_cycle      bigint not null default 0,
  -- What is left of this cycle's grant; the balance beyond it and `expiring` is topped up and carries over.
  grant_left              bigint not null default 0,
  -- What earlier cycles' grants left under holds, which say how much of it each has: Σ holds.expiring.
  expiring                bigint not null default 0,
  -- Read with the lock of the account, so that accounts without limits of keys do nothing for them.
  has_key_limits          boolean not null default false,
  -- The parts of the grant that credits.low has reported in this cycle (0131_credit_events.sql): 1 for a half, 2 for a fifth, 4 for
  -- a twentieth.
  low_sent                smallint not null default 0,
  -- The greatest balance at which credits.low is due, while the balance is above it.
  low_at                  bigint not null default -1,
  created_at              timestamptz not null default now(),
  constraint account_is_sound check (
    0 <= held and held <= balance
    and 0 <= grant_left and grant_left + expiring <= balance
    -- What expires lies under holds.
    and 0 <= expiring and expiring <= held
    and grant_left <= granted_this_cycle
    -- A plan that renews has a date.
    and (cycle_months is null) = (renews_at is null)
    -- The terms of a next plan are whole, and only a cycle keeps them waiting.
    and (
      num_nonnulls(next_plan, next_credits_per_cycle, next_rate_limit_per_minute, next_denied_operations, next_cycle_months) = 0
      or (
        num_nulls(next_plan, next_credits_per_cycle, next_rate_limit_per_minute, next_denied_operations) = 0
        and cycle_months is not null
      )
    )
  )
);
create index accounts_by_age on accounts (created_at desc, id desc);

-- The credits that a key may spend in each period (0130_key_limits.sql). A key that takes the place of another one (rotation) shares
-- the limit of the old key, with what was used of it.
create table key_limits (
  id             uuid primary key default gen_random_uuid(),
  account_id     uuid not null references accounts (id),
  credits        bigint not null,
  per            limit_period not null,
  -- Charged and held in the present period, in credits.
  used           bigint not null default 0,
  -- What the keys can still spend in the present period.
  remaining      bigint generated always as (greatest(0, credits - used)) stored,
  -- The greatest limit that applied in the present period. Lowering a limit takes back nothing that was spent.
  most           bigint not null,
  -- null: the limit is never reset.
  period_ends    timestamptz,
  -- The rows of the ledger with a greater number are those of the present period. No two periods have the same number, so a hold
  -- that has it (holds.limit_after) was counted in this period.
  counted_after  bigint not null,
  -- When the limit first kept its keys from a charge in the present period, or was used up.
  reached_at     timestamptz,
  constraint key_limit_is_sound check (
    0 <= used and used <= most and 0 <= credits and credits <= most
    -- Only totals never end.
    and (per = 'total') = (period_ends is null)
  )
);
create index key_limits_of_account on key_limits (account_id);

create table api_keys (
  id            uuid primary key default gen_random_uuid(),
  account_id    uuid not null references accounts (id),
  -- SHA-256 of the key. The key has 190 bits of entropy, so a fast hash is enough; the key itself is never stored.
  hash          bytea not null unique,
  last4         text not null,
  oauth_client  text,
  created_at    timestamptz not null default now(),
  -- May lie ahead: a rotated key works until then.
  revoked_at    timestamptz,
  -- null: it does not expire. A key counts as revoked from then on.
  expires_at    timestamptz,
  -- null: it may spend all credits of the account.
  limit_id      uuid references key_limits (id)
);
create index api_keys_of_account on api_keys (account_id);
create index api_keys_by_limit on api_keys (limit_id) where limit_id is not null;

-- What jobs have set aside. A hold is open until its job ends, and is closed once: settled (charged, the rest released)
-- or released whole. Only functions write here that run with the owner's rights (0089_service_rights.sql): the service's own
-- role can read.
create table holds (
  account_id   uuid not null references accounts (id),
  job_id       uuid not null,
  -- Credits, with all that it has grown by. It stays when the hold is closed.
  amount       bigint not null check (amount >= 0),
  -- The part of it that an earlier cycle granted: charged first, and gone when the hold is closed.
  expiring     bigint not null default 0,
  state        text not null default 'open' check (state in ('open', 'settled', 'released')),
  charged      bigint not null default 0,
  -- What the job's stages cost as it was accepted (the contract's PriceStage, a list): it is charged at these, whatever
  -- they cost by the time it ends. null: not known, so the contract's prices of the day.
  prices       jsonb,
  -- What the client allows the job to cost; null: no limit.
  max_amount   bigint,
  -- The key whose call started the job.
  key_id       uuid,
  -- How much of it counts in the period of a limit of the key that began with limit_after. What the job is not charged comes back.
  limit_counted  bigint not null default 0,
  limit_after    bigint,
  -- What kept it from being greater when it was last placed or grown: the credits of the account, or the limit of the key.
  short_of     text check (short_of in ('credits', 'key_limit')),
  created_at   timestamptz not null default now(),
  closed_at    timestamptz,
  primary key (account_id, job_id),
  constraint expiring_within_amount check (0 <= expiring and expiring <= amount),
  constraint counted_within_amount check (0 <= limit_counted and limit_counted <= amount),
  constraint amount_within_limit check (amount <= max_amount),
  constraint charged_within_amount check (0 <= charged and charged <= amount),
  constraint only_settled_holds_charge check (charged = 0 or state = 'settled'),
  constraint closed_holds_hold_nothing check ((state = 'open') = (closed_at is null) and (state = 'open' or expiring = 0))
);
create index open_holds on holds (account_id, created_at, job_id) where state = 'open';

revoke delete, truncate on holds from current_user;

-- The ledger is append-only: no user, not even the owner, has the right to update, delete or truncate. What a call is charged
-- stands in its usage row, because two rows for one charge would be half of what it costs; every other change of credits
-- stands here. The view `postings` is both.
--
-- Both tables have a partition for each month in UTC (0088_book_partitions.sql), so that old months can leave as a whole.
-- Rows of a month that has no partition are in the default one, so no clock and no idle time can make a charge fail.
create table movements (
  -- No foreign key here and in usage_rows: it costs a fifth of a charge. What writes rows has locked the account, and
  -- accounts are never removed.
  account_id   uuid not null,
  -- The rows of an account, here and in usage_rows, are numbered in the order in which they were written.
  id           bigserial,
  kind         text not null,
  -- Change of the balance, in credits. A hold or a release moves no balance.
  amount       bigint not null,
  held_change  bigint not null default 0,
  request_id   text,
  stage        text,
  job_id       uuid,
  -- Why an operator has adjusted the balance.
  reason       text,
  created_at   timestamptz not null default now(),
  -- A key of a partitioned table includes the moment that decides the partition. The number alone is unique: it is a
  -- sequence's.
  primary key (account_id, id, created_at),
  constraint adjustments_have_a_reason check ((kind = 'adjust') = (coalesce(reason, '') <> '')),
  constraint movement_fits_its_kind check (
    case kind
      when 'grant' then amount > 0 and held_change = 0 and request_id is null
      when 'topup' then amount > 0 and held_change = 0 and request_id is null
      -- The operator's: credits given or taken away by hand.
      when 'adjust' then amount <> 0 and held_change = 0 and request_id is null and job_id is null
      when 'expire' then amount < 0 and held_change = 0 and request_id is null
      -- The sum of the postings that left with an archive.
      when 'carried' then (amount <> 0 or held_change <> 0) and request_id is null and job_id is null
      -- A job's, which is taken out of its hold.
      when 'charge' then amount < 0 and held_change = amount and request_id is not null and job_id is not null
      when 'hold' then amount = 0 and held_change > 0 and job_id is not null and request_id is null
      when 'release' then amount = 0 and held_change < 0 and job_id is not null and request_id is null
      else false
    end
  )
) partition by range (created_at);
create table movements_default partition of movements default;
revoke update, delete, truncate on movements from current_user;

-- One row for each admitted call and stage; with credits and without a job it is also the posting of the call's charge.
create table usage_rows (
  account_id       uuid not null,
  id               bigint not null default nextval('movements_id_seq'),
  key_id           uuid not null,
  request_id       text not null,
  stage            text,
  endpoint         short_text not null,
  -- The contract's operationId; null when no operation matched. The audit recomputes prices from it.
  operation        text,
  actor            usage_actor not null,
  units            bigint not null default 0,
  status_code      integer not null,
  credits_charged  bigint not null default 0,
  -- Of the job that a 202 accepted; units and credits are filled in when its hold is settled.
  job_id           uuid,
  -- The moment of admission on the server's clock: the rate window is rebuilt from it.
  created_at       timestamptz not null,
  -- Once for a request and stage, also if a retry writes it again: the moment of a call is the same in each attempt, and each stage
  -- has an actor of its own. The audit finds a request at two moments. One index is also the order of /v1/usage and of the rate windows; a second costs a seventh of a charge.
  primary key (account_id, created_at, request_id, actor),
  constraint usage_is_sound check (
    units >= 0 and credits_charged >= 0
    -- Failures are free.
    and (status_code < 300 or (units = 0 and credits_charged = 0))
    and (credits_charged = 0 or operation is not null)
    and (stage is null or stage = actor)
  )
) partition by range (created_at);
create index usage_rows_of_jobs on usage_rows (account_id, job_id) where job_id is not null;
create table usage_rows_default partition of usage_rows default;
-- A usage row is final, but for the one filling of what a job has cost (close_hold).
revoke update, delete, truncate on usage_rows from current_user;
grant update (units, credits_charged) on usage_rows to current_user;

-- How far the usage of an account is closed and summed (0150_usage_sums.sql). Sums are made once: no row
-- before closed_until is written or changed.
create table usage_summed (
  account_id    uuid primary key,
  closed_until  timestamptz not null,
  -- Every row before this moment is in usage_sums, no other one is. At most closed_until.
  until         timestamptz not null default '-infinity'
);

-- Every change of credits. Σ amount = balance, Σ held_change = held.
create view postings as
  select account_id, id, kind, amount, held_change, request_id, stage, job_id, created_at, reason from movements
  union all
  select account_id, id, 'charge', -credits_charged, 0, request_id, stage, null, created_at, null
  from usage_rows where credits_charged > 0 and job_id is null;
