// The checks of the audit that need no prices: each with the query that finds the rows that contradict it.

export interface AuditCheck {
  /** The invariant, as README.md names it. */
  readonly check: string
  /** Selects `account_id` and, as JSON, the `facts` that do not fit. */
  readonly contradictions: string
}

export const checks: readonly AuditCheck[] = [
  {
    check: 'balance is postings',
    contradictions: `
      select a.id as account_id, json_build_object('balance', a.balance, 'postings', coalesce(p.amount, 0)) as facts
      from accounts a
        left join (select account_id, sum(amount) as amount from postings group by account_id) p on p.account_id = a.id
      where a.balance <> coalesce(p.amount, 0)`,
  },
  {
    check: 'held is postings and open holds',
    contradictions: `
      select a.id as account_id, json_build_object(
        'held', a.held, 'postings', coalesce(p.held, 0), 'open_holds', coalesce(h.amount, 0),
        'expiring', a.expiring, 'expiring_in_holds', coalesce(h.expiring, 0)) as facts
      from accounts a
        left join (select account_id, sum(held_change) as held from postings group by account_id) p on p.account_id = a.id
        left join (
          select account_id, sum(amount) as amount, sum(expiring) as expiring from holds where state = 'open' group by account_id
        ) h on h.account_id = a.id
      where a.held <> coalesce(p.held, 0) or a.held <> coalesce(h.amount, 0) or a.expiring <> coalesce(h.expiring, 0)`,
  },
  {
    check: 'parts within balance',
    // The rest beyond the grant and the expiring credits is topped up, so it is not more than was ever topped up, added by an
    // adjustment, or left in the balance by what was archived.
    contradictions: `
      select a.id as account_id, json_build_object(
        'balance', a.balance, 'held', a.held, 'grant_left', a.grant_left, 'granted_this_cycle', a.granted_this_cycle,
        'expiring', a.expiring, 'ever_topped_up', coalesce(p.amount, 0)) as facts
      from accounts a
        left join (
          select account_id, sum(amount) as amount from postings
          where kind = 'topup' or (kind in ('adjust', 'carried') and amount > 0) group by account_id
        ) p on p.account_id = a.id
      where not (
        0 <= a.held and a.held <= a.balance and 0 <= a.grant_left and a.grant_left <= a.granted_this_cycle
        and 0 <= a.expiring and a.expiring <= a.held
        and a.balance - a.grant_left - a.expiring between 0 and coalesce(p.amount, 0))`,
  },
  {
    check: 'never negative',
    contradictions: `
      select account_id, json_build_object('posting', id, 'balance', balance, 'held', held) as facts
      from (
        select account_id, id, sum(amount) over so_far as balance, sum(held_change) over so_far as held
        from postings window so_far as (partition by account_id order by id)
      ) history
      -- Rows of the last seconds before an archive's month can be numbered among those of the next: in between, the sums are
      -- not those that once were.
      where (balance < 0 or held < 0 or held > balance) and id > (select last_archived_id from kept_books)`,
  },
  {
    check: 'free credits are given once',
    // Of accounts that have been on one plan since they were opened, and it does not renew. A mailbox signs up once, because the
    // primary key of mailboxes allows no second row.
    contradictions: `
      select a.id as account_id, json_build_object('grants', count(*), 'granted', sum(m.amount)) as facts
      from accounts a join movements m on m.account_id = a.id and m.kind = 'grant'
      where a.cycle_months is null and a.current_period_start = a.created_at
      group by a.id having count(*) > 1`,
  },
  {
    check: 'operator entry is its movement',
    contradictions: `
      select o.account_id, json_build_object(
        'movement', o.movement_id, 'kind', o.kind, 'amount', o.amount, 'moved', m.amount, 'as', m.kind) as facts
      from operator_entries o
        left join movements m on m.account_id = o.account_id and m.id = o.movement_id
      where (m.id is null or m.amount <> o.amount or m.kind <> case o.kind when 'topup' then 'topup' when 'plan' then 'grant' else 'adjust' end)
        and o.movement_id > (select last_archived_id from kept_books)`,
  },
  {
    check: 'refunded events are charges',
    // The entry of a refund is the sum of its events, and each event was charged what was refunded. The charges may be in an archive.
    contradictions: `
      select r.account_id, json_build_object(
        'movement', r.movement_id, 'events', r.events, 'refunded', r.credits, 'moved', m.amount, 'as', m.kind) as facts
      from (
          select account_id, movement_id, count(*) as events, sum(credits) as credits from refunded_events group by 1, 2
        ) r
        left join movements m on m.account_id = r.account_id and m.id = r.movement_id
      where (m.id is null or m.amount <> r.credits or m.kind <> 'adjust')
        and r.movement_id > (select last_archived_id from kept_books)
      union all
      select r.account_id, json_build_object('request_id', r.request_id, 'refunded', r.credits, 'charged', u.credits_charged)
      from refunded_events r
        left join usage_rows u on u.account_id = r.account_id and u.request_id = r.request_id
      where u.credits_charged <> r.credits
        or (u.request_id is null and (select last_archived_id from kept_books) = 0)`,
  },
  {
    check: 'purchase is granted once',
    // Each paid purchase has one movement, with its credits, whose operator entry names it; and no entry names another purchase. A plan
    // that was paid in advance waits in its account. What was deducted for a purchase is what its reversals say.
    contradictions: `
      select coalesce(p.account_id, o.account_id) as account_id, json_build_object(
        'purchase', p.id, 'state', p.state, 'movement', p.movement_id, 'credits', p.credits, 'reference', o.reference,
        'amount', o.amount, 'kind', o.kind) as facts
      from purchases p
        full join (select * from operator_entries where reference like 'purchase %' and kind in ('topup', 'plan')) o
          on o.account_id = p.account_id and o.reference = 'purchase ' || p.id
        left join accounts a on a.id = p.account_id
      where (p.movement_id is not null or o.movement_id is not null or p.state = 'paid')
        and (p.id is null or p.state <> 'paid' or p.movement_id is distinct from o.movement_id
          or o.amount <> p.credits
          or (o.movement_id is null and not (p.in_advance and a.prepaid and a.next_plan = p.item)))
      union all
      select p.account_id, json_build_object(
        'purchase', p.id, 'credits', p.credits, 'taken', r.taken, 'claimed', r.claimed, 'entries', coalesce(o.amount, 0))
      from purchases p
        join (
          select purchase_id, sum(taken) as taken, sum(claimed) as claimed from purchase_reversals group by 1
        ) r on r.purchase_id = p.id
        left join lateral (
          select sum(amount) as amount from operator_entries
          where account_id = p.account_id and kind = 'adjust' and reference like '% purchase ' || p.id
        ) o on true
      where r.taken <> -coalesce(o.amount, 0) or r.claimed > p.credits`,
  },
  {
    check: 'hold is its postings',
    // The postings of holds that are older than the kept months are in an archive. A call is admitted before its hold is placed,
    // so some postings of the first day's holds may be in the archive too.
    contradictions: `
      select coalesce(h.account_id, p.account_id) as account_id, json_build_object(
        'job_id', coalesce(h.job_id, p.job_id), 'state', h.state, 'amount', h.amount, 'charged', h.charged,
        'posted_held', p.held, 'posted_charged', p.charged, 'held_now', p.held_now) as facts
      from holds h
        full join (
          select account_id, job_id, sum(held_change) filter (where kind = 'hold') as held, sum(held_change) as held_now,
            -coalesce(sum(amount) filter (where kind = 'charge'), 0) as charged
          from postings where job_id is not null group by account_id, job_id
        ) p on p.account_id = h.account_id and p.job_id = h.job_id
      where h.job_id is null
        or (h.created_at >= (select since from kept_books) + interval '1 day' and (
          h.amount <> coalesce(p.held, 0)
          or h.charged <> coalesce(p.charged, 0)
          or coalesce(p.held_now, 0) <> case h.state when 'open' then h.amount else 0 end))`,
  },
  {
    check: 'key limit is its charges',
    // Of each limit, in its present period: what its keys were charged, and what is held for their jobs. What a job is not charged
    // comes back, as far as it was held in this period. An archive may have taken charges of the period with it.
    contradictions: `
      select l.account_id, json_build_object(
        'limit', l.id, 'credits', l.credits, 'per', l.per, 'used', l.used, 'most', l.most, 'counted', c.counted,
        'flag', a.has_key_limits) as facts
      from key_limits l
        join accounts a on a.id = l.account_id
        cross join lateral (
          select coalesce((
            select sum(u.credits_charged) from usage_rows u join api_keys k on k.id = u.key_id
            where u.account_id = l.account_id and k.limit_id = l.id and u.job_id is null and u.id > l.counted_after), 0)
          + coalesce((
            select sum(m.taken - least(m.taken, m.released)) from holds h join api_keys k on k.id = h.key_id
              cross join lateral (
                select coalesce(sum(held_change) filter (where kind = 'hold'), 0) as taken,
                  coalesce(-sum(held_change) filter (where kind = 'release'), 0) as released
                from movements
                where account_id = h.account_id and job_id = h.job_id and id > l.counted_after) m
            where h.account_id = l.account_id and k.limit_id = l.id), 0) as counted
        ) c
      where not a.has_key_limits or l.used > l.most or l.used < c.counted
        or (l.used > c.counted and l.counted_after >= (select last_archived_id from kept_books))`,
  },
  {
    check: 'usage is charges',
    // A call's usage row is its charge, so the two cannot differ. But there must be only one.
    contradictions: `
      select coalesce(u.account_id, m.account_id) as account_id, json_build_object(
        'request_id', coalesce(u.request_id, m.request_id), 'stage', coalesce(u.stage, m.stage),
        'usage', u.credits_charged, 'charged', -m.amount) as facts
      from (select account_id, request_id, coalesce(stage, '') as part, stage, credits_charged, job_id
            from usage_rows where credits_charged <> 0 and job_id is not null) u
        full join (select account_id, request_id, coalesce(stage, '') as part, stage, amount, job_id
            from movements where kind = 'charge') m
          on m.account_id = u.account_id and m.request_id = u.request_id and m.part = u.part
        left join holds h on h.account_id = coalesce(u.account_id, m.account_id) and h.job_id = coalesce(u.job_id, m.job_id)
      where (u.credits_charged is distinct from -m.amount or u.job_id is distinct from m.job_id)
        -- As above: of an older job, one of the two may be archived.
        and (h.job_id is null or h.created_at >= (select since from kept_books) + interval '1 day')
      union all
      select account_id, json_build_object('request_id', request_id, 'stage', stage, 'rows', count(*))
      from usage_rows group by account_id, request_id, stage having count(*) > 1`,
  },
  {
    check: 'usage sums are usage rows',
    // Of the hours that are summed. Those of archived months may have sums, which nothing reads.
    contradictions: `
      with kept as (select coalesce(max(before_month), '-infinity') as since from book_archives),
        sums as (
          select account_id, hour, key_id, coalesce(operation, '') as operation, status_code,
            sum(usage_rows) as usage_rows, sum(units) as units, sum(credits_charged) as credits_charged
          from usage_sums where hour >= (select since from kept)
          group by 1, 2, 3, 4, 5
        ),
        rows as (
          select u.account_id, date_trunc('hour', u.created_at, 'UTC') as hour, u.key_id,
            coalesce(u.operation, '') as operation, u.status_code,
            count(*) as usage_rows, sum(u.units) as units, sum(u.credits_charged) as credits_charged
          from usage_summed d join usage_rows u on u.account_id = d.account_id and u.created_at < d.until
          where u.created_at >= (select since from kept)
          group by 1, 2, 3, 4, 5
        )
      select account_id, json_build_object(
        'hour', hour, 'key_id', key_id, 'operation', operation, 'status_code', status_code,
        'sums', json_build_array(s.usage_rows, s.units, s.credits_charged),
        'rows', json_build_array(r.usage_rows, r.units, r.credits_charged)) as facts
      from sums s full join rows r using (account_id, hour, key_id, operation, status_code)
      where (s.usage_rows, s.units, s.credits_charged) is distinct from (r.usage_rows, r.units, r.credits_charged)`,
  },
  {
    check: 'low credits are reported',
    // The next event of low credits is due at low_at. A lower one than the greatest level that is still to come would miss that
    // level; a higher one is that of a webhook that was revoked, and costs one comparison.
    contradictions: `
      select a.id as account_id, json_build_object('balance', a.balance, 'low_at', a.low_at, 'level', l.credits) as facts
      from accounts a cross join lateral (
        select max(credits) as credits
        from low_levels(a.id, a.granted_this_cycle, a.low_sent, a.current_period_start) where credits < a.balance
      ) l
      where a.low_at < l.credits`,
  },
  {
    check: 'failures are free',
    contradictions: `
      select account_id, json_build_object(
        'request_id', request_id, 'status_code', status_code, 'units', units, 'credits_charged', credits_charged) as facts
      from usage_rows
      where (status_code >= 300 or operation is null) and (units <> 0 or credits_charged <> 0)`,
  },
  {
    check: 'accepted jobs have a hold',
    contradictions: `
      select u.account_id, json_build_object('request_id', u.request_id, 'job_id', u.job_id, 'units', u.units) as facts
      from usage_rows u left join holds h on h.account_id = u.account_id and h.job_id = u.job_id
      where u.job_id is not null and (h.job_id is null or (h.state <> 'settled' and u.units <> 0))`,
  },
  {
    check: 'hold is open while its job is',
    contradictions: `
      select j.account_id, json_build_object('job_id', j.id, 'job', j.status, 'hold', h.state) as facts
      from jobs j left join holds h on h.account_id = j.account_id and h.job_id = j.id
      where h.state is distinct from case
        when j.status in ('queued', 'running') then 'open' when j.status = 'succeeded' then 'settled' else 'released'
      end`,
  },
]
