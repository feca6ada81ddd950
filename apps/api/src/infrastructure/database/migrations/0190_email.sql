-- Sign-in by e-mail and sign-up (accounts/sign-up.ts).

-- Finds the accounts of an address. It is written with the account only, so charges do not touch it.
create index accounts_by_email on accounts (lower(email)) where email is not null;

-- The mailbox of each account that has an e-mail address: the first account that it had. No sign-up uses a mailbox that has a
-- row, so the credits of a free account are given once per mailbox, whatever becomes of the account. Rows are never changed or
-- removed (0089_service_rights.sql).
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
