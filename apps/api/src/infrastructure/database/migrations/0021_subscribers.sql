-- Subscribers of watches: a person, who gets digests by mail, or one webhook.

-- The subscriber of a watch. One row for each watch that has one; it is deleted with the watch.
create table watch_subscribers (
  account_id       uuid not null,
  watch_id         uuid not null,
  -- Links that unsubscribe carry it. A watch whose subscriber is replaced gets another one, so that old links do not reach the new person.
  id               uuid not null default gen_random_uuid(),
  -- null: a person.
  webhook_id       uuid,
  -- Personal data of a stranger.
  email            text,
  -- SHA-256 of the normalized address (money/accounts/email-address.ts).
  mailbox_hash     bytea,
  frequency        text check (frequency in ('daily', 'weekly')),
  status           text not null check (status in ('unconfirmed', 'active', 'unsubscribed')),
  -- When the mail that asks for the confirmation is sent. null: it was sent, or a process was about to send it.
  ask_at           timestamptz,
  ask_attempts     smallint not null default 0,
  -- The last event that a digest has reported. Events before the confirmation are not reported.
  reported_seq     bigint not null default 0,
  -- When the next digest is due.
  digest_at        timestamptz,
  created_at       timestamptz not null default now(),
  primary key (account_id, watch_id),
  constraint a_person_or_a_webhook check (
    num_nonnulls(webhook_id, email) = 1 and (email is null) = (frequency is null) and (email is null) = (mailbox_hash is null)),
  constraint only_active_persons_get_digests check (digest_at is null or (status = 'active' and email is not null))
);
create unique index watch_subscribers_by_id on watch_subscribers (id);
create index watch_subscribers_of_mailbox on watch_subscribers (account_id, mailbox_hash) where mailbox_hash is not null;
create index watch_subscribers_to_ask on watch_subscribers (ask_at) where ask_at is not null;
create index watch_subscribers_with_digest on watch_subscribers (digest_at) where digest_at is not null;
create index watch_subscribers_unconfirmed on watch_subscribers (created_at) where status = 'unconfirmed';

-- Mailboxes that an account may not mail any more, because their owners said so. Only hashes, so no address is kept.
create table refused_mailboxes (
  account_id    uuid not null,
  mailbox_hash  bytea not null,
  refused_at    timestamptz not null default now(),
  primary key (account_id, mailbox_hash)
);

-- One row for each digest: the events of a watch in one period. It is claimed under a lease, and a digest that was sent is never claimed
-- again. A watch has one open digest at most, so the ranges of its sent digests do not overlap.
create table watch_digests (
  account_id     uuid not null,
  watch_id       uuid not null,
  -- The day on which it was due.
  period         date not null,
  -- The id of its mail: a second copy is recognized by it.
  id             uuid not null default gen_random_uuid(),
  subscriber_id  uuid not null,
  -- It has the events after the first number, up to the second one.
  after_seq      bigint not null,
  upto_seq       bigint not null check (upto_seq > after_seq),
  attempts       smallint not null default 0,
  -- When it is sent, or tried again. null: it has ended.
  due_at         timestamptz default now(),
  lease_token    uuid,
  lease_until    timestamptz,
  -- sent: the server accepted it. failed: it refused it each time; the next digest has its events. dropped: nothing may be sent any more.
  outcome        text check (outcome in ('sent', 'failed', 'dropped')),
  created_at     timestamptz not null default now(),
  primary key (account_id, watch_id, period),
  constraint digests_end_with_an_outcome check ((due_at is null) = (outcome is not null))
);
create unique index watch_digests_open on watch_digests (account_id, watch_id) where outcome is null;
create index watch_digests_due on watch_digests (due_at) where due_at is not null;
create index watch_digests_by_age on watch_digests (created_at);

-- The next time at which digests are due: 13:00 UTC, which is the morning in the United States, of each day or of each Monday.
create function next_digest_at(p_frequency text, p_after timestamptz) returns timestamptz language sql immutable as $$
  select (date_trunc(unit, p_after at time zone 'UTC' - interval '13 hours') + ('1 ' || unit)::interval + interval '13 hours')
    at time zone 'UTC'
  from (select case p_frequency when 'weekly' then 'week' else 'day' end as unit) as of_frequency
$$;

-- The link in the mail that asks for a confirmation.
alter table one_time_links drop constraint one_time_links_audience_check;
alter table one_time_links add constraint one_time_links_audience_check
  check (audience in ('portal', 'sign_up', 'console', 'watch_subscriber'));
