-- Sign-in to the portal (accounts/portal-sessions.ts): sessions in a browser, and single-use links. Rows are deleted when they are
-- used or have expired, so both tables stay small.

create table portal_sessions (
  -- SHA-256 of the id in the cookie. The id has 256 bits of chance, so a fast hash is enough.
  id_hash     bytea primary key,
  -- The key whose rights the session has. When it is revoked or expires, the session is over.
  key_id      uuid not null references api_keys (id),
  expires_at  timestamptz not null
);
create index portal_sessions_by_end on portal_sessions (expires_at);
create index portal_sessions_of_key on portal_sessions (key_id, expires_at);

create table portal_links (
  -- SHA-256 of the text in the link.
  token_hash  bytea primary key,
  account_id  uuid not null references accounts (id),
  expires_at  timestamptz not null
);
create index portal_links_by_end on portal_links (expires_at);

-- Whether sessions that began with a link have this key. Its text is never shown or stored.
alter table api_keys add column for_portal boolean not null default false;
