// The examples of parameters that name a home or a building: a reader who sends one of them to a service with the sample
// data gets the home.

import { openapi, operationIds, operations } from '@lotline/contract'
import { beforeAll, expect, it } from 'vitest'
import { loadSample } from '../../../src/data/ingest/load-sample.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
beforeAll(() => loadSample(testDatabase.database))

interface ShownParameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly example?: string
  readonly examples?: Readonly<Record<string, { readonly value: string }>>
}

const document = openapi as unknown as {
  readonly components: { readonly parameters: Readonly<Record<string, ShownParameter>> }
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly parameters?: readonly ShownParameter[]
        readonly get?: { readonly parameters?: readonly ShownParameter[] }
      }
    >
  >
}

/** The URLs of the calls of an operation, one for each example of the parameter that names its home. */
function examplesOf(id: (typeof operationIds)[number]): string[] {
  const { path, method } = operations[id]
  if (method !== 'GET') return []
  const { parameters = [], get } = document.paths[path]!
  return [...parameters, ...(get?.parameters ?? [])]
    .map((one) => (one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)!]! : one))
    .filter(({ name }) => ['zpid', 'url', 'address'].includes(name))
    .flatMap(({ name, in: place, example, examples = {} }) =>
      [example, ...Object.values(examples).map(({ value }) => value)]
        .filter((value) => value !== undefined)
        .map((value) => {
          const text = encodeURIComponent(value)
          return place === 'path' ? path.replace(`{${name}}`, text) : `${path}?${name}=${text}`
        }),
    )
}

const calls = operationIds.flatMap((id) => examplesOf(id).map((url) => [id, url] as const))

it('the contract has examples of homes, addresses, and buildings', () => {
  expect(new Set(calls.map(([id]) => id))).toEqual(
    new Set(operationIds.filter((id) => /^(getProperty|getBuilding)/.test(id))),
  )
})

it.each(calls)('%s finds %s in the sample', async (_id, url) => {
  const { key } = await server.openAccount({ plan: 'monthly', credits: 1000 })
  const found = await server.get(url, { key })
  expect([found.status, found.code]).toEqual([200, undefined])
  const { units } = found.json.data
  if (Array.isArray(units)) expect(units.length).toBeGreaterThan(0)
})
