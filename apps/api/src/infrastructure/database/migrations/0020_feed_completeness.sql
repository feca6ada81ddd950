-- What a feed must show before it counts as complete: keys that no pass has brought, homes that the feed was asked for by key, and the
-- comparison of the stored records with the number that the feed states.

alter table connected_sources
  -- How the server can be asked (replication/server-abilities.ts): learned from its responses. {}: nothing is known yet.
  add column server_abilities jsonb not null default '{}',
  -- The last comparison: the records that the feed states, those of them that are not stored, and stored ones that it does not count.
  -- null: none was made. stated_records is null as well if the server states no number.
  add column compared_at timestamptz,
  add column stated_records bigint,
  add column missing_records bigint,
  add column surplus_records bigint,
  -- Records without a usable key in the latest sweep: the feed counts them, and they cannot be stored.
  add column unkeyed_records bigint not null default 0,
  -- Why the latest sweep was refused. It stays until a sweep succeeds, whatever runs succeed in between.
  add column sweep_error text,
  add column sweep_failed_at timestamptz;

alter table source_cursors
  -- The pass reads records of the same time of change by their keys: the times from tie_from to before tie_to, behind the key tie_after.
  add column tie_from text,
  add column tie_to text,
  add column tie_after text;

alter table source_records
  -- The sweep in which the feed was asked for the record by its key and did not have it. null: none.
  add column absent_in_sweep integer;

-- Keys that the sweep under way has seen, in a version that no pass has brought. They are fetched by key.
create table source_unread_keys (
  source       text not null references connected_sources (name) on delete cascade,
  source_key   text not null,
  modified_at  timestamptz,
  primary key (source, source_key)
);
