-- The key that signs the cursors of searches (sources/cursors.ts): one for all processes over this database. It is random and
-- in no backup, so a restored database has another one, and clients begin again with the first page.

create table cursor_key (
  only_one boolean primary key default true check (only_one),
  key      bytea not null check (octet_length(key) = 32)
);
insert into cursor_key (key) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
