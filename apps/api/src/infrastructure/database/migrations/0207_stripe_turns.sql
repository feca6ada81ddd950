-- Requests to Stripe that customers cause (billing/stripe-turns.ts): the one that is under way for an account. All processes take their
-- turns here, and how many there are is in budgets. A row is deleted when its request is over.
create table stripe_turns (
  account_id  uuid primary key,
  -- Of the holder. A holder that was too slow must not end the turn of its successor.
  token       uuid not null,
  -- When the turn is over even if its process was killed.
  held_until  timestamptz not null
);
