-- Whether a token of a grant was used, however many tokens it has had (oauth/records.ts).

create index oauth_refreshes_used on oauth_records (grant_id, generation) where model = 'RefreshToken' and consumed_at is not null;
