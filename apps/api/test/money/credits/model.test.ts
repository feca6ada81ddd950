// The ledger against a model of it: random histories of grants, top-ups, calls, holds, settlements, releases, renewals and
// changes of plan, compared after every single operation. At the end the audit must find nothing.

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { driftOf } from './drift.ts'
import {
  type AccountState,
  apply,
  type Call,
  ModelAccount,
  type Operation,
  type Terms,
} from './ledger-model.ts'

const FULL = process.env.LOTLINE_FULL === '1'
const OPERATIONS_PER_RUN = 200
/** 100,000 operations in the full form, 10,000 in the short one. */
const RUNS = FULL ? 500 : 50
const ACCOUNTS = 2
/** Jobs of an account that are spoken of in the same stretch of a history. */
const JOBS_AT_A_TIME = 4
const STRETCH = 40
const JOBS = 32

const testDatabase = withTestDatabase()

beforeAll(async () => {
  await testDatabase.database.query(await readFile(join(import.meta.dirname, 'run-operations.sql'), 'utf8'))
})

const account = fc.nat(ACCOUNTS - 1)
const job = fc.nat(JOBS_AT_A_TIME - 1)
// Small figures, so that accounts are nearly empty most of the time: that is where the mistakes are.
const few = fc.oneof({ weight: 4, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: fc.nat(60) })
const some = few.map((n) => n + 1)
const terms: fc.Arbitrary<Terms> = fc.record({ credits: few, months: fc.constantFrom(1, 1, 1, 12, null) })

const priced: fc.Arbitrary<Omit<Call, 'account' | 'units'>> = fc.constantFrom(
  { operation: 'getAccount', mode: 'free', price: 0, minimum: 0 },
  { operation: 'getProperty', mode: 'call', price: 1, minimum: 1 },
  { operation: 'getPropertyByAddress', mode: 'call', price: 3, minimum: 3 },
  { operation: 'searchListings', mode: 'row', price: 1, minimum: 1 },
  { operation: 'createPropertyBatch', mode: 'row', price: 1, minimum: 0 },
)
const call: fc.Arbitrary<Call> = fc
  .tuple(account, priced, few)
  .map(([account, facts, units]) => ({ account, ...facts, units: facts.mode === 'call' ? 1 : units }))

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ op: fc.constant('top up'), account, amount: some }) },
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('charge'),
      calls: fc.array(call, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constant('hold'), account, job, wanted: few, least: fc.nat(2) }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('grow'), account, job, by: some }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('settle'), account, job, costs: fc.tuple(fc.nat(3), fc.nat(3)) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('release'), account, job }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('adjust'),
      account,
      amount: fc.integer({ min: -12, max: 12 }).filter((amount) => amount !== 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('time passes'),
      account,
      missed: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('renew'), account }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('wait'), account, terms }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('change'), account, terms }) },
) as fc.Arbitrary<Operation>

/** A hold that is closed stays closed, so each stretch of a history speaks of jobs of its own, and the one before's. */
function withFreshJobs(operations: readonly Operation[]): Operation[] {
  return operations.map((one, n) =>
    'job' in one ? { ...one, job: one.job + Math.floor(n / STRETCH) * (JOBS_AT_A_TIME - 1) } : one,
  )
}

interface ModelOutcome {
  readonly said: unknown
  readonly accounts: readonly AccountState[]
}

async function run(firstTerms: readonly Terms[], operations: readonly Operation[]): Promise<ModelOutcome[]> {
  const { database } = testDatabase
  const opened = []
  for (const { credits } of firstTerms) opened.push(await openAccount(database, { plan: 'custom', credits }))
  // Ids that sort as the jobs are numbered.
  const jobs = firstTerms.flatMap(() =>
    Array.from({ length: JOBS }, (_, job) => String(job).padStart(8, '0') + randomUUID().slice(8)),
  )
  const { rows } = await database.query<{ outcome: ModelOutcome }>(
    'select run_operations($1, $2, $3, $4) as outcome',
    [opened.map(({ accountId }) => accountId), opened[0]!.keyId, jobs, JSON.stringify(operations)],
  )
  return rows.map(({ outcome }) => outcome)
}

describe('the ledger', () => {
  it(`matches the model for every account in ${RUNS} random histories of ${OPERATIONS_PER_RUN} operations`, {
    timeout: 600_000,
  }, async () => {
    const firstTerms = fc.tuple(
      ...Array.from({ length: ACCOUNTS }, () => fc.record({ credits: few, months: fc.constant(1 as const) })),
    )
    const history = fc
      .array(operation, { minLength: OPERATIONS_PER_RUN, maxLength: OPERATIONS_PER_RUN, size: 'max' })
      .map(withFreshJobs)
    let operations = 0
    await fc.assert(
      fc.asyncProperty(firstTerms, history, async (first, list) => {
        operations += list.length
        const model = first.map((terms) => new ModelAccount(terms))
        const outcomes = await run(first, list)
        for (const [n, one] of list.entries()) {
          const said = apply(model, one)
          const expected: ModelOutcome = { said, accounts: model.map(({ state }) => state) }
          if (isDeepStrictEqual(outcomes[n], expected)) continue
          expect(outcomes[n], `operation ${n}: ${JSON.stringify(one)}`).toEqual(expected)
        }
      }),
      { numRuns: RUNS },
    )
    expect(operations).toBe(RUNS * OPERATIONS_PER_RUN)
    expect(await driftOf(testDatabase.database)).toEqual([])
  })
})
