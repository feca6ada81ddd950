// The documents for clients: a generator that gives a method one return type gives it the right one.

import { openapi } from '@lotline/contract'
import { clientView } from '@lotline/contract/client-view'
import openapi30 from '@lotline/contract/openapi-3.0.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: documents as JSON
type Json = any

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

/** The requirement says of these that they return rows (200), or a job for more of them (202). */
const ROWS_OR_JOB = ['getBuildingUnits', 'searchForRent', 'searchForSale', 'searchListings', 'searchSold']

const isJson = (mediaType: string) => mediaType === 'application/json' || mediaType.endsWith('+json')
const isSuccess = (status: string) => status.startsWith('2')

function read(document: Json) {
  const follow = (node: Json): Json =>
    node.$ref === undefined
      ? node
      : follow(
          node.$ref
            .slice(2)
            .split('/')
            .reduce(
              (at: Json, step: string) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')],
              document,
            ),
        )
  const operations: Json[] = Object.values(document.paths).flatMap((item: Json) =>
    METHODS.filter((method) => method in item).map((method) => ({
      ...item[method],
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(follow),
      responses: Object.fromEntries(
        Object.entries(item[method].responses).map(([status, one]) => [status, follow(one)]),
      ),
    })),
  )
  return { follow, operations }
}

describe.each([
  ['3.1', openapi as Json],
  ['3.0', openapi30 as Json],
])('the document for client generators in OpenAPI %s', (_, full) => {
  const view: Json = clientView(full)
  const { operations, follow } = read(view)

  it('has every operation of the contract', () => {
    const ids = (of: Json[]) => of.map(({ operationId }) => operationId)
    expect(ids(operations)).toEqual(ids(read(full).operations))
    expect(operations.length).toBeGreaterThan(45)
  })

  it('has one JSON body for each success status with a body', () => {
    for (const { operationId, responses } of operations)
      for (const [status, { content }] of Object.entries<Json>(responses).filter(([one]) => isSuccess(one))) {
        const bodies = Object.keys(content ?? {}).filter(isJson)
        expect([operationId, status, ...bodies]).toEqual([
          operationId,
          status,
          ...(status === '204' ? [] : ['application/json']),
        ])
      }
  })

  it('has one success status for each operation, and two only where a search returns rows or a job', () => {
    const several = operations
      .map(({ operationId, responses }) => [operationId, Object.keys(responses).filter(isSuccess)])
      .filter(([, statuses]) => statuses.length !== 1)
    expect(several.sort()).toEqual(ROWS_OR_JOB.map((id) => [id, ['200', '202']]))
  })

  it('omits responses that need an optional parameter, and that parameter', () => {
    expect(JSON.stringify(view)).not.toContain('"x-only-with"')
    const names = operations.flatMap(({ parameters }) => parameters.map(({ name }: Json) => name))
    expect(names).not.toContain('Prefer')
    expect(names).not.toContain('shape')
    expect(Object.keys(view.components.schemas)).not.toContain('ResoAnswer')
    // POST /v1/estimate returns it unasked.
    expect(Object.keys(view.components.schemas)).toContain('Estimate')
  })

  it('keeps the rest of the contract word for word', () => {
    const { operations: all } = read(full)
    for (const [index, { parameters, responses, ...rest }] of operations.entries()) {
      const whole = all[index]
      expect(parameters).toEqual(
        whole.parameters.filter(({ name }: Json) => name !== 'Prefer' && name !== 'shape'),
      )
      for (const [status, response] of Object.entries<Json>(responses)) {
        const { content, headers, ...others } = response
        const { content: bodies, headers: sent, ...like } = whole.responses[status]
        expect(others).toEqual(like)
        expect(bodies ?? {}).toMatchObject(content ?? {})
        expect(sent ?? {}).toMatchObject(headers ?? {})
      }
      const { parameters: _, responses: __, ...same } = whole
      expect(rest).toEqual(same)
    }
    for (const [group, members] of Object.entries<Json>(view.components))
      if (group !== 'responses') expect(full.components[group]).toMatchObject(members)
    expect(view.webhooks).toEqual(full.webhooks)
    const references = JSON.stringify(view).matchAll(/"\$ref":"([^"]+)"/g)
    for (const [, $ref] of references) expect(follow({ $ref }), $ref).toBeDefined()
  })

  it('does not modify the contract itself', () => {
    expect(JSON.stringify(full)).toContain('"x-only-with"')
  })
})

it('x-only-with names an optional parameter of each operation that has the response', () => {
  for (const { operationId, parameters, responses } of read(openapi).operations) {
    const marks = [...JSON.stringify(responses).matchAll(/"x-only-with":"([^"]+)"/g)].map(([, name]) => name)
    for (const mark of marks) {
      const named = parameters.find(({ name }: Json) => name === mark)
      expect([operationId, mark, named?.name, named?.required ?? false]).toEqual([
        operationId,
        mark,
        mark,
        false,
      ])
    }
  }
})
