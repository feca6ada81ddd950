-- Connectors whose tokens an external issuer makes (OAUTH_ISSUER, oauth/external-connectors.ts).

alter table api_keys
  -- The issuer of the tokens of `oauth_client`; null: not such a connector, or a revoked one that may be made again.
  add column oauth_issuer text;
create index api_keys_by_external_client on api_keys (account_id, oauth_issuer, oauth_client) where oauth_issuer is not null;
