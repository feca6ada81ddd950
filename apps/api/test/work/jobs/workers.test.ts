// Jobs whose worker is killed, paused, or stopped. The workers are real processes, the provider is queried over real HTTP, and the test
// checks all queries and writes.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { toSearchStatus } from '../../../src/domain/record/status-of.ts'
import { topUp } from '../../../src/money/accounts/top-up.ts'
import type { TestProcess } from '../../setup/child-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { expectNothingAskedAgain } from './asked-again.ts'
import { BOX, expectWholeRows, getJob, startBuildingJob, startJob, until } from './job-calls.ts'
import { findJobStates, findLeases, findStoredWork, type JobState, letLeasesRunOut } from './job-leases.ts'
import { withProviderStub } from './provider-stub.ts'
import { BUILDINGS, HOMES, SAMPLE } from './sample-homes.ts'
import { startWorker } from './worker-process.ts'

const FULL = Boolean(process.env.LOTLINE_FULL)
const KILLS = FULL ? 12 : 2

const SOLE_PROCESS = HOMES.slice(0, 160)
const BUILDING = BUILDINGS[0]!
/** More than one query returns (SEARCH_CAP of http-provider.ts), so that the search is divided into tiles. */
const FOR_SALE = 1_040
const CHAINED = 100
const LISTED = SAMPLE.filter(
  (record) =>
    toSearchStatus(record.homeStatus) === 'for_sale' && !(record as { isBuilding?: boolean }).isBuilding,
)
const RECORDS: readonly Property[] = [...SAMPLE, ...smallHomes(FOR_SALE - LISTED.length)]

/** Homes for sale, all over the country. Without photos and history, so that sending a thousand of them is cheap. */
function smallHomes(count: number): Property[] {
  const { address = null, homeType = null } = LISTED[0]!
  return Array.from({ length: count }, (_, at) => ({
    zpid: String(900_000_000 + at),
    address,
    homeType,
    homeStatus: 'FOR_SALE',
    price: 100_000 + at,
    latitude: 30 + (at % 40) / 3,
    longitude: -120 + at / 20,
  }))
}
const END_LOCK = 4711

const testDatabase = withTestDatabase()
const provider = withProviderStub(RECORDS)
/** Lets a receiver on this machine get the events of jobs. */
const WEBHOOKS = {
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on',
  SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64'),
}
const server = withTestServer(testDatabase, {
  env: {
    ...WEBHOOKS,
    PROVIDER: 'http',
    get PROVIDER_URL() {
      return provider.url
    },
  },
})

let key = ''
beforeAll(async () => {
  key = (await server.openAccount({ credits: 1_000_000 })).key
  const webhook = await server.post('/v1/webhooks', { url: `${provider.url}/hook` }, { key })
  expect(webhook.status, webhook.text).toBe(201)
  // The database itself counts each end of a job.
  await testDatabase.database.query(`
    create table job_ends (job_id uuid not null, status text not null);
    create function note_end() returns trigger language plpgsql as $$
    begin
      -- Held by a test that has a worker lost at this point.
      perform pg_advisory_xact_lock_shared(${END_LOCK});
      insert into job_ends values (new.id, new.status);
      return new;
    end $$;
    create trigger note_end after update on jobs for each row
      when (old.completed_at is null and new.completed_at is not null) execute function note_end()`)
})
const statesOf = (ids: readonly string[]) => findJobStates(testDatabase.database, ids)
const leasesOf = (ids: readonly string[]) => findLeases(testDatabase.database, ids)
const endLeases = (leases: readonly string[]) => letLeasesRunOut(testDatabase.database, leases)

/**
 * By default with a lease that no test waits for: `endLeases` takes it away. So a worker that lives never loses one,
 * however busy the machine is, and a worker that is killed loses its own at once.
 */
const worker = (leaseMs = 600_000): Promise<TestProcess> =>
  startWorker({ databaseUrl: testDatabase.url, providerUrl: provider.url, leaseMs, env: WEBHOOKS })

const sentOf = ({ address }: Property): string =>
  `${address!.streetAddress}, ${address!.city}, ${address!.state} ${address!.zipcode}`

const startBatch = async () =>
  (await startJob(server, '/v1/properties/batch', { addresses: SOLE_PROCESS.map(sentOf) }, { key })).id

/** One job of each type, each long enough to be caught at work. */
async function startAll(): Promise<string[]> {
  const exhaustive = { extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
  const forSale = { filters: { status: 'for_sale', bbox: BOX } }
  const sold = { filters: { status: 'sold', bbox: BOX }, maxItems: CHAINED }
  return [
    await startBatch(),
    (await startJob(server, '/v1/search', { ...forSale, ...exhaustive }, { key })).id,
    (await startJob(server, '/v1/search/with-details', sold, { key })).id,
    (await startBuildingJob(server, BUILDING.url, { key })).id,
  ]
}

/** Starts jobs while `other` sleeps, so that the other worker claims them. `leases` are that one's. */
async function startHeldBy(
  other: TestProcess,
  start: () => Promise<string[]>,
): Promise<{ ids: string[]; leases: string[] }> {
  other.kill('SIGSTOP')
  const ids = await start()
  await until(
    () => statesOf(ids),
    (states) => states.every(({ leased, status }) => leased || status === 'succeeded'),
  )
  const leases = await leasesOf(ids)
  other.kill('SIGCONT')
  return { ids, leases }
}

function untilSucceeded(ids: readonly string[]): Promise<JobState[]> {
  return until(
    () => statesOf(ids),
    (states) => {
      const lost = states.find(({ status }) => ['failed', 'timed_out', 'aborted'].includes(status))
      if (lost) throw new Error(`A job was lost: ${JSON.stringify(lost)}`)
      return states.every(({ status }) => status === 'succeeded')
    },
  )
}

/** One end, one event, one charge for each stage, rows without gaps or doubles. */
async function expectDoneOnce(ids: readonly string[]): Promise<void> {
  const { database } = testDatabase
  const counts = [SOLE_PROCESS.length, FOR_SALE, CHAINED, BUILDING.units.length + 1]
  for (const [at, id] of ids.entries()) {
    await expectWholeRows(database, id, counts[at]!)
    const ends = await database.query('select status from job_ends where job_id = $1', [id])
    expect(ends.rows).toEqual([{ status: 'succeeded' }])
    const events = await database.query('select type from webhook_events where subject_id = $1', [id])
    expect(events.rows).toEqual([{ type: 'job.succeeded' }])
    await until(
      async () => provider.told.filter((body) => JSON.parse(body).data.job.id === id).length,
      (told) => told > 0,
    )
    const charges = await database.query<{ amount: number }>(
      `select amount from postings where job_id = $1 and kind = 'charge' order by id`,
      [id],
    )
    const wanted = [[SOLE_PROCESS.length], [FOR_SALE], [CHAINED, CHAINED], [BUILDING.units.length]]
    expect(charges.rows.map(({ amount }) => -amount)).toEqual(wanted[at])
    const releases = await database.query(`select 1 from postings where job_id = $1 and kind = 'release'`, [
      id,
    ])
    expect(releases.rows.length).toBeLessThanOrEqual(1)
  }
}

describe('a killed worker', () => {
  it(`loses no data of any job type: the next worker resumes from the last checkpoint, over ${KILLS} kills`, async () => {
    provider.delays = {
      findPropertyByAddress: 30,
      findPropertyByZpid: 30,
      searchArea: 40,
      findBuildingUnits: 450,
    }
    let [holder, other] = await Promise.all([worker(), worker()])
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill > 0) other = await worker()
      await testDatabase.database.query('delete from cached_records')
      provider.asked.length = 0
      const { ids, leases } = await startHeldBy(other, startAll)
      await sleep(Math.random() * 750)
      holder.kill('SIGKILL')
      await holder.exited
      const before = provider.asked.splice(0)
      const states = await findStoredWork(testDatabase.database, ids)
      await endLeases(leases)

      await untilSucceeded(ids)
      expectNothingAskedAgain(states, before, provider.asked, SOLE_PROCESS)
      await expectDoneOnce(ids)
      for (const [at, { crashes }] of (await statesOf(ids)).entries()) {
        expect(crashes).toBe(states[at]!.leased ? 1 : 0)
      }
      holder = other
    }
  }, 180_000)
})

describe('a worker that is lost after the last paid row, before the end of its job', () => {
  it('leaves a batch and a building that are charged and returned as cut, even after a top-up', async () => {
    const batch = await server.openAccount({ credits: 5 })
    const building = await server.openAccount({ credits: 5 })
    const withUnits = { urls: [BUILDING.url], extractBuildingUnits: 'all' }
    const doomed = await worker()
    const ids = await withoutEnds(async () => {
      const started = [
        await startJob(server, '/v1/properties/batch', withUnits, { key: batch.key }),
        await startBuildingJob(server, BUILDING.url, { key: building.key }),
      ]
      const ids = started.map(({ id }) => id)
      await until(
        () => statesOf(ids),
        (states) => states.every(({ row_count }) => row_count > 0),
      )
      doomed.kill('SIGKILL')
      await doomed.exited
      return ids
    })
    await endLeases(await leasesOf(ids))
    for (const { accountId } of [batch, building]) await topUp(testDatabase.database, accountId, 1_000)
    await worker()
    await untilSucceeded(ids)
    for (const [at, { key }] of [batch, building].entries()) {
      expect(await getJob(server, key, ids[at]!)).toMatchObject({
        result_count: 5,
        credits_charged: 4,
        truncated_by: 'credits',
      })
      await expectWholeRows(testDatabase.database, ids[at]!, 5)
    }
  })
})

/** While `work` goes on, no job can end: a transaction that tries waits. */
const withoutEnds = <T>(work: () => Promise<T>): Promise<T> =>
  testDatabase.database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [END_LOCK])
    return work()
  })

describe('a paused worker', () => {
  it('that wakes after losing its lease writes nothing', async () => {
    provider.delays = { findPropertyByAddress: 400 }
    const [paused, other] = await Promise.all([worker(), worker()])
    const { ids, leases } = await startHeldBy(other, async () => [await startBatch()])
    await until(
      () => statesOf(ids),
      ([state]) => state!.row_count > 0,
    )
    paused.kill('SIGSTOP')
    provider.delays = {}
    expect((await statesOf(ids))[0]).toMatchObject({ status: 'running', leased: true })
    await endLeases(leases)
    await untilSucceeded(ids)
    const whole = () =>
      testDatabase.database.query(
        `select (select row_to_json(j)::text from jobs j where id = $1) as job,
           (select md5(string_agg(body, '' order by position)) from job_rows where job_id = $1) as rows,
           (select count(*) from postings) as postings, (select json_agg(u)::text from usage_rows u where job_id = $1) as usage`,
        [ids[0]],
      )
    const before = (await whole()).rows
    paused.kill('SIGCONT')
    await paused.line(/lost a lease/)
    await sleep(300)
    expect((await whole()).rows).toEqual(before)
    expect((await statesOf(ids))[0]).toMatchObject({
      status: 'succeeded',
      row_count: SOLE_PROCESS.length,
      crashes: 1,
    })
  })
})

describe('a stopped worker', () => {
  it('returns its jobs immediately, without data loss or a counted crash, and another worker continues', async () => {
    provider.delays = { findPropertyByAddress: 400 }
    const [stopped, other] = await Promise.all([worker(), worker()])
    const { ids } = await startHeldBy(other, async () => [await startBatch()])
    await until(
      () => statesOf(ids),
      ([state]) => state!.row_count > 0,
    )
    provider.asked.length = 0
    stopped.kill('SIGTERM')
    provider.delays = {}
    expect(await stopped.exited).toEqual({ code: 0, signal: null })
    await untilSucceeded(ids)
    expect((await statesOf(ids))[0]).toMatchObject({ row_count: SOLE_PROCESS.length, crashes: 0 })
    await expectWholeRows(testDatabase.database, ids[0]!, SOLE_PROCESS.length)
    other.kill('SIGTERM')
    await other.exited
  })

  it('a worker process serves only its health routes', async () => {
    const alone = await worker()
    const [, url] = await alone.line(/health is at (http:\S+)\/healthz/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })
    const answer = await fetch(`${url}/v1/jobs`, { headers: { authorization: `Bearer ${key}` } })
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      'not_found',
    ])
    alone.kill('SIGTERM')
    expect((await alone.exited).code).toBe(0)
  })
})

if (FULL) {
  it('a job whose worker is killed three times fails, and is free', async () => {
    provider.delays = { findPropertyByAddress: 400 }
    const { rows: before } = await testDatabase.database.query('select balance from accounts')
    const id = await startBatch()
    for (let crash = 1; crash <= 3; crash++) {
      const doomed = await worker()
      await until(
        () => statesOf([id]),
        ([state]) => state!.leased,
      )
      doomed.kill('SIGKILL')
      await doomed.exited
      await endLeases(await leasesOf([id]))
      const sweeper = server.app.jobs.start({ work: false })
      await until(
        () => statesOf([id]),
        ([state]) => state!.crashes === crash,
      )
      await until(
        () => statesOf([id]),
        ([state]) => crash < 3 || state!.status === 'failed',
      )
      await sweeper.stop()
    }
    const { rows } = await testDatabase.database.query('select balance from accounts')
    expect(rows).toEqual(before)
  })

  it.runIf(FULL)(
    'a job of a killed worker is claimed again within 45 seconds with the default lease',
    async () => {
      provider.delays = { findPropertyByAddress: 1500 }
      const [doomed, other] = await Promise.all([worker(30_000), worker(30_000)])
      const { ids } = await startHeldBy(other, async () => [await startBatch()])
      doomed.kill('SIGKILL')
      await doomed.exited
      await until(
        () => statesOf(ids),
        ([state]) => state!.crashes === 1 && state!.leased,
        45_000,
      )
    },
    90_000,
  )
}
