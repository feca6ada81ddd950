-- Which refresh token of a connector works, and whether the tokens that a refresh has made arrived (oauth/records.ts).

alter table api_keys
  -- When the first call with the present access token of a connector came; null: none has come.
  add column token_used_at timestamptz;
alter table oauth_records
  -- Of a refresh token: how often it was used. What a use has made ends with the next one.
  add column exchanges integer not null default 0,
  -- Of a refresh token: when its predecessor was used again, so that this one no longer works.
  add column replaced_at timestamptz;
