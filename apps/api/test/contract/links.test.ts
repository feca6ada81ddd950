// Follows each link of the contract from a real response, as an OpenAPI client does.

import { type OperationId, openapi, operationIds, operations } from '@lotline/contract'
import { listParameters, type Node, operationNode, resolve } from '@lotline/contract/nodes'
import { beforeAll, expect, it } from 'vitest'
import { loadSample } from '../../src/data/ingest/load-sample.ts'
import {
  type ExampleCall,
  everyExampleCall,
  exampleCallPath,
  minimalCall,
  sendCall,
} from '../setup/example-calls.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { TAKES_ADDRESSES, type TestResponse, withTestServer } from '../setup/test-server.ts'
import { untilEnded, withWorker } from '../work/jobs/job-calls.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: TAKES_ADDRESSES })
withWorker(server)
beforeAll(() => loadSample(testDatabase.database))

interface Link {
  readonly operationId: OperationId
  readonly parameters: Readonly<Record<string, string>>
}

interface LinkedOperation {
  readonly id: OperationId
  readonly status: number
  readonly links: Readonly<Record<string, Link>>
}

const linked = operationIds.flatMap((id): LinkedOperation[] =>
  Object.entries(operationNode(id).responses as Node).flatMap(([status, response]) => {
    const links = Object.entries((resolve(response).links ?? {}) as Node)
    if (links.length === 0) return []
    const resolved = links.map(([name, link]) => [name, resolve(link) as unknown as Link])
    return { id, status: Number(status), links: Object.fromEntries(resolved) }
  }),
)

/** A runtime expression, evaluated on a response: `$response.body#` and a JSON Pointer. */
function evaluate(expression: string, { json }: TestResponse): string {
  const [, pointer] = /^\$response\.body#\/(.+)$/.exec(expression) ?? []
  if (pointer === undefined) throw new Error(`The test does not know the expression ${expression}.`)
  const value = pointer.split('/').reduce<unknown>((at, step) => (at as Node)[step], json)
  expect(typeof value, expression).toBe('string')
  return value as string
}

/** Changes that turn a call into a job if all its examples are answered synchronously. */
const AS_JOB: Readonly<Partial<Record<OperationId, { readonly query?: object; readonly body?: object }>>> = {
  getBuildingUnits: { query: { sync: 'false' } },
  searchForSale: { body: { async: true } },
}

/** Calls of the operation, from the contract's own examples. */
async function callsOf(id: OperationId, key: string): Promise<ExampleCall[]> {
  const minimal = minimalCall(id)
  const { query, body } = AS_JOB[id] ?? {}
  const asJob = {
    ...minimal,
    query: { ...minimal.query, ...query },
    ...(body && { body: { ...(minimal.body as object), ...body } }),
  }
  const calls = [asJob, ...everyExampleCall(id).map(({ call }) => call)]
  if (!operations[id].path.includes('{id}')) return calls
  const { json } = await sendCall(server, minimalCall('createPropertyBatch'), { key })
  return calls.map((call) => ({ ...call, params: { id: json.data.job_id } }))
}

it.each(linked)(
  'the links of $id lead from its $status response to the linked operation',
  async ({ id, status, links }) => {
    const { key } = await server.openAccount()
    let answer: TestResponse | undefined
    for (const call of await callsOf(id, key)) {
      answer = await sendCall(server, call, { key })
      if (answer.status === status) break
    }
    expect(answer?.status, answer?.text).toBe(status)

    const addresses: string[] = []
    for (const [name, { operationId, parameters }] of Object.entries(links)) {
      const values = Object.entries(parameters).map(([parameter, expression]) => [
        parameter,
        evaluate(expression, answer!),
      ])
      const params = Object.fromEntries(values)
      const known = listParameters(operationId).flatMap((one) => (one.in === 'path' ? one.name : []))
      expect(Object.keys(params), name).toEqual(known)
      // Results exist when the job has ended.
      if (operationId === 'getJobResults') await untilEnded(server, key, params.id!)
      const call = { id: operationId, params, query: {} }
      const found = await sendCall(server, call, { key })
      expect(found.status, found.text).toBe(200)
      addresses.push(exampleCallPath(call))
    }
    if (status !== 200) expect(addresses).toContain(answer!.headers.get('location'))
  },
)

it('this test follows every link in the contract', () => {
  const used = linked.flatMap(({ links }) => Object.values(links))
  for (const [name, link] of Object.entries(openapi.components.links!))
    expect(used, name).toContain(link as unknown as Link)
})
