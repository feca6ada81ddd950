-- Who has given or taken credits by hand, and why: one row beside each top-up, adjustment, and refund that an operator makes
-- with the command, and beside what a purchase grants (0192_purchases.sql). It stays when its movement leaves with an archive, so a reference or a refund is never used twice.
create table operator_entries (
  account_id   uuid not null,
  -- Of the movement that it explains.
  movement_id  bigint not null,
  kind         text not null check (kind in ('topup', 'adjust', 'refund', 'plan')),
  -- Change of the balance, in credits.
  amount       bigint not null,
  -- The operator's own name of a payment, such as the number of an invoice.
  reference    text check (char_length(reference) between 1 and 200),
  -- The call that is refunded.
  request_id   text,
  reason       text,
  operator     text not null,
  created_at   timestamptz not null default now(),
  primary key (account_id, movement_id),
  constraint refunds_name_their_call check ((kind = 'refund') = (request_id is not null))
);
create unique index operator_entries_by_reference on operator_entries (account_id, reference) where reference is not null;
create unique index operator_entries_by_call on operator_entries (account_id, request_id) where request_id is not null;
revoke update, delete, truncate on operator_entries from current_user;

-- Explains the latest movement of an account, in the transaction that has written it and holds the account's lock.
create function note_operator_entry(
  p_account uuid, p_kind text, p_reference text, p_request text, p_reason text, p_operator text
) returns void language plpgsql security definer as $$
begin
  insert into operator_entries (account_id, movement_id, kind, amount, reference, request_id, reason, operator)
    select p_account, m.id, p_kind, m.amount, p_reference, p_request, p_reason, p_operator
    from movements m where m.account_id = p_account order by m.id desc limit 1;
end $$;
do $$ begin
  execute format('alter function note_operator_entry set search_path = %I, pg_temp', current_schema());
end $$;
