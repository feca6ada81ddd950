// The results of the recipes of CONTRIBUTING.md, as a client, an operator, and a customer find it. tools/check/test/recipes runs this in a
// scratch copy of the repository, where its name ends in .test.ts, beside a file that says what was added.

import { readFileSync } from 'node:fs'
import { Lotline } from '@lotline/client'
import { type OperationId, operations } from '@lotline/contract'
import { callThroughSdk } from '@lotline/contract/sdk-call'
import { DEMO_KEY, startMock } from '@lotline/mock'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importListings } from '../../src/data/ingest/import-listings.ts'
import { parseMapping } from '../../src/data/ingest/mapping.ts'
import { readCsv } from '../../src/data/ingest/read-csv.ts'
import { readConfig } from '../../src/infrastructure/config/config.ts'
import { referenceDocument } from '../../src/interfaces/manual/reference-document.ts'
import { signedIn } from '../interfaces/portal/visitor.ts'
import { exampleCallPath, minimalCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'

/** Everything that the recipes have added. */
export interface RecipeResults {
  /** Their operationIds. */
  readonly operations: readonly string[]
  /** Filters with their query parameter, a value that is found by both, and a wrong one. searchable-facts.test.ts proves that they filter. */
  readonly filters: readonly {
    readonly name: string
    readonly query: string
    readonly given: unknown
    readonly wrong: unknown
  }[]
  /** Fields of the record: a cell of a file, and the value that it becomes. */
  readonly fields: readonly { readonly name: string; readonly given: string; readonly read: unknown }[]
  /** The value that is given, what `Config` has then, and a value that is refused. */
  readonly settings: readonly {
    readonly name: string
    readonly field: string
    readonly given: string
    readonly read: unknown
    readonly wrong: string
  }[]
  readonly tables: readonly string[]
  /** Pages of the portal, with their titles in the navigation. */
  readonly pages: readonly { readonly path: string; readonly title: string; readonly text: string }[]
}

const added = JSON.parse(readFileSync(new URL('./added.json', import.meta.url), 'utf8')) as RecipeResults

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createMemoryProvider() } })

describe.each(added.operations as readonly OperationId[])('the operation %s', (id) => {
  it('is answered by the service, and by the same call of the SDK', async () => {
    const { key } = await server.openAccount()
    const call = minimalCall(id)
    const answer = await server.send(operations[id].method, exampleCallPath(call), { key, body: call.body })
    expect(answer.status).toBe(200)
    const lotline = new Lotline({ apiKey: key, baseUrl: server.url })
    expect(await callThroughSdk(lotline, id, call, {})).toMatchObject({ data: answer.json.data })
  })

  it('is answered by the mock', async () => {
    const mock = await startMock()
    onTestFinished(() => mock.close())
    const lotline = new Lotline({ apiKey: DEMO_KEY, baseUrl: mock.origin })
    expect(await callThroughSdk(lotline, id, minimalCall(id), {})).toHaveProperty('data')
  })

  it('is in the reference with its price and with samples of curl and the SDK', () => {
    const { path, method, sdk } = operations[id]
    const shown = JSON.parse(referenceDocument()).paths[path][method.toLowerCase()]
    expect(shown.description).toContain('**Price:**')
    const [curl, typescript] = shown['x-codeSamples'] as readonly { readonly source: string }[]
    expect(curl?.source).toContain(path.split('{')[0])
    expect(typescript?.source).toContain(`lotline.${sdk.method}(`)
  })
})

const BBOX = { west: -123, south: 47, east: -122, north: 48 }

describe.each(added.filters)('the filter $name', ({ name, query, given, wrong }) => {
  const inQuery = (value: unknown) =>
    `/v1/listings?${new URLSearchParams({ bbox: Object.values(BBOX).join(), [query]: String(value) })}`

  it('is read from a body and a query by the service, and refused with a wrong value', async () => {
    const { key } = await server.openAccount()
    const post = (value: unknown) =>
      server.post('/v1/search', { filters: { bbox: BBOX, [name]: value } }, { key })
    for (const answer of [await post(given), await server.get(inQuery(given), { key })]) {
      expect([answer.status, answer.json.meta.ignored]).toEqual([200, undefined])
    }
    for (const answer of [await post(wrong), await server.get(inQuery(wrong), { key })])
      expect([answer.status, answer.code]).toEqual([400, 'invalid_filters'])
  })

  it('is read by the mock, and refused with a wrong value', async () => {
    const mock = await startMock()
    onTestFinished(() => mock.close())
    const headers = { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' }
    const statusOf = async (value: unknown) => {
      const body = JSON.stringify({ filters: { bbox: BBOX, [name]: value } })
      const posted = await fetch(`${mock.origin}/v1/search`, { method: 'POST', headers, body })
      const got = await fetch(`${mock.origin}${inQuery(value)}`, { headers })
      expect(await posted.text()).not.toContain('"ignored"')
      return [posted.status, got.status]
    }
    expect([await statusOf(given), await statusOf(wrong)]).toEqual([
      [200, 200],
      [400, 400],
    ])
  })
})

describe.each(added.fields)('the field $name', ({ name, given, read }) => {
  const dataSet = withTestServer(testDatabase)

  it('is read by a mapping of an import, and returned by lookups and in their fields', async () => {
    const mapping = parseMapping(
      `record: { zpid: "{id}", homeStatus: FOR_SALE, ${name}: "{fact}" }`,
      'the mapping',
    )
    async function* file() {
      yield Buffer.from(`id,fact\n1,${given}\n`)
    }
    await importListings(testDatabase.database, readCsv(file(), mapping), { source: 'recipe' })
    const { key } = await dataSet.openAccount()
    for (const path of ['/v1/properties/1', `/v1/properties/1?fields=${name}`])
      expect((await dataSet.get(path, { key })).json.data).toHaveProperty(name, read)
  })

  it('is in the records of the mock', async () => {
    const mock = await startMock()
    onTestFinished(() => mock.close())
    const lotline = new Lotline({ apiKey: DEMO_KEY, baseUrl: mock.origin })
    expect(await callThroughSdk(lotline, 'getProperty', minimalCall('getProperty'), {})).toHaveProperty(
      `data.${name}`,
      read,
    )
  })
})

it.each(added.settings)('the setting $name is read and checked', ({ name, field, given, read, wrong }) => {
  expect(readConfig({ [name]: given })).toHaveProperty(field, read)
  expect(() => readConfig({ [name]: wrong })).toThrow(name)
})

it.each(added.tables)('the table %s is in a migrated database', async (table) => {
  const { rows } = await testDatabase.database.query('select to_regclass($1) as found', [table])
  expect(rows).toEqual([{ found: table }])
})

it.each(added.pages)('the page $path is in the portal and its navigation', async ({ path, title, text }) => {
  const { key } = await server.openAccount()
  const visitor = await signedIn(server, key)
  const page = await visitor.get(path)
  expect(page.status).toBe(200)
  expect(page.text).toContain(text)
  expect((await visitor.get('/portal')).text).toMatch(new RegExp(`href="${path}"[^>]*>${title}</a>`))
})
