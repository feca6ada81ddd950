-- The rules under which this service sends webhooks, as the server that was started last has them in its environment. The
-- command sends test events from an environment of its own, and must follow the same rules.
create table webhook_sending (
  is_only_row             boolean primary key default true check (is_only_row),
  allow_private_networks  boolean not null
);
