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
  expires_at   timestamptz not null,
  primary key (model, id)
);
create index oauth_records_by_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_by_end on oauth_records (expires_at);
create index oauth_clients_by_age on oauth_records (created_at) where model = 'Client';

-- A connector is a key of its account. Its access token is the text of the key, which each refresh replaces.
alter table api_keys
  -- SHA-256 of the id of the grant; null: not a connector.
  add column oauth_grant       bytea check (octet_length(oauth_grant) = 32),
  -- When the present access token ends; `expires_at` is when the connector ends, unless it is refreshed.
  add column token_expires_at  timestamptz;
create unique index api_keys_by_grant on api_keys (oauth_grant) where oauth_grant is not null;
