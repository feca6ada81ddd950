// Runs the samples that the reference shows beside each operation as printed, against the mock, and expects a success.

import { dirname } from 'node:path'
import { operationIds, operations } from '@lotline/contract'
import { DEMO_KEY, type Mock, startMock } from '@lotline/mock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { referenceDocument } from '../../../src/interfaces/manual/reference-document.ts'
import { needProgram } from '../../process/start/find-program.ts'
import { runBlocks } from '../../process/start/readme.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { runTypescript } from './run-typescript.ts'

let mock: Mock
const asked: string[] = []
beforeAll(async () => {
  mock = await startMock({ onAnswer: ({ method, url }) => asked.push(`${method} ${url}`) })
})
afterAll(() => mock?.close())

const document = JSON.parse(referenceDocument())

function sampleOf(id: (typeof operationIds)[number], lang: string): string {
  const { path, method } = operations[id]
  const samples: { lang: string; source: string }[] =
    document.paths[path][method.toLowerCase()]['x-codeSamples']
  return samples.find((sample) => sample.lang === lang)!.source
}

/** Whether a call of the mock was one of the operation. */
function isCallOf(id: (typeof operationIds)[number], call: string): boolean {
  const { path, method } = operations[id]
  return new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(call)
}

it("with curl, each operation's sample gets a success response", async (context) => {
  needProgram(context, ['curl'], 'the curl samples of the reference run as printed')
  asked.length = 0
  const outcomes = await runBlocks(
    operationIds.map((id) => ({ section: id, code: `${sampleOf(id, 'shell')}\n` })),
    {
      prelude: 'curl() { command curl -sS --fail-with-body "$@"; }',
      cwd: await makeTemporaryDirectory(),
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        LOTLINE_BASE_URL: mock.origin,
        LOTLINE_API_KEY: DEMO_KEY,
      },
    },
  )
  for (const { section, code, status, output } of outcomes) {
    expect(status, `${section}\n${code}\n${output}`).toBe(0)
  }
  expect(asked).toHaveLength(operationIds.length)
  for (const [at, id] of operationIds.entries()) expect(isCallOf(id, asked[at]!), asked[at]).toBe(true)
})

it("with the SDK, each operation's sample compiles and calls it", async () => {
  asked.length = 0
  const env = { LOTLINE_BASE_URL: mock.origin, LOTLINE_API_KEY: DEMO_KEY }
  const runs = await runTypescript(
    operationIds.map((id) => ({ name: id, code: sampleOf(id, 'typescript'), env })),
  )
  for (const { name, error } of runs) expect(error, name).toBeUndefined()
  for (const id of operationIds) {
    expect(
      asked.some((call) => isCallOf(id, call)),
      id,
    ).toBe(true)
  }
})

it('the contract itself contains no samples', async () => {
  const { openapi } = await import('@lotline/contract')
  expect(JSON.stringify(openapi)).not.toContain('x-codeSamples')
})
