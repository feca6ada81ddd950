-- The credit limit that all connectors of an external issuer share in an account (oauth/external-connectors.ts).

alter table key_limits
  -- Whether it is the one that keys of such connectors get. It stays when they have ended, with what was used of it.
  add column for_connectors boolean not null default false;
create unique index key_limits_for_connectors on key_limits (account_id) where for_connectors;
