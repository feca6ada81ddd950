// THE BUDGET OF FAILED LOOKUPS of each account, for the minute and the day: of the provider queries that the account does
// not pay. A lookup is taken before the provider is asked and kept when it found nothing; one that found something is used
// for the next lookup, or goes back to the database after a second. So accounts whose lookups succeed cost the database a statement now and then, and not one for each lookup,
// while no two processes can spend the same failed lookup (migrations/0043_lookup_budgets.sql).

import type { PlanId } from '../accounts/plans.ts'
import type { Database } from '../database/database.ts'
import { batch } from '../platform/batch.ts'
import { orAborted } from '../platform/or-aborted.ts'
import type { Asking } from '../sources/provider.ts'

export type BudgetWindow = 'minute' | 'day'

/** The account has used up its failed lookups: the provider was not asked. Becomes 429, or lets a job wait. */
export class LookupBudgetExceeded extends Error {
  override readonly name = 'LookupBudgetExceeded'
  readonly plan: PlanId
  readonly window: BudgetWindow
  /** Failed lookups in the window. */
  readonly limit: number
  /** Until the window is over, in milliseconds. */
  readonly retryAfterMs: number

  constructor(plan: PlanId, window: BudgetWindow, limit: number, retryAfterMs: number) {
    super(`the ${limit} failed lookups of the ${window} are used up`)
    this.plan = plan
    this.window = window
    this.limit = limit
    this.retryAfterMs = retryAfterMs
  }
}

export type LookupLimits = Readonly<
  Record<PlanId, { readonly failedLookupsPerMinute: number; readonly failedLookupsPerDay: number }>
>

export interface LookupBudget {
  /**
   * Runs `ask` with a lookup of the account's budget. The lookup is spent if `ask` found nothing, or if no client waited for
   * its end; it is kept for others if `ask` found something or failed.
   *
   * @throws {LookupBudgetExceeded} when none is left, and nothing was asked
   */
  spend<T>(
    accountId: string,
    asking: Asking,
    isMiss: (answer: T) => boolean,
    ask: () => Promise<T>,
  ): Promise<T>
  /** A lookup is spent, as far as one is left: an entry of a job has failed. */
  charge(accountId: string, asking: Asking): Promise<void>
  /** This many lookups are spent, as far as they are left, without waiting: a call had their results and did not pay. */
  chargeUnpaid(accountId: string, count: number): Promise<void>
  /** Gives back what is left over here. Resolves when it is in the database. */
  drain(): Promise<void>
}

/** A lookup that may be made, until its minute is over. */
interface Permit {
  readonly minuteBegan: Date
  readonly dayBegan: Date
  /** On this process's monotonic clock, in milliseconds; never later than it truly is. */
  readonly validUntil: number
}

interface Purse {
  readonly free: Permit[]
  /** Lookups that are being made here. */
  underWay: number
  /** Those, and those that wait for a permit. */
  users: number
  usedAt: number
  /** Called when a lookup that was under way has ended. */
  readonly waiting: Set<() => void>
}

interface TakenRow {
  readonly account_id: string
  readonly taken: number
  readonly plan: PlanId
  readonly bound: BudgetWindow
  readonly bound_limit: number
  readonly wait_ms: number
  readonly minute_began: Date
  readonly minute_left_ms: number
  readonly day_began: Date
}

const TAKE = 'select * from take_lookups($1, $2, $3, $4, $5)'
const GIVE_BACK = 'select give_lookups_back($1, $2, $3, $4)'
const TAKEN_AT_A_TIME = 256
/** After so long without a lookup of the account, what it has left here goes back. Milliseconds. */
const IDLE_MS = 1_000

export function createLookupBudget(database: Database, limits: LookupLimits): LookupBudget {
  const purses = new Map<string, Purse>()
  const plans = Object.keys(limits) as PlanId[]
  const perMinute = plans.map((plan) => limits[plan].failedLookupsPerMinute)
  const perDay = plans.map((plan) => limits[plan].failedLookupsPerDay)
  let timer: NodeJS.Timeout | undefined

  const takeShared = batch<string, Permit | LookupBudgetExceeded>(TAKEN_AT_A_TIME, async (group) => {
    const wanted = new Map<string, number>()
    for (const id of group) wanted.set(id, (wanted.get(id) ?? 0) + 1)
    const ids = [...wanted.keys()].sort()
    const from = performance.now()
    const { rows } = await database.query<TakenRow>(
      TAKE,
      [ids, ids.map((id) => wanted.get(id)), plans, perMinute, perDay],
      { name: 'take_lookups' },
    )
    const found = new Map(rows.map((row) => [row.account_id, { row, left: row.taken }]))
    return group.map((id) => {
      const account = found.get(id)!
      const { row } = account
      if (account.left-- <= 0)
        return new LookupBudgetExceeded(row.plan, row.bound, row.bound_limit, Math.max(1, row.wait_ms))
      return {
        minuteBegan: row.minute_began,
        dayBegan: row.day_began,
        validUntil: from + row.minute_left_ms,
      }
    })
  })

  async function take(accountId: string, purse: Purse, asking: Asking): Promise<Permit> {
    for (;;) {
      const free = findFree(purse)
      const taken = free ?? (await takeShared(accountId))
      if (!(taken instanceof LookupBudgetExceeded)) {
        if (free) remove(purse, free)
        // Immediately, so that a call that is refused at the same moment sees it.
        purse.underWay++
        return taken
      }
      if (findFree(purse)) continue
      // What is under way here may find something, and its lookup is free again then.
      if (purse.underWay === 0) throw taken
      await orAborted(untilOneEnds(purse), asking.signal)
    }
  }

  async function spend<T>(
    accountId: string,
    asking: Asking,
    isMiss: (answer: T) => boolean,
    ask: () => Promise<T>,
  ): Promise<T> {
    const purse = purseOf(accountId)
    purse.users++
    let permit: Permit
    try {
      permit = await take(accountId, purse, asking)
    } catch (error) {
      purse.users--
      throw error
    }
    // A client that disconnects has used the provider. Otherwise, disconnecting would make lookups free.
    let isSpent = true
    try {
      const answer = await ask()
      isSpent = isMiss(answer)
      if (!isSpent) asking.found?.()
      return answer
    } catch (error) {
      isSpent = asking.signal.aborted
      throw error
    } finally {
      purse.underWay--
      purse.users--
      purse.usedAt = performance.now()
      if (!isSpent) purse.free.push(permit)
      for (const wake of purse.waiting) wake()
      purse.waiting.clear()
    }
  }

  function purseOf(accountId: string): Purse {
    let purse = purses.get(accountId)
    if (!purse) {
      purse = { free: [], underWay: 0, users: 0, usedAt: 0, waiting: new Set() }
      purses.set(accountId, purse)
    }
    purse.usedAt = performance.now()
    timer ??= setInterval(() => void giveBack(IDLE_MS).catch(() => {}), IDLE_MS).unref()
    return purse
  }

  /** What is idle, or of a minute that is over. If it fails, the account has that much less in this minute and day. */
  async function giveBack(idleMs: number): Promise<void> {
    const now = performance.now()
    const back: { accountId: string; permit: Permit }[] = []
    for (const [accountId, purse] of purses) {
      const isIdle = now - purse.usedAt >= idleMs
      const kept = isIdle ? [] : purse.free.filter(({ validUntil }) => validUntil > now)
      for (const permit of purse.free) if (!kept.includes(permit)) back.push({ accountId, permit })
      purse.free.splice(0, purse.free.length, ...kept)
      if (isIdle && purse.users === 0) purses.delete(accountId)
    }
    if (purses.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
    if (back.length === 0) return
    back.sort((one, other) => (one.accountId < other.accountId ? -1 : 1))
    await database.query(
      GIVE_BACK,
      [
        back.map(({ accountId }) => accountId),
        back.map(() => 1),
        back.map(({ permit }) => permit.minuteBegan),
        back.map(({ permit }) => permit.dayBegan),
      ],
      { name: 'give_lookups_back' },
    )
  }

  return {
    spend,
    async charge(accountId, asking) {
      try {
        await spend(
          accountId,
          asking,
          () => true,
          async () => undefined,
        )
      } catch (error) {
        if (!(error instanceof LookupBudgetExceeded)) throw error
      }
    },
    async chargeUnpaid(accountId, count) {
      const purse = purseOf(accountId)
      let left = count
      for (let free = findFree(purse); free && left > 0; free = findFree(purse), left--) remove(purse, free)
      await Promise.all(Array.from({ length: left }, () => takeShared(accountId)))
    },
    drain: () => giveBack(0),
  }
}

function remove(purse: Purse, taken: Permit): void {
  purse.free.splice(purse.free.indexOf(taken), 1)
}

function findFree({ free }: Purse): Permit | undefined {
  const now = performance.now()
  return free.find(({ validUntil }) => validUntil > now)
}

function untilOneEnds(purse: Purse): Promise<void> {
  return new Promise((resolve) => {
    purse.waiting.add(resolve)
  })
}

const USED = `
  select
    case when minute_began > now() - interval '1 minute' then minute_used else 0 end as minute,
    case when day_began > now() - interval '1 day' then day_used else 0 end as day
  from lookup_budgets where account_id = $1`

/** What an account has used of its budget. */
export async function findLookupsUsed(
  database: Database,
  accountId: string,
): Promise<Readonly<Record<BudgetWindow, number>>> {
  const { rows } = await database.query<Record<BudgetWindow, number>>(USED, [accountId], {
    name: 'lookups_used',
  })
  return rows[0] ?? { minute: 0, day: 0 }
}

export interface PlanLookups {
  readonly plan: PlanId
  /** Of all accounts of the plan. */
  readonly used: Readonly<Record<BudgetWindow, number>>
  /** Of the account that uses the most. */
  readonly largest: Readonly<Record<BudgetWindow, number>>
}

// Only accounts that had a failed lookup within the day have anything to show.
const BY_PLAN = `
  select a.plan, sum(u.minute) as minute, sum(u.day) as day, max(u.minute) as most_minute, max(u.day) as most_day
  from (
    select account_id, day_used as day,
      case when minute_began > now() - interval '1 minute' then minute_used else 0 end as minute
    from lookup_budgets where day_began > now() - interval '1 day'
  ) u join accounts a on a.id = u.account_id
  group by a.plan`

/** For the metrics; without saying which account it is. */
export async function findLookupsByPlan(database: Database): Promise<PlanLookups[]> {
  const { rows } = await database.query<{
    plan: PlanId
    minute: number
    day: number
    most_minute: number
    most_day: number
  }>(BY_PLAN)
  return rows.map(({ plan, minute, day, most_minute, most_day }) => ({
    plan,
    used: { minute, day },
    largest: { minute: most_minute, day: most_day },
  }))
}
