-- A client that lost the response of a refresh may repeat it for a short time (oauth/records.ts).

alter table oauth_records
  -- Of a refresh token: how many refreshes led to it. 0 for all other records.
  add column generation integer not null default 0;
-- What was stored before this column counts as two generations: the tokens that were used, and those that still work.
update oauth_records set generation = 1 where model = 'RefreshToken' and consumed_at is null;
