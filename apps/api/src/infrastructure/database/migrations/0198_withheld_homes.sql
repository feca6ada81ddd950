-- Homes whose address, or whole listing, may not be shown any more after it had been shown. Rows of jobs, events of watches, and
-- messages to webhooks that were stored before are read together with this table, so that nothing of them is shown from the
-- commit on that withholds it (record/withheld.ts). They are not rewritten: they belong to many accounts, and a job that runs
-- meanwhile may store a row that it found before.
create table withheld_homes (
  zpid   text primary key,
  -- The address and the exact position, or everything.
  what   text not null check (what in ('address', 'listing')),
  -- On the clock of the transaction that withheld it.
  since  timestamptz not null default now()
);
create index withheld_homes_by_time on withheld_homes (since);

-- Whether the record says that its address is undisclosed, and has none.
alter table listings add column address_hidden boolean not null default false;
alter table listings alter column address_hidden set statistics 20;
-- A text inside of another one has its quotes escaped.
update listings set address_hidden = true where summary like '%"isUndisclosedAddress":true%' and street_key is null;

-- Every row of a job names its home from now on. Before, only those of searches did.
update job_rows set zpid = case
    when position('\u0000' in body) = 0 then body::json ->> 'zpid'
    else substring(body from '"zpid":"?([0-9]+)')
  end
where zpid is null;

-- Follows the listings. A home that was never shown before needs no row: it is new to the data set (generation 1), or its address
-- was hidden already. Homes whose feed takes back the whole listing are removed, and the code that removes them writes their rows.
create function follow_hidden_addresses() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from new_listings where generation > 1) then
      return null;
    end if;
    delete from withheld_homes w using new_listings n where w.zpid = n.zpid and not n.address_hidden;
    insert into withheld_homes as w (zpid, what)
      select n.zpid, 'address' from new_listings n where n.address_hidden and n.generation > 1
      on conflict (zpid) do update set what = excluded.what, since = excluded.since where w.what <> excluded.what;
  elsif exists (select from new_listings where address_hidden) or exists (select from old_listings where address_hidden) then
    delete from withheld_homes w using new_listings n where w.zpid = n.zpid and not n.address_hidden;
    insert into withheld_homes (zpid, what)
      select n.zpid, 'address' from new_listings n join old_listings o using (zpid)
      where n.address_hidden and not o.address_hidden
      on conflict (zpid) do nothing;
  end if;
  return null;
end $$;

create trigger hide_inserted_addresses after insert on listings
  referencing new table as new_listings for each statement execute function follow_hidden_addresses();
create trigger hide_updated_addresses after update on listings
  referencing old table as old_listings new table as new_listings
  for each statement execute function follow_hidden_addresses();
