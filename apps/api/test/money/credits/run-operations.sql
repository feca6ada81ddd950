-- Carries a list of operations out one after the other and notes after each its result and what the account
-- looks like. For the model test: a round trip for each operation would take most of its time.
create function run_operations(p_accounts uuid[], p_key uuid, p_jobs uuid[], p_operations jsonb) returns setof jsonb
language plpgsql as $$
declare
  o       jsonb;
  n       integer := 0;
  acc     uuid;
  job     uuid;
  said    jsonb;
  t       jsonb;
  months  integer;
begin
  for o in select * from jsonb_array_elements(p_operations) loop
    n := n + 1;
    acc := p_accounts[(o ->> 'account')::integer + 1];
    job := p_jobs[(o ->> 'account')::integer * 32 + (o ->> 'job')::integer + 1];
    begin
      case o ->> 'op'
        when 'top up' then
          perform top_up(acc, (o ->> 'amount')::bigint);
          said := to_jsonb('topped up'::text);
        when 'adjust' then
          select to_jsonb(x.verdict) into said from adjust_credits(acc, (o ->> 'amount')::bigint, 'a test') x;
        when 'charge' then
          select jsonb_agg(jsonb_build_array(r.verdict, r.units, r.charged)) into said
          from (
            select array_agg(p_accounts[c.account + 1]) as account, array_agg(p_key) as key,
              array_agg(format('req_%s_%s_%s', p_accounts[1], n, c.ord)) as request,
              array_agg('/v1'::text) as endpoint, array_agg(c.operation) as operation,
              array_agg('account'::text) as actor, array_agg(200) as status, array_agg(now()) as admitted,
              array_agg(c.mode) as mode, array_agg(c.units) as units, array_agg(c.price) as price,
              array_agg(c.minimum) as minimum, array_agg(null::text) as zpid, array_agg(null::bigint) as generation, array_agg(null::text) as source
            from rows from (jsonb_to_recordset(o -> 'calls')
              as (account integer, operation text, mode text, units bigint, price bigint, minimum bigint)
            ) with ordinality as c (account, operation, mode, units, price, minimum, ord)
          ) g, settle_calls(g.account, g.key, g.request, g.endpoint, g.operation, g.actor, g.status, g.admitted, g.mode,
            g.units, g.price, g.minimum, g.zpid, g.generation, g.source) r;
        when 'hold' then
          select to_jsonb(format('%s %s', p.verdict, p.amount)) into said
            from place_hold(acc, job, (o ->> 'wanted')::bigint, (o ->> 'least')::bigint) p;
          if said #>> '{}' like 'held %' then
            insert into usage_rows (account_id, key_id, request_id, stage, endpoint, operation, actor, status_code, job_id, created_at)
              select acc, p_key, 'req_' || job, stage, '/v1', 'searchWithDetails', stage, 202, job, now()
              from unnest(array['search', 'detail']) as stage;
          end if;
        when 'grow' then
          select to_jsonb(format('%s %s', g.verdict, g.step)) into said from grow_hold(acc, job, (o ->> 'by')::bigint) g;
        when 'settle' then
          select to_jsonb(format('%s %s', c.verdict, c.charged)) into said
            from (select array_agg(cost::bigint order by ord) as costs
              from jsonb_array_elements_text(o -> 'costs') with ordinality as x (cost, ord)) x,
            close_hold(acc, job, 'settled', array['req_' || job, 'req_' || job], array['search', 'detail'], x.costs, x.costs) c;
        when 'release' then
          select to_jsonb(format('%s %s', c.verdict, c.charged)) into said
            from close_hold(acc, job, 'released', '{}', '{}', '{}', '{}') c;
        when 'time passes' then
          update accounts set
              cycle_anchor = now() - make_interval(months => (o ->> 'missed')::integer * cycle_months, hours => 1),
              renews_at = now() - make_interval(months => (o ->> 'missed')::integer * cycle_months, hours => 1)
                + make_interval(months => cycle_months)
            where id = acc and cycle_months is not null;
          said := to_jsonb(case when found then 'passed' else 'no cycle' end);
        when 'renew' then
          said := to_jsonb(renew_if_due(acc));
        when 'wait' then
          t := o -> 'terms';
          months := (t ->> 'months')::integer;
          update accounts set next_plan = 'custom', next_credits_per_cycle = (t ->> 'credits')::bigint,
              next_rate_limit_per_minute = 10, next_denied_operations = '{}', next_cycle_months = months
            where id = acc and cycle_months is not null;
          said := to_jsonb(case when found then 'waiting' else 'no cycle' end);
        when 'change' then
          t := o -> 'terms';
          months := (t ->> 'months')::integer;
          update accounts set credits_per_cycle = (t ->> 'credits')::bigint, cycle_months = months,
              cycle_anchor = now(), current_period_start = now(), renews_at = now() + make_interval(months => months),
              next_plan = null, next_credits_per_cycle = null, next_rate_limit_per_minute = null,
              next_denied_operations = null, next_cycle_months = null
            where id = acc;
          perform begin_cycle(acc);
          said := to_jsonb('changed'::text);
      end case;
    exception when raise_exception or no_data_found then
      said := to_jsonb('error'::text);
    end;
    return next jsonb_build_object('said', said, 'accounts', (
      select jsonb_agg(jsonb_build_object(
        'balance', a.balance, 'held', a.held, 'grant_left', a.grant_left, 'expiring', a.expiring,
        'granted_this_cycle', a.granted_this_cycle,
        'holds', coalesce((
          select jsonb_agg(jsonb_build_array((array_position(p_jobs, h.job_id) - 1) % 32, h.amount, h.expiring, h.state, h.charged)
            order by h.job_id)
          from holds h where h.account_id = a.id), '[]')
      ) order by array_position(p_accounts, a.id))
      from accounts a where a.id = any (p_accounts)));
  end loop;
end $$;
