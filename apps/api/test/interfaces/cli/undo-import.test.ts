// `lotline listings revert` and `lotline credits refund --events-of`, as an operator runs them.

import { beforeAll, beforeEach, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { importLogged, listingsOf } from '../../work/watches/undo-tools.ts'
import { homes, type TestWatch, watchTools } from '../../work/watches/watch-tools.ts'
import { jsonOf, type Lotline, lotlineWith } from './run-lotline.ts'

const test = withTestDatabase()
const database = () => test.database
const { empty, watch, evaluate, eventsOf, availableOf } = watchTools(database)
let lotline: Lotline
let watching: TestWatch
let bad: number
let before: readonly object[]

beforeAll(() => {
  lotline = lotlineWith({ DATABASE_URL: test.url, LOTLINE_OPERATOR: 'ana' })
})

beforeEach(async () => {
  await empty()
  await database().query('truncate replaced_listings, watch_transitions')
  await importLogged(database(), homes(1, 3))
  before = await listingsOf(database())
  watching = await watch()
  await evaluate()
  bad = await importLogged(database(), homes(1, 3, { price: 1 }))
  expect(await evaluate()).toBe(2)
})

const actions = async () =>
  (await database().query('select action, object from operator_actions where object = $1', [`import ${bad}`]))
    .rows

it('listings revert --dry-run says what the undo would do, and changes nothing', async () => {
  const changed = await listingsOf(database())
  expect(await jsonOf(lotline, 'listings', 'revert', String(bad), '--dry-run')).toMatchObject({
    dry_run: true,
    import: bad,
    revert: null,
    restored: 2,
    changed_later: 0,
    retracted_events: 2,
    watches: 1,
    refunded_credits: 2,
  })
  const { code, stdout } = await lotline('listings', 'revert', String(bad), '--dry-run')
  expect(code).toBe(0)
  expect(stdout).toContain(`Nothing was written. Undoing import ${bad} would give:`)
  expect(stdout).toMatch(/retracted events +2 of 1 watches\nrefunded +2 credits to 1 accounts/)
  expect(await listingsOf(database())).toEqual(changed)
  expect(await eventsOf(watching)).toHaveLength(2)
  expect(await availableOf(watching.accountId)).toBe(100_000 - 2)
  expect(await actions()).toEqual([])
})

it('listings revert restores the homes, retracts and refunds the events, and is refused the second time', async () => {
  const { code, stdout } = await lotline('listings', 'revert', String(bad))
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^Import ${bad} is undone, as import \\d+\\.\n`))
  expect(await listingsOf(database())).toEqual(before)
  expect(await eventsOf(watching)).toHaveLength(4)
  expect(await availableOf(watching.accountId)).toBe(100_000)
  expect(await actions()).toEqual([{ action: 'listings.revert', object: `import ${bad}` }])
  expect(await lotline('listings', 'revert', String(bad))).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `lotline: Import ${bad} was undone before. Nothing was changed.\n`,
  })
  expect(await lotline('listings', 'revert', '999999')).toMatchObject({
    code: 1,
    stderr: 'lotline: There is no import 999999. List the imports: `lotline listings imports`.\n',
  })
})

it('credits refund --events-of refunds the events of an import once, and says that an unknown import does not exist', async () => {
  const refund = (id: number) => lotline('credits', 'refund', '--events-of', String(id))
  expect((await refund(bad)).stdout).toMatch(/refunded +2 credits\nevents +2\naccounts +1\n/)
  expect((await refund(bad)).stdout).toContain('or they were all refunded before. Nothing was changed.')
  expect(await refund(999_999)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'lotline: There is no import 999999. List the imports: `lotline listings imports`.\n',
  })
  expect(await eventsOf(watching)).toHaveLength(2)
  expect(await availableOf(watching.accountId)).toBe(100_000)
})
