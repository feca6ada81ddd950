// What was accepted stays accepted: the recorded calls, and what planted changes of the contract do to them.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openapi } from '@lotline/contract'
import { findBase, type JsonValue } from '@lotline/schema-diff'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRecording, writeRecording } from '../src/calls/call.ts'
import { findDifference } from '../src/calls/differences.ts'
import { judge } from '../src/calls/judge.ts'
import { makeCalls } from '../src/calls/make-calls.ts'
import { FILE } from '../src/calls/recording.ts'
import { type EditStep, readTrialChanges, type TrialChange, withChanges } from './contract/trial-change.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const MAIN = join(ROOT, 'tools/release/src/calls/main.ts')
const contract = openapi as unknown as Record<string, JsonValue>

describe('the recorded calls', () => {
  const { calls } = readRecording(join(ROOT, FILE))

  test('are at least 5,000, with many accepted and many refused calls', () => {
    expect(calls.length).toBeGreaterThanOrEqual(5_000)
    const accepted = calls.filter(({ code }) => code === undefined).length
    expect(accepted).toBeGreaterThan(calls.length / 5)
    expect(accepted).toBeLessThan((calls.length * 4) / 5)
  })

  test('include each operation of the baseline, accepted and with each of its query parameters', async () => {
    const baseline = JSON.parse(await readFile(await findBase(join(ROOT, 'spec/releases')), 'utf8'))
    type Node = Record<string, never>
    const parameterOf = (node: Node): Node =>
      node.$ref ? baseline.components.parameters[String(node.$ref).split('/').at(-1)!] : node
    for (const item of Object.values<Node>(baseline.paths)) {
      for (const operation of Object.values<Node>(item)) {
        const id = operation.operationId as string | undefined
        if (id === undefined) continue
        const own = calls.filter((call) => call.id === id)
        expect(
          own.some(({ code }) => code === undefined),
          id,
        ).toBe(true)
        const names = ((operation.parameters ?? []) as Node[]).map(parameterOf)
        const unsent = names.filter(
          ({ name, in: place }) =>
            place === 'query' && !own.some(({ query = {} }) => Object.hasOwn(query, String(name))),
        )
        expect(unsent, id).toEqual([])
      }
    }
  })
})

test('generating the calls twice gives the same calls', () => {
  expect(makeCalls(judge)).toEqual(makeCalls(judge))
})

test.each([
  ['refused', {}, { code: 'invalid_zpid' }, 'was accepted, is refused with invalid_zpid'],
  ['refused with another code', { code: 'a' }, { code: 'b' }, 'was refused with a, is refused with b'],
  ['partly ignored', {}, { ignored: ['beds'] }, 'beds had an effect, is ignored'],
])('a difference is reported if the call is %s', (_, recorded, verdict, change) => {
  expect(findDifference({ id: 'getProperty', ...recorded }, verdict)?.change).toBe(change)
})

test.each([
  ['accepted', { code: 'a' }, {}],
  ['accepted with input that has no effect', { code: 'a' }, { ignored: ['beds'] }],
  ['refused as before', { code: 'a' }, { code: 'a' }],
  ['used as a whole', { ignored: ['beds'] }, {}],
])('no difference is reported if the call is %s', (_, recorded, verdict) => {
  expect(findDifference({ id: 'getProperty', ...recorded }, verdict)).toBeUndefined()
})

describe('with the current contract as the baseline', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'recorded-calls-'))
    await mkdir(join(root, 'spec'))
    const calls = makeCalls(judge).map((call) => ({ ...call, ...judge(call) }))
    writeRecording(join(root, FILE), { contract: 'the contract as it is', calls })
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  /** Judges the calls by a changed contract, in a process that has read no other. */
  async function check(changes: readonly TrialChange[]) {
    const document = join(root, 'changed.json')
    await writeFile(document, JSON.stringify(withChanges(contract, changes)))
    const args = [MAIN, '--root', root, '--document', document]
    return new Promise<{ code: number; text: string }>((resolve) =>
      execFile(process.execPath, args, { maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
      ),
    )
  }
  const planted = (...steps: readonly EditStep[]) => check([{ change: 'A change.', judged: [], steps }])
  const schema = (...at: readonly string[]) => ['components', 'schemas', ...at]

  test('an unchanged contract judges each call as before', async () => {
    expect(await planted()).toEqual({
      code: 0,
      text: expect.stringMatching(/^\d+ recorded calls are judged as they were\./),
    })
  })

  test('the planned changes break no recorded call', async () => {
    expect(await check(await readTrialChanges())).toMatchObject({ code: 0 })
  })

  test('an added choice, a wider bound, and a new optional field break no call', async () => {
    const { code, text } = await planted(
      {
        at: schema('BatchRequest', 'properties', 'zpids'),
        add: { type: 'array', items: { type: 'string' } },
      },
      { at: schema('BatchRequest', 'x-needs-one-of', 'fields'), append: ['zpids'] },
      { at: schema('WatchInput', 'properties', 'name', 'maxLength'), replace: 200 },
    )
    expect(text).not.toContain('is refused')
    expect(code).toBe(0)
  })

  test.each<[string, EditStep, string]>([
    [
      'watches of homes are refused',
      { at: schema('WatchInput', 'x-needs-one-of', 'fields'), replace: ['filters'] },
      'createWatch: was accepted, is refused with missing_input',
    ],
    [
      'a name is shorter',
      { at: schema('WatchInput', 'properties', 'name', 'maxLength'), replace: 99 },
      'createWatch: was accepted, is refused with invalid_parameter',
    ],
    [
      'a wrong id of a home has another code',
      { at: ['components', 'parameters', 'Zpid', 'schema', 'x-error-code'], replace: 'invalid_parameter' },
      'getProperty: was refused with invalid_zpid, is refused with invalid_parameter',
    ],
    [
      'a filter has no effect any more',
      { at: schema('SearchFilters', 'properties', 'zips', 'x-unused'), add: true },
      'searchListings: filters.zips had an effect, is ignored',
    ],
    [
      'an area of one type no longer uses a field',
      { at: schema('Area', 'x-used-by-type', 'circle'), replace: ['center'] },
      'radius_m had an effect, is ignored',
    ],
    [
      'a body needs a further field',
      { at: schema('BatchRequest', 'required'), add: ['urls'] },
      'createPropertyBatch: was accepted, is refused with invalid_parameter',
    ],
  ])('the check fails if %s', async (_, step, line) => {
    const { code, text } = await planted(step)
    expect(text).toContain(line)
    expect(code).toBe(1)
  })
})

test('the check refuses a recording for another baseline and says how to record again', async () => {
  const root = await mkdtemp(join(tmpdir(), 'recorded-calls-'))
  try {
    await mkdir(join(root, 'spec/releases'), { recursive: true })
    await writeFile(join(root, 'spec/releases/1.0.0.json'), '{}')
    writeRecording(join(root, FILE), { contract: 'another', calls: [] })
    const result = await new Promise((resolve) =>
      execFile(process.execPath, [MAIN, '--root', root], (error, stdout) =>
        resolve({ code: error?.code, stdout }),
      ),
    )
    expect(result).toEqual({
      code: 1,
      stdout: expect.stringContaining(
        'another baseline. Record the calls again: pnpm recorded-calls --record',
      ),
    })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
