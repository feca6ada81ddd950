// The Python client, tested by its own tests on the oldest and the newest Python of this machine, by mypy and pyright, and
// beside the TypeScript client.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installVenv, type RunningService, runProgram, startService } from '@lotline/generators'
import { DEMO_KEY, type Mock, startMock } from '@lotline/mock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runScenario, type Step } from './run-scenario.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SCENARIO = fileURLToPath(new URL('../../contract/test-cases/client-scenario.json', import.meta.url))
const { steps } = JSON.parse(readFileSync(SCENARIO, 'utf8')) as { steps: Step[] }

/** The Pythons of this machine, the oldest first. One that is found and does not run, such as a version manager's, is none. */
const PYTHONS = ['python3.10', 'python3.11', 'python3.12', 'python3.13', 'python3.14', 'python3'].filter(
  (name) => spawnSync(name, ['-c', 'import ensurepip']).status === 0,
)
const OLDEST = PYTHONS[0] ?? 'python3'
const NEWEST = PYTHONS.at(-2) ?? 'python3'
const MAY_SKIP = process.env.LOTLINE_NO_SKIP !== '1'

describe.skipIf(PYTHONS.length === 0 && MAY_SKIP)('the Python client', () => {
  let mock: Mock
  let service: RunningService
  beforeAll(async () => {
    const starting = [startMock(), startService()] as const
    ;[mock, service] = await Promise.all(starting)
  })
  afterAll(() => Promise.all([mock?.close(), service?.close()]))

  it('passes its tests on the newest Python, with every data frame library', async () => {
    const venv = await installVenv(NEWEST, `${ROOT}tests/requirements.txt`)
    await expectTestsPass(venv.python, { LOTLINE_MOCK_URL: mock.origin, LOTLINE_MOCK_KEY: DEMO_KEY })
  })

  it('passes its tests on the oldest Python, with httpx alone', async () => {
    const venv = await installVenv(OLDEST, `${ROOT}tests/requirements-least.txt`)
    await expectTestsPass(venv.python)
  })

  it('has types that mypy --strict and pyright find no fault with', async () => {
    const venv = await installVenv(NEWEST, `${ROOT}tests/requirements.txt`)
    await runProgram(venv.command('mypy'), [], { cwd: ROOT })
    const pyright = fileURLToPath(import.meta.resolve('pyright/package.json')).replace(
      'package.json',
      'index.js',
    )
    await runProgram(process.execPath, [pyright, '--pythonpath', venv.python], { cwd: ROOT })
  })

  it.each(['the mock', 'the service'])(
    'has the outcomes of the TypeScript client, against %s',
    async (against) => {
      const venv = await installVenv(NEWEST, `${ROOT}tests/requirements.txt`)
      const url = against === 'the mock' ? mock.origin : service.url
      // Each client has an account of its own, because what one creates the other would list.
      const keyOf = async () => (against === 'the mock' ? DEMO_KEY : (await service.openAccounts()).key)
      const inTypeScript = await runScenario(steps, url, await keyOf())
      const output = await runProgram(
        venv.python,
        [`${ROOT}tests/run_scenario.py`, SCENARIO, url, await keyOf()],
        {
          env: { PYTHONPATH: `${ROOT}src` },
        },
      )
      const inPython: unknown[] = JSON.parse(output)
      const named = (outcomes: readonly unknown[]) =>
        Object.fromEntries(steps.map(({ name }, at) => [name, outcomes[at]]))
      expect(named(inPython)).toEqual(named(inTypeScript))
      expect(inPython).toHaveLength(steps.length)
    },
  )
})

/** Without the mock, the tests that need it are skipped: once is enough for those. */
async function expectTestsPass(python: string, mocked: Readonly<Record<string, string>> = {}): Promise<void> {
  const output = await runProgram(python, ['-m', 'pytest', '-p', 'no:cacheprovider'], {
    cwd: ROOT,
    // What is compiled is kept beside the environment's interpreter, and not in the source tree.
    env: { PYTHONPATH: `${ROOT}src`, PYTHONPYCACHEPREFIX: join(dirname(python), '../compiled'), ...mocked },
  })
  expect(output).toMatch(/\[100%\]/)
}
