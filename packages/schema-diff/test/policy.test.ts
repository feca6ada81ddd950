import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../src/compare-documents.ts'
import { toContract } from '../src/document.ts'
import * as demands from './cases/demands.ts'
import * as extensions from './cases/extensions.ts'
import * as operations from './cases/operations.ts'
import * as outputUnions from './cases/output-unions.ts'
import * as parameters from './cases/parameters.ts'
import * as requestBodies from './cases/request-bodies.ts'
import * as responses from './cases/responses.ts'
import * as servers from './cases/servers.ts'
import { silent } from './cases/silent.ts'
import * as webhooks from './cases/webhooks.ts'
import { exampleContract } from './example-contract.ts'
import { examplePolicy } from './example-policy.ts'
import { type Mutation, mutated, put } from './mutate.ts'
import { home } from './paths-in-example.ts'

const base = toContract('base', exampleContract)
const compareWith = (mutate: Mutation) =>
  compareDocuments(base, toContract('head', mutated(exampleContract, mutate)), examplePolicy)

const subjects = {
  servers,
  operations,
  parameters,
  'request bodies': requestBodies,
  responses,
  'unions, open enums and patterns in responses': outputUnions,
  webhooks,
  extensions,
  'further demands, forms, and scopes': demands,
}

describe.each(Object.entries(subjects))('%s', (_, { breaking, harmless }) => {
  test.each(breaking)('it breaks callers when %s', (_name, rule, direction, at, mutate) => {
    const verdict = compareWith(mutate)
    const location = expect.stringContaining(at)
    expect(verdict.breaking).toContainEqual(expect.objectContaining({ rule, direction, location }))
    expect(new Set(verdict.breaking.map((change) => change.rule))).toEqual(new Set([rule]))
  })

  test.each(harmless)('it breaks no client when %s', (_name, rule, direction, at, mutate) => {
    const verdict = compareWith(mutate)
    const location = expect.stringContaining(at)
    expect(verdict.breaking).toEqual([])
    expect(verdict.harmless).toContainEqual(expect.objectContaining({ rule, direction, location }))
  })
})

test.each(silent)('no change is reported when %s', (_name, mutate) => {
  expect(compareWith(mutate)).toEqual({ breaking: [], harmless: [] })
})

test('every rule of the policy is covered by a test case', () => {
  const rows = Object.values(subjects).flatMap(({ breaking, harmless }) => [...breaking, ...harmless])
  const shown = new Set(rows.map(([, rule]) => rule))
  expect([...examplePolicy.rules.keys()].filter((rule) => !shown.has(rule))).toEqual([])
})

test('a change states the value before and after', () => {
  const { breaking } = compareWith(put(3, ...home, 'x-credits', 'price'))
  expect(breaking).toEqual([
    {
      rule: 'price-raised',
      direction: 'none',
      location: 'GET /v1/homes/{id}',
      before: { price: 1, per: 'call' },
      after: { price: 3, per: 'call' },
      message: 'The price (x-credits) is raised.',
    },
  ])
})
