-- What operators do, and what the role of the service may do.

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

-- The rights of the service. Its role (DATABASE_URL) is another than the owner of the tables (DATABASE_OWNER_URL) wherever an
-- operator has made two. It can read everything and work with everything, except for what is final: it cannot change or
-- remove a movement, a usage row, a hold, an audit, the entry or action of an operator, or the mailbox of an account. Movements and
-- holds are written only by the functions of the ledger, which run with the owner's rights. PostgreSQL refuses the rest, so no trigger
-- is needed.

-- Those functions find the owner's tables, whatever the caller's search path is. A later migration that makes such a function, or replaces
-- one, sets its search path in the same way.
do $$ declare
  name text;
begin
  for name in select oid::regprocedure from pg_proc where pronamespace = current_schema()::regnamespace and prosecdef loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end $$;

-- Gives a role the rights of the service, and no more. The owner calls it at every start, because migrations bring new tables.
create function grant_service_rights(p_role name) returns void language plpgsql as $$
declare
  name text;
begin
  execute format('grant usage on schema %I to %I', current_schema(), p_role);
  -- Partitions are reached through their tables only.
  for name in
    select oid::regclass from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
  loop
    execute format('revoke all on %s from %I', name, p_role);
    execute format('grant %s on %s to %I', case
        when name in ('movements', 'holds', 'book_archives', 'lotline_migrations', 'operator_entries') then 'select'
        when name in ('usage_rows', 'ledger_audits', 'operator_actions', 'mailboxes') then 'select, insert'
        else 'select, insert, update, delete'
      end, name, p_role);
  end loop;
  execute format('grant usage on all sequences in schema %I to %I', current_schema(), p_role);
end $$;
