-- Sign-in of customers and operators (accounts/sign-in.ts): one-time links, and sessions in a browser. Rows are deleted when they are used
-- or have expired, so both tables stay small.

create table one_time_links (
  -- SHA-256 of the text in the link. The text has 256 bits of chance, so a fast hash is enough.
  token_hash  bytea primary key,
  -- What it opens: nothing else.
  audience    text not null check (audience in ('portal', 'sign_up', 'console')),
  -- Of the account, the new account, or the operator that it is for.
  facts       jsonb not null,
  expires_at  timestamptz not null
);
create index one_time_links_by_end on one_time_links (expires_at);

create table browser_sessions (
  -- SHA-256 of the id in the cookie.
  id_hash     bytea primary key,
  audience    text not null check (audience in ('portal', 'console')),
  -- In the portal, the id of the key whose rights the session has. When it is revoked or expires, the session is over. In the console,
  -- the name of the operator, which was given with the link, as operators have no accounts.
  subject     text not null check (char_length(subject) between 1 and 200),
  expires_at  timestamptz not null
);
create index browser_sessions_by_end on browser_sessions (expires_at);
create index browser_sessions_of_subject on browser_sessions (audience, subject, expires_at);

-- Whether sessions that began with a link have this key. Its text is never shown or stored.
alter table api_keys add column for_portal boolean not null default false;
