-- How a grant was refreshed lately (oauth/records.ts), however many tokens it has had.

create index oauth_refreshes_by_age on oauth_records (grant_id, created_at) where model = 'RefreshToken';
create index oauth_refreshes_used on oauth_records (grant_id, generation) where model = 'RefreshToken' and consumed_at is not null;
