-- Keys that accounts manage themselves (accounts/own-keys.ts): a name, an end, the operations that a key may use, and when it was
-- last used.

alter table api_keys
  add column name                short_text not null default '',
  -- operationIds; null: all.
  add column allowed_operations  text[],
  -- To the minute, written about once a minute (accounts/principals.ts).
  add column last_used_at        timestamptz;
-- last_used_at changes without any index.
alter table api_keys set (fillfactor = 80);
