// A simple model of the ledger: the effect of each operation on an account, in a few lines of arithmetic without a database. The
// model test compares the ledger with it.

import type { OperationId } from '@lotline/contract'

export interface Call {
  readonly account: number
  /** Whose price it is. */
  readonly operation: OperationId
  readonly mode: 'free' | 'call' | 'row'
  readonly units: number
  readonly price: number
  readonly minimum: number
}

export type Operation =
  | { readonly op: 'top up'; readonly account: number; readonly amount: number }
  | { readonly op: 'adjust'; readonly account: number; readonly amount: number }
  | { readonly op: 'charge'; readonly calls: readonly Call[] }
  | {
      readonly op: 'hold'
      readonly account: number
      readonly job: number
      readonly wanted: number
      readonly least: number
    }
  | { readonly op: 'grow'; readonly account: number; readonly job: number; readonly by: number }
  | {
      readonly op: 'settle'
      readonly account: number
      readonly job: number
      readonly costs: readonly [number, number]
    }
  | { readonly op: 'release'; readonly account: number; readonly job: number }
  /** Lets the account's cycle end, `missed` cycles ago less one. */
  | { readonly op: 'time passes'; readonly account: number; readonly missed: number }
  | { readonly op: 'renew'; readonly account: number }
  /** A change of plan that waits for the end of the cycle. Not possible where the plan does not renew. */
  | { readonly op: 'wait'; readonly account: number; readonly terms: Terms }
  /** A change of plan that begins a cycle at once. */
  | { readonly op: 'change'; readonly account: number; readonly terms: Terms }

export interface Terms {
  readonly credits: number
  readonly months: 1 | 12 | null
}

interface ModelHold {
  amount: number
  expiring: number
  state: 'open' | 'settled' | 'released'
  charged: number
}

/** The visible state of an account, compared after each operation. */
export interface AccountState {
  readonly balance: number
  readonly held: number
  readonly grant_left: number
  readonly expiring: number
  readonly granted_this_cycle: number
  readonly holds: readonly (readonly [
    job: number,
    amount: number,
    expiring: number,
    state: string,
    charged: number,
  ])[]
}

export class ModelAccount {
  #grant = 0
  #granted = 0
  #toppedUp = 0
  #due = false
  #terms: Terms
  #next: Terms | undefined
  #hadSingleGrant = false
  readonly #holds = new Map<number, ModelHold>()

  constructor(terms: Terms) {
    this.#terms = terms
    this.#beginCycle()
  }

  /** Oldest first: in the model test all are made in one transaction, and then the database goes by their ids. */
  get #open(): ModelHold[] {
    return [...this.#holds]
      .sort(([one], [other]) => one - other)
      .map(([, hold]) => hold)
      .filter(({ state }) => state === 'open')
  }

  get #held(): number {
    return sum(this.#open.map(({ amount }) => amount))
  }

  get #expiring(): number {
    return sum(this.#open.map(({ expiring }) => expiring))
  }

  get #available(): number {
    return this.#grant + this.#toppedUp + this.#expiring - this.#held
  }

  get state(): AccountState {
    return {
      balance: this.#grant + this.#toppedUp + this.#expiring,
      held: this.#held,
      grant_left: this.#grant,
      expiring: this.#expiring,
      granted_this_cycle: this.#granted,
      holds: [...this.#holds]
        .map(
          ([job, { amount, expiring, state, charged }]) => [job, amount, expiring, state, charged] as const,
        )
        .sort(([one], [other]) => one - other),
    }
  }

  topUp(amount: number): string {
    this.#toppedUp += amount
    return 'topped up'
  }

  adjust(amount: number): string {
    this.renew()
    if (this.#available + amount < 0) return 'insufficient'
    if (amount > 0) this.#toppedUp += amount
    else {
      // Top-ups go first.
      const fromGrant = Math.max(0, -amount - this.#toppedUp)
      this.#toppedUp -= -amount - fromGrant
      this.#grant -= fromGrant
    }
    return 'adjusted'
  }

  /** The result of the call: verdict, units, credits. */
  charge({ mode, units, price, minimum }: Call): [string, number, number] {
    if (mode === 'free') return ['settled', 0, 0]
    if (mode === 'call') {
      if (this.#available < price) return ['insufficient', 0, 0]
      this.#spend(price)
      return ['settled', units, price]
    }
    const granted = price === 0 ? units : Math.min(units, Math.floor(this.#available / price))
    const cost = Math.max(minimum, granted * price)
    if (cost > this.#available || (granted === 0 && units > 0)) return ['insufficient', 0, 0]
    this.#spend(cost)
    return ['settled', granted, cost]
  }

  place(job: number, wanted: number, least: number): string {
    this.renew()
    const before = this.#holds.get(job)
    if (before) return `repeated ${before.amount}`
    // The last credit stays, and one that costs nothing needs none.
    const amount = Math.min(wanted, Math.max(0, this.#available - 1))
    if (amount < least || amount < Math.min(wanted, 1)) return 'insufficient 0'
    this.#holds.set(job, { amount, expiring: 0, state: 'open', charged: 0 })
    return `held ${amount}`
  }

  grow(job: number, by: number): string {
    const hold = this.#holds.get(job)
    if (!hold) return 'error'
    this.renew()
    if (hold.state !== 'open') return 'closed 0'
    const step = Math.min(by, this.#available - 1)
    if (step < 1) return 'insufficient 0'
    hold.amount += step
    return `grown ${step}`
  }

  close(job: number, cost: number, state: 'settled' | 'released'): string {
    const hold = this.#holds.get(job)
    if (!hold || (hold.state === 'open' && cost > hold.amount)) return 'error'
    this.renew()
    if (hold.state !== 'open') return `${hold.state} ${hold.charged}`
    const old = Math.min(hold.expiring, cost)
    this.#spend(cost - old)
    Object.assign(hold, { state, charged: cost, expiring: 0 })
    return `closed ${cost}`
  }

  letTimePass(): string {
    if (this.#terms.months === null) return 'no cycle'
    this.#due = true
    return 'passed'
  }

  renew(): boolean {
    if (!this.#due) return false
    this.#due = false
    this.#terms = this.#next ?? this.#terms
    this.#next = undefined
    this.#beginCycle()
    return true
  }

  wait(terms: Terms): string {
    if (this.#terms.months === null) return 'no cycle'
    this.#next = terms
    return 'waiting'
  }

  change(terms: Terms): string {
    this.#next = undefined
    this.#due = false
    this.#terms = terms
    this.#beginCycle()
    return 'changed'
  }

  #spend(credits: number): void {
    const fromGrant = Math.min(this.#grant, credits)
    this.#grant -= fromGrant
    this.#toppedUp -= credits - fromGrant
  }

  #beginCycle(): void {
    let kept = this.#grant - Math.min(this.#grant, this.#available)
    for (const hold of this.#open) {
      const share = Math.min(kept, hold.amount - hold.expiring)
      hold.expiring += share
      kept -= share
    }
    const single = this.#terms.months === null
    this.#grant = this.#granted = single && this.#hadSingleGrant ? 0 : this.#terms.credits
    this.#hadSingleGrant ||= single
  }
}

/** Carries an operation out and returns its result. */
export function apply(accounts: readonly ModelAccount[], operation: Operation): unknown {
  if (operation.op === 'charge') {
    for (const { account } of operation.calls) accounts[account]!.renew()
    return operation.calls.map((call) => accounts[call.account]!.charge(call))
  }
  const account = accounts[operation.account]!
  switch (operation.op) {
    case 'top up':
      return account.topUp(operation.amount)
    case 'adjust':
      return account.adjust(operation.amount)
    case 'hold':
      return account.place(operation.job, operation.wanted, operation.least)
    case 'grow':
      return account.grow(operation.job, operation.by)
    case 'settle':
      return account.close(operation.job, sum(operation.costs), 'settled')
    case 'release':
      return account.close(operation.job, 0, 'released')
    case 'time passes':
      return account.letTimePass()
    case 'renew':
      return account.renew()
    case 'wait':
      return account.wait(operation.terms)
    case 'change':
      return account.change(operation.terms)
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
