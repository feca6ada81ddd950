-- Whether a client has a connector is asked before its metadata document is fetched (oauth/connectors.ts).
create index api_keys_by_client on api_keys (oauth_client) where oauth_grant is not null;

-- Connectors of an external issuer that were made before 0206 are not converted: each keeps the limit that it had of its own, and those
-- that are made from then on share one.
