-- The operators of the service (operator/): what they have done.

-- The trail of operator actions: one row for each change that an operator makes with the command or in the console, written in the
-- transaction of the change. It is final: the service's role can only add rows (grant_service_rights).
create table operator_actions (
  id          bigint generated always as identity primary key,
  at          timestamptz not null default now(),
  operator    text not null check (char_length(operator) between 1 and 200),
  via         text not null check (via in ('command', 'console')),
  -- The command that does the same, such as accounts.suspend.
  action      text not null,
  -- No foreign key: the trail refers to what was there at the time.
  account_id  uuid,
  -- What was changed, if it is not the account: the id of a key, a job or a webhook, or the name of a source.
  object      text,
  -- What the change was about, as it was and as it became. Never a secret.
  before      jsonb,
  after       jsonb,
  -- Of the form of the console that was sent. A form that is sent twice is one change.
  form_id     uuid unique
);
create index operator_actions_of_account on operator_actions (account_id, id) where account_id is not null;
revoke update, delete, truncate on operator_actions from current_user;
