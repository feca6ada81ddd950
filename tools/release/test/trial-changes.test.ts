// The contract can grow as planned: spec/trial-changes.yaml lists changes that later versions will make.

import { openapi } from '@lotline/contract'
import { compareDocuments, type JsonValue, toContract } from '@lotline/schema-diff'
import { expect, test } from 'vitest'
import { policy } from './contract/policy.ts'
import { faultsOf, readTrialChanges, type TrialChange, withChanges } from './contract/trial-change.ts'

const trials = await readTrialChanges()
const contract = openapi as unknown as Record<string, JsonValue>

const judge = (changes: readonly TrialChange[]) =>
  compareDocuments(toContract('base', contract), toContract('head', withChanges(contract, changes)), policy)

test('each trial change has the form that the head of the file describes', () => {
  expect(trials.map((trial) => ({ change: trial.change, faults: faultsOf(trial) }))).toEqual(
    trials.map(({ change }) => ({ change, faults: [] })),
  )
})

test.each(trials.map((trial) => [trial.change, trial] as const))(
  'the trial change breaks no client: %s',
  (_, trial) => {
    const { breaking, harmless } = judge([trial])
    expect(breaking).toEqual([])
    expect([...new Set(harmless.map(({ rule }) => rule))].sort()).toEqual([...trial.judged].sort())
  },
)

test('all trial changes together break no client', () => {
  expect(judge(trials).breaking).toEqual([])
})

test.each([
  ['add', ['info', 'title'], 'info → title is there already'],
  ['replace', ['info', 'titel'], 'info → titel is not there'],
  ['append', ['info', 'title'], 'info → title is not a list'],
  ['remove', ['paths', '/v1/jobs', 'get', 'parameters', 'limt'], 'is not there'],
  ['add', ['paths', '/v1/job', 'get'], '/v1/job leads nowhere'],
] as const)('a step that does not fit the contract is refused: %s at %j', (action, at, complaint) => {
  const step = { at, [action]: action === 'remove' ? true : [] }
  expect(() => withChanges(contract, [{ change: 'A change.', judged: [], steps: [step] }])).toThrow(complaint)
})
