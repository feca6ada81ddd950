-- What accounts buy in the portal: packs of credits, and plans. A purchase that is paid is granted once: its movement is the one that
-- gave its credits.
create table purchases (
  id              uuid primary key default gen_random_uuid(),
  account_id      uuid not null references accounts (id),
  kind            text not null check (kind in ('pack', 'plan')),
  -- The id of the pack in the price list of that day, or the plan.
  item            short_text not null,
  -- Of the pack, or of one cycle of the plan.
  credits         bigint not null check (credits > 0),
  -- In hundredths of the currency.
  price           integer not null check (price > 0),
  currency        text not null check (currency ~ '^[a-z]{3}$'),
  payment         text not null check (payment in ('manual', 'stripe')),
  -- open: waits for the operator or for the payment. failed: the payment has failed.
  state           text not null default 'open' check (state in ('open', 'paid', 'refused', 'cancelled', 'failed')),
  -- The key of the session that ordered it.
  key_id          uuid not null,
  -- Of the form that ordered it. A form that is sent twice is one order.
  form_id         uuid,
  -- The Checkout session at Stripe, and the payment that was made in it.
  checkout        text,
  checkout_url    text,
  -- How many sessions Stripe has refused to make. The next one has another idempotency key: for one, Stripe repeats its answer.
  refused_checkouts integer not null default 0,
  payment_intent  text unique,
  -- A plan that is paid while another cycle runs: it begins when that one ends.
  in_advance      boolean not null default false,
  -- The operator who approved or refused it, and why.
  operator        short_text,
  reason          short_text,
  -- null: not granted. A plan that is paid in advance is granted when its cycle begins.
  movement_id     bigint,
  -- Of a plan whose cycle is over: credits that a refund had taken and that were given back when it failed, or when a dispute was won.
  -- They carry over, and the next refund takes them.
  carried         bigint not null default 0 check (carried >= 0),
  created_at      timestamptz not null default now(),
  -- When it was paid, refused, cancelled, or has failed.
  closed_at       timestamptz,
  constraint open_purchases_are_not_closed check ((state = 'open') = (closed_at is null)),
  constraint only_paid_purchases_are_granted check (movement_id is null or state = 'paid'),
  constraint only_paid_plans_are_in_advance check (not in_advance or (kind = 'plan' and state = 'paid'))
);
create index purchases_of_account on purchases (account_id, created_at desc);
create index open_purchases on purchases (created_at) where state = 'open';
create unique index purchases_by_movement on purchases (account_id, movement_id) where movement_id is not null;
create unique index purchases_by_form on purchases (account_id, form_id);
-- Two open plans would contradict each other.
create unique index one_open_plan on purchases (account_id) where kind = 'plan' and state = 'open';
create unique index one_plan_in_advance on purchases (account_id) where in_advance and movement_id is null;

-- What was paid back of a purchase: each refund and each dispute, by its id at Stripe.
create table purchase_reversals (
  purchase_id  uuid not null references purchases (id),
  cause        text not null,
  kind         text not null check (kind in ('refund', 'dispute')),
  -- In hundredths of the currency.
  amount       integer not null check (amount > 0),
  -- The refund has failed, or the dispute was won: it asks for nothing, and what it has taken is given back. This is final.
  is_void      boolean not null default false,
  -- Credits that it has asked back, and those of them that were not spent and were taken.
  claimed      bigint not null default 0,
  taken        bigint not null default 0,
  -- How often these figures have changed: the number is in the reference of each entry, so no two entries have the same.
  changes      integer not null default 0,
  created_at   timestamptz not null default now(),
  primary key (purchase_id, cause),
  constraint taken_within_claimed check (0 <= taken and taken <= claimed)
);
