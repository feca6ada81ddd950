-- The secret behind the tags of responses (ETag). One for all processes, so that a tag of one is known to the others. It is not
-- in a backup: after a restore, tags of before match nothing, and the next call of a client is answered in full.
create table tag_secret (
  only_row  boolean primary key default true check (only_row),
  secret    bytea not null
);
-- Each of the four has 122 random bits from the system's own source.
insert into tag_secret (secret)
  select sha512(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')) from generate_series(1, 4);
