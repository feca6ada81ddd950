-- Sign-in by e-mail and sign-up (accounts/sign-up.ts), and how much strangers and customers can cause (accounts/request-budget.ts).

-- Finds the accounts of an address. It is written with the account only, so charges do not touch it.
create index accounts_by_email on accounts (lower(email)) where email is not null;

-- The mailbox of each account that has an e-mail address: the first account that it had. No sign-up uses a mailbox that has a
-- row, so the credits of a free account are given once per mailbox, whatever becomes of the account. Rows are never changed or
-- removed (0089_service_rights.sql).
create table mailboxes (
  -- SHA-256 of the normalized address (accounts/email-address.ts).
  mailbox_hash  bytea primary key,
  -- No foreign key: the row is written before its account, so that of several sign-ups at the same moment one goes on. Accounts
  -- are never deleted.
  account_id    uuid not null unique,
  -- Whether its owner has signed up, by an invitation or without. Otherwise the operator has made the account.
  signed_up     boolean not null,
  created_at    timestamptz not null default now()
);

-- Single-use links that make an account. Rows are deleted when they are used or have expired.
create table sign_up_links (
  -- SHA-256 of the text in the link.
  token_hash  bytea primary key,
  -- As its owner has written it.
  email       text not null,
  mailbox_hash bytea not null,
  plan        plan_id not null,
  expires_at  timestamptz not null
);
create index sign_up_links_by_end on sign_up_links (expires_at);

-- How many requests were made, in the present hour and day: mails for a mailbox and from a source address, and requests to Stripe for an
-- account. An hour and a day begin with their first request, and are over 60 minutes and 24 hours later. All processes take from here.
create table request_budgets (
  -- SHA-256 of what is limited.
  subject     bytea primary key,
  hour_began  timestamptz not null,
  hour_used   integer not null,
  day_began   timestamptz not null,
  day_used    integer not null
);
create index request_budgets_by_day on request_budgets (day_began);

-- Takes one from each of the budgets, or none if one of them is used up. Returns the seconds to wait in that case, or null. The
-- subjects must be in ascending order: two processes then never wait for each other.
create function take_request(p_subjects bytea[], p_per_hour integer[], p_per_day integer[]) returns float8 language plpgsql as $$
declare
  b     request_budgets;
  at    timestamptz;
  wait  float8;
begin
  delete from request_budgets where subject in (
    select subject from request_budgets where day_began <= now() - interval '1 day' limit 100 for update skip locked);
  for i in 1 .. cardinality(p_subjects) loop
    -- Also where the row exists, it is locked and returned.
    insert into request_budgets values (p_subjects[i], now(), 0, now(), 0)
      on conflict (subject) do update set hour_used = request_budgets.hour_used
      returning * into b;
    -- After the lock: the row may be younger than the statement.
    at := clock_timestamp();
    if b.hour_began <= at - interval '1 hour' then
      b.hour_began := at;
      b.hour_used := 0;
    end if;
    if b.day_began <= at - interval '1 day' then
      b.day_began := at;
      b.day_used := 0;
    end if;
    if b.day_used >= p_per_day[i] then
      wait := greatest(wait, extract(epoch from b.day_began + interval '1 day' - at));
    elsif b.hour_used >= p_per_hour[i] then
      wait := greatest(wait, extract(epoch from b.hour_began + interval '1 hour' - at));
    end if;
    update request_budgets set
        hour_began = b.hour_began, hour_used = b.hour_used + 1, day_began = b.day_began, day_used = b.day_used + 1
      where subject = p_subjects[i];
  end loop;
  if wait is not null then
    update request_budgets set hour_used = hour_used - 1, day_used = day_used - 1 where subject = any (p_subjects);
  end if;
  return wait;
end $$;
