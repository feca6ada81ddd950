-- One row for each audit of the ledger (`lotline credits audit`), for /metrics and for operators who have to show when the books
-- were last proven.
create table ledger_audits (
  ended_at    timestamptz not null default clock_timestamp() primary key,
  accounts    bigint not null,
  holds       bigint not null,
  postings    bigint not null,
  usage_rows  bigint not null,
  -- Contradictions found: 0 when every credit is accounted for.
  drifts      bigint not null
);
