// The Python client, tested by its own tests on the oldest and the newest Python of this machine, by mypy and pyright, and
// beside the TypeScript client.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorStatuses, operationIds, operations } from '@lotline/contract'
import { installVenv, type RunningService, runProgram, startService } from '@lotline/generators'
import { DEMO_KEY, type Mock, startMock } from '@lotline/mock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FAULTS, type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { findPythons } from './find-pythons.ts'
import { openInEditor } from './language-server.ts'
import { type Outcomes, runScenario, type Scenario, type ScenarioStep } from './run-scenario.ts'

/** The most that a retry of a test waits. Milliseconds. */
const MAX_WAIT_MS = 10
vi.mock('../../client/src/core/pause.ts', () => ({
  pause: (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, MAX_WAIT_MS))),
}))

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SCENARIO = fileURLToPath(new URL('../../contract/test-cases/client-scenario.json', import.meta.url))
const GUIDE = fileURLToPath(new URL('../../../apps/api/guides/python.md', import.meta.url))
const NOTEBOOKS = (await readdir(`${ROOT}examples`)).filter((name) => name.endsWith('.ipynb')).sort()
const openapi = JSON.parse(
  await readFile(new URL('../../contract/src/generated/openapi.json', import.meta.url), 'utf8'),
)
const { steps } = JSON.parse(await readFile(SCENARIO, 'utf8')) as { readonly steps: readonly ScenarioStep[] }

/** Each operation with each of its errors and each kind of fault. Otherwise, each error once, and some faults of each operation. */
const IS_FULL_RUN = process.env.LOTLINE_FULL === '1'
const PYTHONS = findPythons()
const MAY_SKIP = process.env.LOTLINE_NO_SKIP !== '1'
const [oldest] = PYTHONS
const newest = PYTHONS.at(-1)

describe.skipIf(PYTHONS.length === 0 && MAY_SKIP)('the Python client', () => {
  let mock: Mock
  let starting: Promise<RunningService> | undefined
  /** Started by the first test that calls it. */
  const getService = () => (starting ??= startService())
  beforeAll(async () => {
    mock = await startMock()
  })
  afterAll(async () => {
    await mock?.close()
    await (await starting)?.close()
  })

  const install = () => installVenv(newest!.path, `${ROOT}tests/requirements.txt`)

  it(`passes its tests on the newest installed Python (${newest?.version}), with every data frame library`, async () => {
    const venv = await install()
    await expectTestsPass(venv.python, { LOTLINE_MOCK_URL: mock.origin, LOTLINE_MOCK_KEY: DEMO_KEY })
  })

  it(`passes its tests on the oldest installed Python (${oldest?.version}), with httpx alone`, async () => {
    const venv = await installVenv(oldest!.path, `${ROOT}tests/requirements-least.txt`)
    await expectTestsPass(venv.python)
  })

  it('has types in which mypy --strict and pyright find no error', async () => {
    const venv = await install()
    const pyright = fileURLToPath(import.meta.resolve('pyright/package.json')).replace(
      'package.json',
      'index.js',
    )
    await Promise.all([
      runProgram(venv.command('mypy'), [], { cwd: ROOT }),
      runProgram(process.execPath, [pyright, '--pythonpath', venv.python], { cwd: ROOT }),
    ])
  })

  it('shows the descriptions of the contract in an editor, and offers the names of fields', async () => {
    const program = [
      'from lotline import Lotline, types',
      'filters: types.SearchFilters = {"beds": {"min": 1}}',
      'home = Lotline("k").properties.get("1").data',
      'home["pr"]',
      'Lotline("k").properties.ge',
    ]
    const editor = await openInEditor('pyright', ROOT, program.join('\n'))
    onTestFinished(() => editor.close())
    const { description } = openapi.components.schemas.SearchFilters.properties.beds
    expect(await editor.hover({ line: 1, character: 34 })).toContain(description)
    expect((await editor.complete({ line: 3, character: 8 }, '"price"')).detail).toBe('float | None')
    const { text } = await editor.complete({ line: 4, character: 26 }, 'get')
    expect(text).toContain('The record of a home by its zpid. 1 credit.')
  })

  // Pyright shows no description there. No language server shows one in its list of the names.
  it('shows the description of a field in an editor with basedpyright when the cursor is on home["price"]', async () => {
    const program = ['from lotline import Lotline', 'print(Lotline("k").properties.get("1").data["price"])']
    const editor = await openInEditor('basedpyright', ROOT, program.join('\n'))
    onTestFinished(() => editor.close())
    const { description } = openapi.components.schemas.Property.properties.price
    expect(await editor.hover({ line: 1, character: 46 })).toContain(description)
  })

  it('has guide samples that run and print what the guide says', async () => {
    const venv = await install()
    const { url, openAccount } = await getService()
    const { key } = await openAccount('--plan', 'monthly')
    const output = await runProgram(venv.python, [`${ROOT}tests/run_samples.py`, GUIDE], {
      env: { ...pythonEnvironment(venv.python), LOTLINE_BASE_URL: url, LOTLINE_API_KEY: key },
    })
    expect(output).toMatch(/^\d+ samples$/m)
  })

  it('has notebooks that print and draw what is stored in them', async () => {
    const venv = await install()
    const { url, openAccount } = await getService()
    const { key } = await openAccount('--plan', 'custom', '--credits', '5000')
    const output = await runProgram(
      venv.python,
      [`${ROOT}tests/run_notebooks.py`, ...NOTEBOOKS.map((name) => `${ROOT}examples/${name}`)],
      { env: { ...pythonEnvironment(venv.python), LOTLINE_BASE_URL: url, LOTLINE_API_KEY: key } },
    )
    const found = JSON.parse(output.slice(output.indexOf('[[')))
    for (const [at, name] of NOTEBOOKS.entries()) {
      const { cells } = JSON.parse(await readFile(`${ROOT}examples/${name}`, 'utf8')) as { cells: Cell[] }
      const stored = cells
        .filter(({ cell_type }) => cell_type === 'code')
        .map(({ outputs }) => joined(outputs))
      expect(joined(found[at]), name).toEqual(stored)
    }
  })

  describe('The Python client runs each scenario like the TypeScript client and is charged once for each call', () => {
    it('against the mock, for the steps, each error code, and the faults of each operation', async () => {
      const documented = operationIds.flatMap((id) =>
        Object.entries(operations[id].statuses).flatMap(([status, answer]) =>
          answer.errors.map((code) => [id, Number(status), code] as const),
        ),
      )
      const errors = IS_FULL_RUN
        ? documented
        : [...new Map(documented.map((error) => [error[2], error])).values()]
      // No method of a client has a wrong HTTP method.
      const codes = Object.keys(errorStatuses).filter((code) => code !== 'method_not_allowed')
      expect([...new Set(errors.map(([, , code]) => code))].sort()).toEqual(codes.sort())
      const kinds = Object.keys(FAULTS)
      const faults = operationIds.flatMap((id, at) =>
        kinds
          .filter((kind, nth) => IS_FULL_RUN || kind === 'lost after execution' || nth === at % kinds.length)
          .map((fault) => [id, fault] as const),
      )
      const keys = { main: DEMO_KEY, unknown: 'lot_unknown' }
      const run = { keys, steps: scenarioStepsFor('mock'), errors, faults }

      const { inTypeScript, others } = await runBoth(mock.origin, run, [run, run])
      for (const { outcomes, proxy } of [inTypeScript, ...others]) {
        expect(byName(outcomes.errors, errors)).toEqual(byName(inTypeScript.outcomes.errors, errors))
        expect(byName(outcomes.faults, faults)).toEqual(byName(inTypeScript.outcomes.faults, faults))
        for (const [id, fault] of faults) {
          const { method, price } = operations[id]
          const call = `${id} ${fault}`
          const seen = proxy.seen.get(call)
          expect(seen, call).toEqual(inTypeScript.proxy.seen.get(call))
          expect(seen!.charges, call).toBeLessThanOrEqual(1)
          // What is free is repeated until it succeeds.
          if (method === 'GET' && price.stages.every((stage) => stage.price === 0))
            expect(seen!.attempts, call).toBe(2)
        }
      }
    })

    it('against the service, where both accounts are charged the same in total', async () => {
      const service = await getService()
      const [mine, theirs, slow, alsoSlow, empty, denied, suspended] = await Promise.all([
        service.openAccount('--plan', 'custom', '--rate', '10000'),
        service.openAccount('--plan', 'custom', '--rate', '10000'),
        service.openAccount('--plan', 'custom', '--rate', '2'),
        service.openAccount('--plan', 'custom', '--rate', '2'),
        service.openAccount('--plan', 'custom', '--credits', '0'),
        service.openAccount('--plan', 'custom', '--deny', 'searchWithDetails'),
        service.openAccount('--plan', 'monthly').then(async (account) => {
          await service.command('accounts', 'suspend', account.id)
          return account
        }),
      ])
      const keysOf = (main: OpenedAccount, limited: OpenedAccount) => ({
        main: main.key,
        limited: limited.key,
        empty: empty.key,
        denied: denied.key,
        suspended: suspended.key,
        unknown: `lot_${'0'.repeat(40)}`,
      })
      const run = { steps: scenarioStepsFor('service'), errors: [], faults: [] }
      const [followed, followedToo] = await makeWatchesWithEvents(service, [mine, theirs])
      const { inTypeScript, others } = await runBoth(
        service.url,
        { ...run, keys: keysOf(mine, slow), values: { followed: followed! } },
        [{ ...run, keys: keysOf(theirs, alsoSlow), values: { followed: followedToo! } }],
      )
      const codes = inTypeScript.outcomes.steps.map((outcome) => (outcome as { code?: string }).code)
      expect(codes).toEqual(expect.arrayContaining([...REACHED_ANSWERS]))
      for (const { proxy } of [inTypeScript, ...others]) {
        for (const { name, faults } of run.steps) {
          if (faults) expect(proxy.seen.get(name)?.charges ?? 0, name).toBeLessThanOrEqual(1)
        }
      }
      expect(await readBalance(service.url, mine.key)).toEqual(await readBalance(service.url, theirs.key))
      const called = (await readAs(service.url, mine.key, '/v1/usage/summary?by=operation')) as {
        value: string | null
      }[]
      expect(called.map(({ value }) => value)).toEqual(expect.arrayContaining([...operationIds]))

      // The examples of the mock are other homes, but a step has the same result or the same error.
      const common = steps.filter(({ only }) => only === undefined)
      const proxy = await startFaultProxy(mock.origin)
      onTestFinished(() => proxy.close())
      const keys = { main: DEMO_KEY, unknown: 'lot_unknown' }
      const ofMock = await runScenario({ ...run, url: proxy.url, keys, steps: common })
      const names = common.map(({ name }) => [name])
      const ofService = run.steps.flatMap(({ only }, at) =>
        only === undefined ? [inTypeScript.outcomes.steps[at]] : [],
      )
      expect(byName(ofMock.steps.map(outcomeKind), names)).toEqual(byName(ofService.map(outcomeKind), names))
    })
  })
})

interface Cell {
  readonly cell_type: string
  readonly outputs: unknown
}

/** A notebook stores a text as a list of its lines. */
function joined(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length > 0 && value.every((one) => typeof one === 'string')
      ? value.join('')
      : value.map(joined)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, joined(one)]))
}

/** How long the events of an import may take. Milliseconds. */
const EVENTS_LIMIT_MS = 60_000

/** A watch of three homes for each account, which has an event of each home. */
async function makeWatchesWithEvents(
  { url, command }: RunningService,
  accounts: readonly OpenedAccount[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-followed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const zpids = ['9000000001', '9000000002', '9000000003']
  const importPrice = async (price: number) => {
    const file = join(folder, 'homes.ndjson')
    const homes = zpids.map((zpid) => ({
      zpid,
      homeStatus: 'FOR_SALE',
      price,
      latitude: 45,
      longitude: -100,
    }))
    await writeFile(file, homes.map((home) => JSON.stringify(home)).join('\n'))
    await command('listings', 'import', file, '--source', 'followed')
  }
  const call = async (key: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { headers, ...sent })
    return ((await response.json()) as { data: { id: string; last_seq: number } }).data
  }
  await importPrice(500_000)
  const body = { name: 'Followed', zpids }
  const ids = await Promise.all(accounts.map(async ({ key }) => (await call(key, '/v1/watches', body)).id))
  await importPrice(450_000)
  const limits = { timeout: EVENTS_LIMIT_MS, interval: 50 }
  for (const [at, { key }] of accounts.entries()) {
    const lastSeq = async () => (await call(key, `/v1/watches/${ids[at]}`)).last_seq
    await vi.waitFor(async () => expect(await lastSeq()).toBe(zpids.length), limits)
  }
  return ids
}

type OpenedAccount = Awaited<ReturnType<RunningService['openAccount']>>

/** Codes that the service has in the scenario, among others. The mock has all of them. */
const REACHED_ANSWERS: readonly string[] = [
  'account_suspended',
  'connection_lost',
  'idempotency_key_reused',
  'invalid_api_key',
  'invalid_search_url',
  'invalid_zpid',
  'job_ended',
  'job_not_found',
  'key_limit_reached',
  'key_not_allowed',
  'key_revoked',
  'max_credits_exceeded',
  'not_found',
  'out_of_credits',
  'plan_not_allowed',
  'rate_limited',
  'webhook_inactive',
]

function scenarioStepsFor(where: 'mock' | 'service'): ScenarioStep[] {
  return steps.filter(({ only }) => only === undefined || only === where)
}

type ScenarioRun = Omit<Scenario, 'url'>

/** Runs the scenario by both clients, each behind a proxy of its own, and compares the outcomes of the steps. */
async function runBoth(url: string, inTypeScript: ScenarioRun, inPython: readonly ScenarioRun[]) {
  const proxies: FaultProxy[] = []
  for (const _ of [inTypeScript, ...inPython]) proxies.push(await startFaultProxy(url))
  const [first, ...others] = proxies as [FaultProxy, ...FaultProxy[]]
  const folder = await mkdtemp(join(tmpdir(), 'lotline-scenario-'))
  onTestFinished(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await rm(folder, { recursive: true })
  })
  const file = join(folder, 'runs.json')
  // The first run is that of `Lotline`, the next that of `AsyncLotline`.
  const runs = inPython.map((run, at) => ({ ...run, url: others[at]!.url, asynchronous: at > 0 }))
  await writeFile(file, JSON.stringify(runs))
  const venv = await installVenv(newest!.path, `${ROOT}tests/requirements.txt`)
  const program = runProgram(venv.python, [`${ROOT}tests/run_scenario.py`, file], {
    env: pythonEnvironment(venv.python),
  })
  const [outcomes, output] = await Promise.all([runScenario({ ...inTypeScript, url: first.url }), program])
  const found = JSON.parse(output) as Outcomes[]
  const names = inTypeScript.steps.map(({ name }) => [name])
  for (const { steps: ofPython } of found)
    expect(byName(ofPython, names)).toEqual(byName(outcomes.steps, names))
  return {
    inTypeScript: { outcomes, proxy: first },
    others: found.map((one, at) => ({ outcomes: one, proxy: others[at]! })),
  }
}

function byName(outcomes: readonly unknown[], names: readonly (readonly unknown[])[]) {
  expect(outcomes).toHaveLength(names.length)
  return Object.fromEntries(outcomes.map((outcome, at) => [names[at]!.join(' '), withoutReadTime(outcome)]))
}

/** Without the time at which a source was read, which differs from call to call. Lines of NDJSON are text. */
function withoutReadTime(outcome: unknown): unknown {
  const json = JSON.stringify(outcome) ?? 'null'
  return JSON.parse(json.replaceAll(/(\\"fetched_at\\":)\\"[^"\\]*\\"/g, '$1null'))
}

/** Of an outcome, what does not depend on the homes: the error, or which parts the result has. */
function outcomeKind(outcome: unknown): unknown {
  const { code, status, error, page, details, saysWhen, ...given } = outcome as Record<string, unknown>
  return code === undefined ? Object.keys(given) : { code, status, error, page, details, saysWhen }
}

async function readBalance(url: string, key: string): Promise<unknown> {
  return ((await readAs(url, key, '/v1/me')) as { credits: unknown }).credits
}

async function readAs(url: string, key: string, path: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } })
  return ((await response.json()) as { data: unknown }).data
}

/** What is compiled is kept beside the environment's interpreter, and not in the source tree. */
function pythonEnvironment(python: string) {
  return { PYTHONPATH: `${ROOT}src`, PYTHONPYCACHEPREFIX: join(dirname(python), '../compiled') }
}

/** Without the mock, the tests that need it are skipped: once is enough for those. */
async function expectTestsPass(python: string, mocked: Readonly<Record<string, string>> = {}): Promise<void> {
  const output = await runProgram(python, ['-m', 'pytest', '-p', 'no:cacheprovider'], {
    cwd: ROOT,
    env: { ...pythonEnvironment(python), ...mocked },
  })
  expect(output).toMatch(/\[100%\]/)
}
