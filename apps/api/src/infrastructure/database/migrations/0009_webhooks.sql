-- Webhooks, the events that end up in them, and every attempt to deliver one. An event and its deliveries are written in
-- the transaction that causes the event (write_events): the row of a delivery is also its entry in the queue, and the
-- worker that holds its lease sends it.

-- The endpoints that accounts have registered.
create table webhooks (
  account_id   uuid not null references accounts (id),
  id           uuid not null default gen_random_uuid(),
  url          text not null,
  -- Types of events. The contract says which there are.
  events       text[] not null check (cardinality(events) > 0),
  description  text not null default '',
  -- False: its account has paused it. Nothing is sent to it, and no delivery is written for it.
  active       boolean not null default true,
  -- credits.low is also sent when the balance falls to so many credits.
  credits_threshold bigint,
  created_at   timestamptz not null default now(),
  -- null while it is live. Senders read it under a shared lock on this row, which they keep until the head of their
  -- request is written; so once it is set and committed, no request begins.
  revoked_at   timestamptz,
  primary key (account_id, id)
);
create index live_webhooks on webhooks (account_id) where revoked_at is null;
create index webhooks_by_id on webhooks (id);
-- Revoked ones are listed for a while, the latest first, and then removed.
create index revoked_webhooks on webhooks (account_id, revoked_at) where revoked_at is not null;
create index webhooks_by_revocation on webhooks (revoked_at) where revoked_at is not null;

-- The signing secrets of a webhook: the current one, and for a day those it has replaced.
create table webhook_secrets (
  account_id   uuid not null,
  webhook_id   uuid not null,
  id           bigint generated always as identity,
  -- Of the key that it is encrypted with.
  key_id       text not null,
  sealed       bytea not null,
  created_at   timestamptz not null default now(),
  -- null: the current one.
  retires_at   timestamptz,
  primary key (account_id, webhook_id, id),
  foreign key (account_id, webhook_id) references webhooks
);
create unique index one_current_secret on webhook_secrets (account_id, webhook_id) where retires_at is null;
create index webhook_secrets_by_key on webhook_secrets (key_id);

-- The keys that secrets are encrypted with: never the keys themselves. It tells a process that it lacks one.
create table secret_keys (
  key_id         text primary key,
  first_used_at  timestamptz not null default now()
);

-- What happened, and to what: the subject is a job, or whatever else an event can be about.
create table webhook_events (
  account_id    uuid not null,
  id            text not null,
  subject_type  text not null,
  subject_id    text not null,
  type          text not null,
  happened_at   timestamptz not null,
  -- The `data` of the event, in JSON. Text, because it is sent as it is.
  data          text not null,
  primary key (account_id, id)
);
-- A job ends once, so it has at most one event.
create unique index webhook_events_by_job on webhook_events (account_id, subject_id) where subject_type = 'job';
create index webhook_events_by_time on webhook_events (happened_at);

-- One event for one webhook. There are no references to the tables above: each insert would lock the webhook's row, which
-- senders and revocations are busy with.
create table webhook_deliveries (
  account_id    uuid not null,
  event_id      text not null,
  webhook_id    uuid not null,
  -- waiting for due_at → due → sending → delivered or dropped, or waiting again. `due` is a state of its own so that its
  -- index holds only what can be sent now.
  state         text not null default 'due' check (state in ('waiting', 'due', 'sending', 'delivered', 'dropped')),
  -- The latest that was begun; and the one after which the event is dropped.
  attempt       integer not null default 0,
  last_attempt  integer not null default 3,
  due_at        timestamptz not null default now(),
  -- Of the attempt under way.
  attempt_id    bigint,
  lease_token   uuid,
  lease_until   timestamptz,
  -- null until it is delivered or dropped
  ended_at      timestamptz,
  primary key (account_id, event_id, webhook_id),
  constraint leased_while_sending check (
    (state = 'sending') = (lease_token is not null) and (state = 'sending') = (lease_until is not null)
  ),
  constraint ended_at_the_end check ((state in ('delivered', 'dropped')) = (ended_at is not null)),
  constraint attempts_are_counted check (0 <= attempt and attempt <= last_attempt)
);
-- Rows come and go in these indexes with every attempt.
alter table webhook_deliveries set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index deliveries_due on webhook_deliveries (account_id, webhook_id, due_at) where state = 'due';
create index deliveries_waiting on webhook_deliveries (due_at) where state = 'waiting';
create index deliveries_sending on webhook_deliveries (account_id, webhook_id) where state = 'sending';

-- Webhooks whose receiver answered 429 with a Retry-After: until then, nothing is sent to them. A table of its own, because
-- senders hold locks on the rows of webhooks.
create table webhook_pauses (
  account_id  uuid not null,
  webhook_id  uuid not null,
  until       timestamptz not null,
  primary key (account_id, webhook_id)
);

-- When credits.low was last sent for the threshold of a webhook: once in each cycle. A table of its own, because senders hold locks on
-- the rows of webhooks: a charge must not wait for them, and they lock in another order than levels have.
create table webhook_thresholds_sent (
  account_id  uuid not null,
  webhook_id  uuid not null,
  sent_at     timestamptz not null,
  primary key (account_id, webhook_id)
);

-- The rules under which this service sends webhooks, as the server that was started last has them in its environment. The
-- command sends test events from an environment of its own, and must follow the same rules.
create table webhook_sending (
  is_only_row             boolean primary key default true check (is_only_row),
  allow_private_networks  boolean not null
);

-- Every attempt, written before its connection is made.
create table webhook_attempts (
  account_id        uuid not null,
  webhook_id        uuid not null,
  id                bigint generated always as identity,
  event_id          text not null,
  attempt           integer not null,
  attempted_at      timestamptz not null default now(),
  -- When the head of the request was written; null: nothing was sent yet.
  sent_at           timestamptz,
  -- null while it is under way
  ended_at          timestamptz,
  status_code       integer check (status_code between 100 and 599),
  delivered         boolean not null default false,
  error             text,
  response_preview  text not null default '',
  primary key (account_id, webhook_id, id)
);
alter table webhook_attempts set (fillfactor = 80);
-- Attempts are written in the order of time and removed in it; nothing else asks for it.
create index webhook_attempts_by_time on webhook_attempts using brin (attempted_at);

-- `evt_` and a ULID, as the service makes them.
create function new_event_id() returns text language sql volatile as $$
  select 'evt_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      1 + case when n < 10 then ((e.ms >> (45 - 5 * n)) & 31)::integer else get_byte(e.bytes, n) & 31 end, 1), '' order by n)
  from generate_series(0, 25) n,
    (select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms,
       uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as bytes) e
$$;

-- Writes what happened to a subject, for every live webhook of its account that asked to know, or for those of p_webhooks.
-- Returns for how many.
create function write_events(
  p_account uuid, p_subject_type text, p_subject_id text, p_event text, p_type text, p_happened_at timestamptz, p_data text,
  p_webhooks uuid[] default null
) returns integer language plpgsql as $$
declare
  told integer;
begin
  -- Creating and changing a webhook waits for this lock. Without it, a webhook whose creation was answered before the event
  -- could be seen might still be missed by the statement below. A charge does not wait for it: an evaluation of watches
  -- writes thousands of events.
  perform from accounts where id = p_account for key share;
  insert into webhook_deliveries (account_id, event_id, webhook_id)
    select w.account_id, p_event, w.id from webhooks w
    where w.account_id = p_account and w.revoked_at is null and w.active and p_type = any (w.events)
      and (p_webhooks is null or w.id = any (p_webhooks));
  get diagnostics told = row_count;
  if told > 0 then
    insert into webhook_events (account_id, id, subject_type, subject_id, type, happened_at, data)
      values (p_account, p_event, p_subject_type, p_subject_id, p_type, p_happened_at, p_data);
    perform pg_notify('lotline_deliveries', '');
  end if;
  return told;
end $$;

-- Whether a webhook can be sent to: its receiver has not asked for a pause, and this sender has the keys of its secrets.
create function is_sendable(p_account uuid, p_webhook uuid, p_key_ids text[]) returns boolean language sql stable as $$
  select not exists (
      select from webhook_secrets s
      where s.account_id = p_account and s.webhook_id = p_webhook
        and (s.retires_at is null or s.retires_at > now()) and s.key_id <> all (p_key_ids))
    and not exists (
      select from webhook_pauses p
      where p.account_id = p_account and p.webhook_id = p_webhook and p.until > now())
$$;

-- Takes up to p_room deliveries that are due, each with a lease, and records that their next attempt begins. No more
-- than p_per_webhook and p_per_account are under way at a time, in all processes together.
--
-- The order is that of claim_jobs: by turn, then by due time. The turn of a delivery is its number among those of its account,
-- behind the ones that are being sent. Within an account, its webhooks share in the same way.
--
-- Accounts and webhooks are stepped through by the index, one probe each: a million events that wait for one slow receiver
-- are one step.
-- p_key_ids: the available keys, or null for all. A delivery whose secrets were sealed with another one is left for a sender
-- that has it: here it could only fail.
create function claim_deliveries(
  p_room integer, p_per_account integer, p_per_webhook integer, p_lease_ms integer, p_key_ids text[] default null)
returns table (
  account_id uuid, webhook_id uuid, event_id text, attempt integer, attempts_left integer, attempt_id bigint, token uuid,
  url text, secrets bytea[], type text, happened_at timestamptz, data text
) language plpgsql as $$
#variable_conflict use_column
declare
  most_accounts  constant integer := 256;
  accounts       uuid[];
  webhooks       uuid[];
  events         text[];
begin
  -- One claim at a time: two would both see the same room and fill it twice.
  perform pg_advisory_xact_lock(7240316519);

  update webhook_deliveries d set state = 'due' where d.ctid = any (array(
    select x.ctid from webhook_deliveries x where x.state = 'waiting' and x.due_at <= now()
    order by x.due_at limit 1000 for update skip locked));

  with recursive waiting (account_id) as (
    (select d.account_id from webhook_deliveries d where d.state = 'due' order by d.account_id limit 1)
    union all
    select (
      select d.account_id from webhook_deliveries d
      where d.state = 'due' and d.account_id > w.account_id order by d.account_id limit 1)
    from waiting w where w.account_id is not null
  ), account as (
    select w.account_id, b.sending
    from waiting w cross join lateral (
      select count(*)::integer as sending from webhook_deliveries d
      where d.state = 'sending' and d.account_id = w.account_id) b
    where w.account_id is not null and b.sending < p_per_account
      -- Accounts with nothing that can be sent or dropped take no place of the others.
      and exists (
        select from webhooks h
        where h.account_id = w.account_id
          and exists (
            select from webhook_deliveries d
            where d.state = 'due' and d.account_id = h.account_id and d.webhook_id = h.id)
          and (h.revoked_at is not null or not h.active or is_sendable(h.account_id, h.id, p_key_ids)))
    -- More accounts than this do not fit into a claim. Which of those with equally many come next is left to chance.
    order by b.sending, random() limit least(p_room, most_accounts)
  ), stepped (account_id, sending, webhook_id) as (
    select a.account_id, a.sending, (
      select d.webhook_id from webhook_deliveries d
      where d.state = 'due' and d.account_id = a.account_id order by d.webhook_id limit 1)
    from account a
    union all
    select s.account_id, s.sending, (
      select d.webhook_id from webhook_deliveries d
      where d.state = 'due' and d.account_id = s.account_id and d.webhook_id > s.webhook_id
      order by d.webhook_id limit 1)
    from stepped s where s.webhook_id is not null
  ), webhook as materialized (
    select s.account_id, s.sending, s.webhook_id, exists (
      select from webhooks h
      where h.account_id = s.account_id and h.id = s.webhook_id and h.revoked_at is null and h.active) as is_live
    from stepped s where s.webhook_id is not null
  ), dropped as (
    -- Revoked or paused: what was still to be sent is dropped here, bit by bit, so that revoking itself is quick.
    update webhook_deliveries d set state = 'dropped', ended_at = now() where d.ctid = any (array(
      select x.ctid from webhook w cross join lateral (
        select x.ctid from webhook_deliveries x
        where x.state = 'due' and x.account_id = w.account_id and x.webhook_id = w.webhook_id
        limit 1000 for update skip locked) x
      where not w.is_live))
  ), next as (
    select w.account_id, w.webhook_id, x.event_id, x.due_at, w.sending,
      b.sending + row_number() over (partition by w.account_id, w.webhook_id order by x.due_at, x.event_id) as turn
    from webhook w
      cross join lateral (
        select count(*)::integer as sending from webhook_deliveries d
        where d.state = 'sending' and d.account_id = w.account_id and d.webhook_id = w.webhook_id) b
      cross join lateral (
        select d.event_id, d.due_at from webhook_deliveries d
        where d.state = 'due' and d.account_id = w.account_id and d.webhook_id = w.webhook_id
        order by d.due_at limit greatest(0, least(p_room, p_per_account - w.sending, p_per_webhook - b.sending))) x
    where w.is_live and is_sendable(w.account_id, w.webhook_id, p_key_ids)
  ), turns as (
    select n.account_id, n.webhook_id, n.event_id, n.due_at,
      n.sending + row_number() over (partition by n.account_id order by n.turn, n.due_at, n.event_id) as turn
    from next n
  ), line as (
    select t.*, row_number() over (order by t.turn, t.due_at, t.event_id) as place from turns t
  )
  select array_agg(l.account_id), array_agg(l.webhook_id), array_agg(l.event_id) into accounts, webhooks, events
  from line l
  -- An account may begin its nth attempt while 2n places are free. So the less room is left, the less of it any one account
  -- gets: it takes a great many slow ones to fill it up.
  where l.place <= p_room and l.turn <= least(p_per_account, greatest(1, (p_room - l.place + 1) / 2));

  return query
    with free as (
      select d.account_id, d.event_id, d.webhook_id
      from unnest(accounts, webhooks, events) as k (account_id, webhook_id, event_id)
        join webhook_deliveries d
          on d.account_id = k.account_id and d.event_id = k.event_id and d.webhook_id = k.webhook_id
      where d.state = 'due' for update of d skip locked
    ), claimed as (
      update webhook_deliveries d set
          state = 'sending', attempt = d.attempt + 1, attempt_id = nextval('webhook_attempts_id_seq'),
          lease_token = gen_random_uuid(), lease_until = now() + p_lease_ms * interval '1 millisecond'
        from free k
        where d.account_id = k.account_id and d.event_id = k.event_id and d.webhook_id = k.webhook_id
        returning d.*
    ), begun as (
      insert into webhook_attempts (account_id, webhook_id, id, event_id, attempt) overriding system value
        select c.account_id, c.webhook_id, c.attempt_id, c.event_id, c.attempt from claimed c
    )
    select c.account_id, c.webhook_id, c.event_id, c.attempt, c.last_attempt - c.attempt, c.attempt_id, c.lease_token,
      h.url,
      array(
        select s.sealed from webhook_secrets s
        where s.account_id = c.account_id and s.webhook_id = c.webhook_id
          and (s.retires_at is null or s.retires_at > now())
        order by s.id desc),
      e.type, e.happened_at, e.data
    from claimed c
      join webhooks h on h.account_id = c.account_id and h.id = c.webhook_id
      join webhook_events e on e.account_id = c.account_id and e.id = c.event_id;
end $$;

-- Ends attempts that no sender will report any more: the one of p_token, or, when it is null, all whose lease has run out.
-- What is being sent is little, so it is looked through without an index of its own.
-- One that had sent nothing is requeued, as if it had not begun. One that had sent its request counts; whether it
-- arrived is not known, so it is repeated unless it was the last. Returns how many there were.
create function end_broken_attempts(p_token uuid, p_pause_ms integer) returns integer language sql as $$
  with broken as (
    select d.* from webhook_deliveries d
    where d.state = 'sending' and (d.lease_token = p_token or (p_token is null and d.lease_until < now()))
    limit 1000 for update skip locked
  ), unsent as (
    delete from webhook_attempts t using broken b
      where t.account_id = b.account_id and t.webhook_id = b.webhook_id and t.id = b.attempt_id and t.sent_at is null
      returning t.id
  ), sent as (
    update webhook_attempts t set ended_at = now(), error = 'The sender was interrupted before it had an answer.'
      from broken b
      where t.account_id = b.account_id and t.webhook_id = b.webhook_id and t.id = b.attempt_id
        and not exists (select from unsent u where u.id = t.id)
  ), ended as (
    update webhook_deliveries d set
        state = case
          when b.attempt >= b.last_attempt and u.id is null then 'dropped'
          when p_pause_ms > 0 then 'waiting'
          else 'due' end,
        attempt = b.attempt - (u.id is not null)::integer,
        due_at = now() + p_pause_ms * interval '1 millisecond',
        ended_at = case when b.attempt >= b.last_attempt and u.id is null then now() end,
        attempt_id = null, lease_token = null, lease_until = null
      from broken b left join unsent u on u.id = b.attempt_id
      where d.account_id = b.account_id and d.event_id = b.event_id and d.webhook_id = b.webhook_id
      returning 1
  )
  select count(*)::integer from ended
$$;
