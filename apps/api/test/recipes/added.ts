// The results of the recipes of CONTRIBUTING.md, as a client, an operator, and a customer find it. tools/check/test/recipes runs this in a
// scratch copy of the repository, where its name ends in .test.ts, beside a file that says what was added.

import { readFileSync } from 'node:fs'
import { Lotline } from '@lotline/client'
import { type OperationId, operations } from '@lotline/contract'
import { callThroughSdk } from '@lotline/contract/sdk-call'
import { DEMO_KEY, startMock } from '@lotline/mock'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/infrastructure/config/config.ts'
import { referenceDocument } from '../../src/interfaces/manual/reference-document.ts'
import { signedIn } from '../interfaces/portal/visitor.ts'
import { minimalCall, pathOf } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'

/** Everything that the recipes have added. */
export interface RecipeResults {
  /** Their operationIds. */
  readonly operations: readonly string[]
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
    const answer = await server.send(operations[id].method, pathOf(call), { key, body: call.body })
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
