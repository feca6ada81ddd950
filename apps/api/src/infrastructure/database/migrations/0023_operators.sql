-- Named operators of the console, their passkeys and sessions, and changes of credits that wait for a second person.

create table operators (
  id          uuid primary key default gen_random_uuid(),
  -- The trail shows it. `operator` is the name of the shared sign-in by link, which has no row.
  name        text not null check (char_length(name) between 1 and 200 and lower(name) <> 'operator'),
  role        text not null check (role in ('support', 'finance', 'data', 'owner')),
  created_at  timestamptz not null default now()
);
create unique index operators_by_name on operators (lower(name));

create table operator_passkeys (
  -- The id of the credential, as the authenticator made it.
  id            bytea primary key,
  operator_id   uuid not null references operators on delete cascade,
  -- In the COSE format. It is public: it verifies signatures and makes none.
  public_key    bytea not null,
  -- Signatures so far, as the authenticator counts. A smaller number shows a copy. Always 0 where passkeys are synchronized.
  counter       bigint not null,
  transports    text[] not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create index operator_passkeys_of_operator on operator_passkeys (operator_id);

-- One row: how the console can be entered now. Each request of the console reads it, so a change counts at once in all processes.
create table console_access (
  only_row            boolean primary key default true check (only_row),
  -- While it is set, no operator is signed in, and none can sign in.
  locked_at           timestamptz,
  -- Whether a link of the command signs in as an owner without a name of his own. It always does while there are no operators.
  has_shared_sign_in  boolean not null default true,
  -- A change of a balance by more credits needs a second person. null: none does.
  credit_limit        bigint check (credit_limit between 0 and 1000000000)
);
insert into console_access default values;

-- Changes of credits above the limit, until another operator approves or refuses them. Nothing of them is in the ledger before.
create table pending_credits (
  id           uuid primary key default gen_random_uuid(),
  account_id   uuid not null references accounts,
  -- The command that does it, such as credits.topup.
  action       text not null,
  -- The change of the balance, or of the credits of each cycle, as of the request.
  credits      bigint not null,
  -- The arguments of the action.
  request      jsonb not null,
  -- The operator who asked, and how. operator_id is null for a command and for the shared sign-in. No foreign key: an operator may be removed.
  operator     text not null,
  via          text not null check (via in ('command', 'console')),
  operator_id  uuid,
  created_at   timestamptz not null default now(),
  state        text not null default 'open' check (state in ('open', 'approved', 'refused')),
  decided_by   text,
  decided_at   timestamptz
);
create index pending_credits_open on pending_credits (created_at) where state = 'open';
-- The same change is asked for once, however often its command is repeated.
create unique index pending_credits_once on pending_credits (account_id, action, request) where state = 'open';

-- How the operator of an action had signed in to the console. null: by the command, or before this column was added.
alter table operator_actions add column sign_in text check (sign_in in ('link', 'passkey'));

-- Sessions of named operators have an audience of their own, so that a process of the previous version, which knows no roles,
-- does not find them.
alter table browser_sessions
  drop constraint browser_sessions_audience_check,
  add constraint browser_sessions_audience_check check (audience in ('portal', 'console', 'operator')),
  -- Names the session in lists. It opens nothing.
  add column id uuid not null default gen_random_uuid(),
  add column operator_id uuid references operators on delete cascade,
  add column started_at timestamptz not null default now(),
  add column last_used_at timestamptz,
  -- Of the console: where the browser was at the sign-in and at its last use, and what it says it is.
  add column first_address text check (char_length(first_address) <= 100),
  add column last_address text check (char_length(last_address) <= 100),
  add column user_agent text check (char_length(user_agent) <= 300),
  add constraint browser_sessions_of_operators check ((audience = 'operator') = (operator_id is not null));
create index browser_sessions_of_operator on browser_sessions (operator_id) where operator_id is not null;

alter table one_time_links
  drop constraint one_time_links_audience_check,
  add constraint one_time_links_audience_check
    check (audience in ('portal', 'sign_up', 'console', 'watch_subscriber', 'enrollment', 'passkey'));
