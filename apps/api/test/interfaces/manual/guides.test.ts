// Every sample of the guides is run as it is printed, against a real service with the sample data, and prints what the
// guide says. What differs is said here: addresses and keys are those of this test's own service and mock, `npx
// @lotline/mock` is the mock of this workspace, `npx … start` its service in a folder of its own, whose first call is made
// and which is stopped again, and `npm install` and `pip install` install nothing. Programs in Python are run by
// packages/client-python.

import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Mock, startMock } from '@lotline/mock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSample } from '../../../src/data/ingest/load-sample.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { needProgram } from '../../process/start/find-program.ts'
import { ROOT, runBlocks } from '../../process/start/readme.ts'
import { copyPreparedCluster } from '../../setup/prepared-cluster.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { withWorker } from '../../work/jobs/job-calls.ts'
import { findFreePort } from './free-port.ts'
import { type Program, runTypescript } from './run-typescript.ts'
import { expectPrinted } from './same-output.ts'
import { GUIDE_NAMES, type GuideName, type Sample, samplesOf } from './samples.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
withWorker(server)

let mock: Mock
beforeAll(async () => {
  await loadSample(testDatabase.database)
  mock = await startMock()
})
afterAll(() => mock?.close())

/** Where the samples find the service, and an account with 1,000 unused credits. */
async function openEnvironment() {
  const { key, keyId } = await openAccount(testDatabase.database, { plan: 'monthly' })
  return { LOTLINE_BASE_URL: server.url, LOTLINE_API_KEY: key, KEY_ID: keyId }
}

/** Receivers, and what follows a watch until it is stopped, are for receivers.test.ts. */
const isEndless = ({ code }: Sample) => code.includes('3000') || code.includes('watches.events(')

function shellSamples(name: GuideName): Sample[] {
  return samplesOf(name).filter((sample) => sample.lang === 'sh' && !isEndless(sample))
}

const { packageManager, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly packageManager: string
  readonly scripts: { readonly start: string; readonly lotline: string }
}

const START = `-y ${packageManager} start`
/** The operator's commands, which get the database of this test. */
const COMMAND = `-y ${packageManager} --silent lotline`
const SILENT = { debug() {}, info() {}, warn() {} }

// A function, because the database has no address before the tests begin.
const preludeOf = () => `
npm() { [ "$*" = 'install @lotline/client' ]; }
pip() { [ "$*" = 'install lotline[pandas]' ]; }
npx() {
  case "$*" in
    @lotline/mock) ;;
    '${START}') first_call; return ;;
    '${COMMAND} '*) shift 4 && (cd '${ROOT}' && DATABASE_URL='${testDatabase.url}' exec ${scripts.lotline} "$@"); return ;;
    *) return 1 ;;
  esac
  node '${join(ROOT, 'packages/mock/src/main.ts')}' --port "$MOCK_PORT" > mock.log 2>&1 &
  trap "kill $!" EXIT
  until grep -q http mock.log; do sleep 0.1; done
}
first_call() {
  (cd '${ROOT}' && PORT=$START_PORT DATA_DIR="$OLDPWD/data" exec ${scripts.start}) > start.log 2>&1 &
  local service=$! done=1
  for _ in $(seq 600); do
    if grep -q '^ *curl ' start.log; then
      eval "$(grep '^ *curl ' start.log) -f" && done=0
      break
    fi
    kill -0 $service || break
    sleep 0.1
  done
  kill $service && wait $service
  return $done
}`

describe('the shell commands', () => {
  const names = GUIDE_NAMES.filter((name) => shellSamples(name).length > 0)

  it.for(names)('of %s produce the printed output', async (name, context) => {
    needProgram(context, ['curl'], `the commands of the guide ${name} run as printed`)
    const samples = shellSamples(name)
    const port = await findFreePort()
    const own = await openEnvironment()
    const cwd = await makeTemporaryDirectory()
    if (samples.some(({ code }) => code.includes(START))) {
      await mkdir(join(cwd, 'data'))
      await copyPreparedCluster(join(cwd, 'data'), SILENT)
    }
    const outcomes = await runBlocks(
      samples.map(({ code }) => ({
        section: name,
        code: code
          .replaceAll(':4010', `:${port}`)
          .replaceAll('http://127.0.0.1:8080', own.LOTLINE_BASE_URL)
          .replaceAll('lot_…', own.LOTLINE_API_KEY)
          .replaceAll('KEY_ID', own.KEY_ID),
      })),
      {
        // Its progress meter.
        prelude: `${preludeOf()}\ncurl() { command curl -sS "$@"; }`,
        cwd,
        env: {
          PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
          MOCK_PORT: String(port),
          START_PORT: String(await findFreePort()),
          ...own,
        },
      },
    )
    for (const [at, { code, status, output }] of outcomes.entries()) {
      expect(status, `${code}\n${output}`).toBe(0)
      expectPrinted(samples[at]!, output)
    }
  })
})

describe('the programs', () => {
  it('that use the SDK compile, run, and print the documented output', async () => {
    const programs: (Program & { readonly sample: Sample })[] = []
    for (const guide of GUIDE_NAMES) {
      const samples = samplesOf(guide).filter((sample) => sample.lang === 'ts' && !isEndless(sample))
      const env = await openEnvironment()
      for (const [at, sample] of samples.entries()) {
        const code = sample.code.replaceAll('http://127.0.0.1:4010', mock.origin)
        programs.push({ name: `${guide}-${at + 1}`, code, env, sample })
      }
    }
    expect(programs.length).toBeGreaterThan(10)
    for (const [at, { name, output, error }] of (await runTypescript(programs)).entries()) {
      expect(error, `${name}:\n${programs[at]!.code}`).toBeUndefined()
      expectPrinted(programs[at]!.sample, output)
    }
  })
})

it('every sample is of a kind that a test runs', () => {
  const run = ['sh', 'ts', 'python', 'go']
  // Shown, not run: parts of HTTP. The last three are run by tools/generators, and compared with what it runs.
  const shown = ['http', 'console', 'yaml', 'typescript', 'java']
  for (const name of GUIDE_NAMES) {
    for (const { lang } of samplesOf(name)) expect([...run, ...shown], name).toContain(lang)
  }
})
