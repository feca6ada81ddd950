-- The credit limit that all connectors of an external issuer share in an account (oauth/external-connectors.ts).

alter table accounts
  -- null: there was no such connector yet, or the operator has removed the limit.
  add column connector_limit_id uuid references key_limits (id) on delete set null;
create index accounts_by_connector_limit on accounts (connector_limit_id) where connector_limit_id is not null;
