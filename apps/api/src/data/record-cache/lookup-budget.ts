// THE BUDGET OF FAILED LOOKUPS of each account, for the minute and the day: provider queries that are not paid for. A lookup is taken from
// the budget before the provider is asked. If the provider finds nothing, the lookup is spent. If it finds something, the lookup serves the
// next query, or returns to the database after a second. So accounts whose lookups succeed cost the database a statement now and then, not
// one for each lookup, and no two processes can spend the same failed lookup (database/budgets.ts).
// Why: decisions/data/data-set-has-a-budget-too.md
// Why: decisions/data/failed-provider-lookup.md
// Why: decisions/data/disconnected-lookup-counts.md

import { type Database, WINDOW_SECONDS } from '../../infrastructure/database.ts'
import { batch, orAborted } from '../../infrastructure/platform.ts'
import type { QueryContext } from '../sources/provider.ts'

export type BudgetWindow = 'minute' | 'day'

/** The account has used up its failed lookups, and the provider was not asked. Becomes 429, or lets a job wait. */
export class LookupBudgetExceeded extends Error {
  override readonly name = 'LookupBudgetExceeded'
  readonly plan: string
  readonly window: BudgetWindow
  /** The number of failed lookups in the window. */
  readonly limit: number
  /** Milliseconds until the window ends. */
  readonly retryAfterMs: number

  constructor(plan: string, window: BudgetWindow, limit: number, retryAfterMs: number) {
    super(`the ${limit} failed lookups of the ${window} are used up`)
    this.plan = plan
    this.window = window
    this.limit = limit
    this.retryAfterMs = retryAfterMs
  }
}

/** By the id of the plan. */
export type LookupLimits = Readonly<
  Record<string, { readonly failedLookupsPerMinute: number; readonly failedLookupsPerDay: number }>
>

export interface LookupBudget {
  /**
   * Runs `ask` with a lookup of the account's budget. The lookup is spent if `ask` found nothing, or if the client disconnected before it
   * ended. Otherwise it serves the next query.
   *
   * @throws {LookupBudgetExceeded} when none is left; then `ask` did not run
   */
  spend<T>(
    accountId: string,
    asking: QueryContext,
    isMiss: (answer: T) => boolean,
    ask: () => Promise<T>,
  ): Promise<T>
  /** Spends a lookup, if one is left, because an entry of a job has failed. */
  charge(accountId: string, asking: QueryContext): Promise<void>
  /** Spends this many lookups, as far as they are left, without waiting: a call had their results and did not pay. */
  chargeUnpaid(accountId: string, count: number): Promise<void>
  /** Returns unused lookups of this process to the database. */
  drain(): Promise<void>
}

/** A lookup that may be made until its minute ends. */
interface LookupPermit {
  /** The ends of its minute and its day on the database's clock. */
  readonly ends: readonly [minute: Date, day: Date]
  /** On this process's monotonic clock, in milliseconds. Never later than the true end. */
  readonly validUntil: number
}

interface AccountPermits {
  readonly free: LookupPermit[]
  /** Lookups that are running in this process. */
  underWay: number
  /** Running lookups, and those that wait for a permit. */
  users: number
  usedAt: number
  /** Called when a running lookup has ended. */
  readonly waiting: Set<() => void>
}

interface LookupBudgetRow {
  readonly account_id: string
  readonly taken: number
  readonly plan: string
  /** The number of the window with the fewest lookups left, from 1. */
  readonly bound: 1 | 2
  readonly limits: readonly number[]
  readonly ends: readonly [minute: Date, day: Date]
  /** Milliseconds until each window ends. */
  readonly left_ms: readonly number[]
}

const WINDOWS = ['minute', 'day'] as const satisfies BudgetWindow[]
const { perMinute: MINUTE, perDay: DAY } = WINDOW_SECONDS
const KIND = 'failed_lookups'

// The commit does not wait for the disk. A crash of the database itself may forget what was taken in its last moment, and the locks last
// only as long as the statement.
const SOON = "set_config('synchronous_commit', 'off', true)"

// Accounts are locked in the order of their ids, so that no two processes deadlock.
const TAKE = `
  select w.*, t.* from ${SOON},
    (select a.id as account_id, a.plan, u.wanted, array[p.minute, p.day] as limits
      from unnest($1::uuid[], $2::integer[]) as u (id, wanted) join accounts a on a.id = u.id
        join unnest($3::text[], $4::integer[], $5::integer[]) as p (plan, minute, day) on p.plan = a.plan::text
      order by a.id offset 0) as w,
    take_budgets(w.wanted, array['${KIND}', '${KIND}'], array[w.account_id::text, w.account_id::text],
      array[${MINUTE}, ${DAY}], w.limits) as t`
const GIVE_BACK = `select give_back_budgets('${KIND}', $1, $2, $3) from ${SOON}`
const TAKEN_AT_A_TIME = 256
/** After this time without a lookup of the account, its unused lookups return to the database. Milliseconds. */
const IDLE_MS = 1_000

export function createLookupBudget(database: Database, limits: LookupLimits): LookupBudget {
  const purses = new Map<string, AccountPermits>()
  const plans = Object.keys(limits)
  const perMinute = Object.values(limits).map(({ failedLookupsPerMinute: most }) => most)
  const perDay = Object.values(limits).map(({ failedLookupsPerDay: most }) => most)
  let timer: NodeJS.Timeout | undefined

  const takeShared = batch<string, LookupPermit | LookupBudgetExceeded>(TAKEN_AT_A_TIME, async (group) => {
    const wanted = new Map<string, number>()
    for (const id of group) wanted.set(id, (wanted.get(id) ?? 0) + 1)
    const ids = [...wanted.keys()].sort()
    const from = performance.now()
    const { rows } = await database.query<LookupBudgetRow>(
      TAKE,
      [ids, ids.map((id) => wanted.get(id)), plans, perMinute, perDay],
      { name: 'take_lookups' },
    )
    const found = new Map(rows.map((row) => [row.account_id, { row, left: row.taken }]))
    return group.map((id) => {
      const account = found.get(id)!
      const { row } = account
      const at = row.bound - 1
      if (account.left-- <= 0)
        return new LookupBudgetExceeded(
          row.plan,
          WINDOWS[at]!,
          row.limits[at]!,
          Math.max(1, row.left_ms[at]!),
        )
      return { ends: row.ends, validUntil: from + row.left_ms[0]! }
    })
  })

  async function take(accountId: string, purse: AccountPermits, asking: QueryContext): Promise<LookupPermit> {
    for (;;) {
      const free = findFree(purse)
      const taken = free ?? (await takeShared(accountId))
      if (!(taken instanceof LookupBudgetExceeded)) {
        if (free) remove(purse, free)
        // Counted immediately, so that a call that is refused at the same moment sees it.
        purse.underWay++
        return taken
      }
      if (findFree(purse)) continue
      // A lookup that is running here may find something, and is then free again.
      if (purse.underWay === 0) throw taken
      await orAborted(untilOneEnds(purse), asking.signal)
    }
  }

  async function spend<T>(
    accountId: string,
    asking: QueryContext,
    isMiss: (answer: T) => boolean,
    ask: () => Promise<T>,
  ): Promise<T> {
    const purse = purseOf(accountId)
    purse.users++
    let permit: LookupPermit
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

  function purseOf(accountId: string): AccountPermits {
    let purse = purses.get(accountId)
    if (!purse) {
      purse = { free: [], underWay: 0, users: 0, usedAt: 0, waiting: new Set() }
      purses.set(accountId, purse)
    }
    purse.usedAt = performance.now()
    timer ??= setInterval(() => void giveBack(IDLE_MS).catch(() => {}), IDLE_MS).unref()
    return purse
  }

  /**
   * Returns lookups that are idle or belong to a minute that has ended. If it fails, the account has that much less in this minute and day.
   */
  async function giveBack(idleMs: number): Promise<void> {
    const now = performance.now()
    const back: { accountId: string; permit: LookupPermit }[] = []
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
    const windows = back.flatMap(({ accountId, permit: { ends } }) => [
      { accountId, seconds: MINUTE, end: ends[0] },
      { accountId, seconds: DAY, end: ends[1] },
    ])
    const values = [
      windows.map(({ accountId }) => accountId),
      windows.map(({ seconds }) => seconds),
      windows.map(({ end }) => end),
    ]
    await database.query(GIVE_BACK, values, { name: 'give_lookups_back' })
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

function remove(purse: AccountPermits, taken: LookupPermit): void {
  purse.free.splice(purse.free.indexOf(taken), 1)
}

function findFree({ free }: AccountPermits): LookupPermit | undefined {
  const now = performance.now()
  return free.find(({ validUntil }) => validUntil > now)
}

function untilOneEnds(purse: AccountPermits): Promise<void> {
  return new Promise((resolve) => {
    purse.waiting.add(resolve)
  })
}

const USED = `
  select seconds, taken from budgets where kind = '${KIND}' and subject = $1 and ends_at > now()`

/** The part of its budget that an account has used. */
export async function findLookupsUsed(
  database: Database,
  accountId: string,
): Promise<Readonly<Record<BudgetWindow, number>>> {
  const { rows } = await database.query<{ seconds: number; taken: number }>(USED, [accountId], {
    name: 'lookups_used',
  })
  const usedIn = (length: number) => rows.find(({ seconds }) => seconds === length)?.taken ?? 0
  return { minute: usedIn(MINUTE), day: usedIn(DAY) }
}

export interface PlanLookups {
  readonly plan: string
  /** The sum of all accounts of the plan. */
  readonly used: Readonly<Record<BudgetWindow, number>>
  /** The largest use by one account. */
  readonly largest: Readonly<Record<BudgetWindow, number>>
}

// Only accounts with a failed lookup within the day are read.
const BY_PLAN = `
  select a.plan,
    coalesce(sum(taken) filter (where seconds = ${MINUTE}), 0) as minute,
    coalesce(sum(taken) filter (where seconds = ${DAY}), 0) as day,
    coalesce(max(taken) filter (where seconds = ${MINUTE}), 0) as most_minute,
    coalesce(max(taken) filter (where seconds = ${DAY}), 0) as most_day
  from budgets b join accounts a on a.id = b.subject::uuid
  where b.kind = '${KIND}' and b.ends_at > now()
  group by a.plan`

/** For the metrics, which do not show the account. */
export async function findLookupsByPlan(database: Database): Promise<PlanLookups[]> {
  const { rows } = await database.query<{
    plan: string
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
