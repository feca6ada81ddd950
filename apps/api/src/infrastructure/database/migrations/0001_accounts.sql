-- Accounts, their keys, and how their people sign in.
-- Money invariants are held here as well as in code: no statement, however wrong, can commit a negative balance, or a hold greater than
-- the balance.
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

-- One row for each account: its plan, its cycle, and its credits.
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
  -- The plan is paid cycle by cycle: without a payment for the next cycle, it becomes Free (0011_purchases.sql).
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
  -- The parts of the grant that credits.low has reported in this cycle (0012_cycles_and_limits.sql): 1 for a half, 2 for a fifth, 4 for
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
-- Finds the accounts of an address. It is written with the account only, so charges do not touch it.
create index accounts_by_email on accounts (lower(email)) where email is not null;

-- The credits that a key may spend in each period (0012_cycles_and_limits.sql). A key that takes the place of another one (rotation) shares
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
  -- Whether it is the one that all connectors of an external issuer share in the account (oauth/external-connectors.ts). It stays when
  -- they have ended, with what was used of it.
  for_connectors boolean not null default false,
  constraint key_limit_is_sound check (
    0 <= used and used <= most and 0 <= credits and credits <= most
    -- Only totals never end.
    and (per = 'total') = (period_ends is null)
  )
);
create index key_limits_of_account on key_limits (account_id);
create unique index key_limits_for_connectors on key_limits (account_id) where for_connectors;

-- The keys of accounts, by their hashes. A connector (oauth/) is a key of its account too: its access token is the text of the key, which each refresh replaces.
create table api_keys (
  id            uuid primary key default gen_random_uuid(),
  account_id    uuid not null references accounts (id),
  -- SHA-256 of the key. The key has 190 bits of entropy, so a fast hash is enough; the key itself is never stored.
  hash          bytea not null unique,
  last4         text not null,
  name          short_text not null default '',
  created_at    timestamptz not null default now(),
  -- May lie ahead: a rotated key works until then.
  revoked_at    timestamptz,
  -- null: it does not expire. A key counts as revoked from then on.
  expires_at    timestamptz,
  -- null: it may spend all credits of the account.
  limit_id      uuid references key_limits (id),
  -- operationIds; null: all.
  allowed_operations  text[],
  -- To the minute, written about once a minute (accounts/principals.ts).
  last_used_at        timestamptz,
  -- Whether sessions that began with a link have this key. Its text is never shown or stored.
  for_portal          boolean not null default false,
  oauth_client        text,
  -- The issuer of the tokens of `oauth_client`, if it is an external one (OAUTH_ISSUER, oauth/external-connectors.ts); null: not such a
  -- connector, or a revoked one that may be made again.
  oauth_issuer        text,
  -- SHA-256 of the id of the grant; null: not a connector.
  oauth_grant         bytea check (octet_length(oauth_grant) = 32),
  -- When the present access token ends; `expires_at` is when the connector ends, unless it is refreshed.
  token_expires_at    timestamptz,
  -- When the first call with the present access token of a connector came; null: none has come.
  token_used_at       timestamptz
);
-- last_used_at changes without any index.
alter table api_keys set (fillfactor = 80);
create index api_keys_of_account on api_keys (account_id);
create index api_keys_by_limit on api_keys (limit_id) where limit_id is not null;
create unique index api_keys_by_grant on api_keys (oauth_grant) where oauth_grant is not null;
-- Whether a client has a connector is asked before its metadata document is fetched (oauth/connectors.ts).
create index api_keys_by_client on api_keys (oauth_client) where oauth_grant is not null;
create index api_keys_by_external_client on api_keys (account_id, oauth_issuer, oauth_client) where oauth_issuer is not null;

-- The mailbox of each account that has an e-mail address: the first account that it had. No sign-up uses a mailbox that has a
-- row, so the credits of a free account are given once per mailbox, whatever becomes of the account. Rows are never changed or
-- removed (0016_rights_of_roles.sql).
create table mailboxes (
  -- SHA-256 of the normalized address (accounts/email-address.ts).
  mailbox_hash  bytea primary key,
  -- No foreign key: the row is written before its account, so that of several sign-ups at the same moment one goes on. Accounts
  -- are never deleted.
  account_id    uuid not null unique,
  -- Whether its owner has signed up, by an invitation or without. Otherwise the operator has made the account.
  signed_up     boolean not null,
  created_at    timestamptz not null default now()
);

-- Sign-in of customers and operators (accounts/sign-in.ts): one-time links, and sessions in a browser. Rows are deleted when they are used
-- or have expired, so both tables stay small.

-- Links that open a page once.
create table one_time_links (
  -- SHA-256 of the text in the link. The text has 256 bits of chance, so a fast hash is enough.
  token_hash  bytea primary key,
  -- What it opens: nothing else.
  audience    text not null check (audience in ('portal', 'sign_up', 'console')),
  -- Of the account, the new account, or the operator that it is for.
  facts       jsonb not null,
  expires_at  timestamptz not null
);
create index one_time_links_by_end on one_time_links (expires_at);

-- Sessions in a browser.
create table browser_sessions (
  -- SHA-256 of the id in the cookie.
  id_hash     bytea primary key,
  audience    text not null check (audience in ('portal', 'console')),
  -- In the portal, the id of the key whose rights the session has. When it is revoked or expires, the session is over. In the console,
  -- the name of the operator, which was given with the link, as operators have no accounts.
  subject     text not null check (char_length(subject) between 1 and 200),
  expires_at  timestamptz not null
);
create index browser_sessions_by_end on browser_sessions (expires_at);
create index browser_sessions_of_subject on browser_sessions (audience, subject, expires_at);

-- The authorization server (oauth/records.ts): requests under way, codes, tokens, and registered clients. What a client or a browser
-- holds as a secret is never stored: a record is found by the SHA-256 of it, and its payload does not name it.
create table oauth_records (
  -- What it is, in the words of oidc-provider: AuthorizationCode, RefreshToken, Client, …
  model        short_text not null,
  id           bytea not null check (octet_length(id) = 32),
  -- Not jsonb: texts of clients may hold the character U+0000.
  payload      json not null,
  -- SHA-256 of the id of the grant that it belongs to.
  grant_id     bytea check (octet_length(grant_id) = 32),
  created_at   timestamptz not null default now(),
  -- Codes and refresh tokens work once.
  consumed_at  timestamptz,
  -- Of a refresh token: how many refreshes led to it. 0 for all other records. A client that lost the response of a refresh may
  -- repeat it for a short time.
  generation   integer not null default 0,
  -- Of a refresh token: how often it was used. What a use has made ends with the next one.
  exchanges    integer not null default 0,
  -- Of a refresh token: when its predecessor was used again, so that this one no longer works.
  replaced_at  timestamptz,
  expires_at   timestamptz not null,
  primary key (model, id)
);
create index oauth_records_by_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_by_end on oauth_records (expires_at);
create index oauth_clients_by_age on oauth_records (created_at) where model = 'Client';
-- Whether a token of a grant was used, however many tokens it has had.
create index oauth_refreshes_used on oauth_records (grant_id, generation) where model = 'RefreshToken' and consumed_at is not null;
