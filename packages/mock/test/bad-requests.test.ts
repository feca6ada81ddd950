import type { ErrorCode } from '@lotline/contract'
import {
  type BadRequest,
  badRequests,
  concernsParameter,
  isCatalogueCode,
  toRequestInit,
} from '@lotline/contract/bad-requests'
import { refusedAreas, stringifyKeepingNumbers } from '@lotline/contract/refused-areas'
import { refusedQueries } from '@lotline/contract/refused-queries'
import { describe, expect, it } from 'vitest'
import { withMock } from './calls.ts'

const { call, mock } = withMock()

describe('the mock refuses a wrong request with the status and code of the service:', () => {
  it.each(badRequests.map((row) => [row.name, row] as const))('%s', async (_, row: BadRequest) => {
    const response = await fetch(mock().origin + row.path, toRequestInit(row, mock().key))
    const { error } = (await response.json()) as {
      error: { code: ErrorCode; message: string; request_id: string; details?: { parameter?: string } }
    }
    expect([response.status, error.code], error.message).toEqual([row.expect.status, row.expect.code])
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(error.request_id).toBe(response.headers.get('x-request-id'))
    expect(isCatalogueCode(error), error.message).toBe(true)
    if (row.expect.status === 400 && concernsParameter(error)) {
      expect(error.details?.parameter, error.message).toMatch(/^[\w-]+(\.[\w-]+)*$/)
    }
    if (row.expect.allow) {
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(row.expect.allow.toSorted())
    }
    if (row.expect.status === 401) expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})

describe('the mock refuses an invalid area with the details of the service:', () => {
  const headers = { 'content-type': 'application/json' }
  const detailsOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: ErrorCode; details?: object } }
    return [response.status, error.code, error.details]
  }

  it.each(refusedAreas.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const place = row.path === '' ? 'filters.area' : `filters.area.${row.path}`
    const details = { parameter: place, path: place, hint: expect.stringMatching(row.hint) }
    const expected = [400, 'invalid_filters', { ...details, ...(row.position && { position: row.position }) }]
    for (const [method, path, rest] of [
      ['POST', '/v1/search', {}],
      ['POST', '/v1/search/with-details', {}],
      ['POST', '/v1/watches', { name: 'One' }],
    ] as const) {
      const body = stringifyKeepingNumbers({ filters: { area: row.area }, ...rest })
      expect(await detailsOf(await call(path, { method, body, headers })), path).toEqual(expected)
    }
  })

  it.each(refusedQueries.map((row) => [row.name, row] as const))('%s in a query', async (_, row) => {
    const details = { parameter: row.path, path: row.path, hint: expect.stringMatching(row.hint) }
    const expected = [400, 'invalid_filters', { ...details, ...(row.position && { position: row.position }) }]
    const response = await call(`/v1/listings?${new URLSearchParams(row.query)}`)
    expect(await detailsOf(response)).toEqual(expected)
  })
})

describe('in other cases, the mock', () => {
  it('answers HEAD like GET without a body where GET is free, and with 405 where it costs credits', async () => {
    const free = await call('/v1/me', { method: 'HEAD' })
    expect([free.status, await free.text()]).toEqual([200, ''])
    const priced = await call('/v1/properties/48749425', { method: 'HEAD' })
    expect([priced.status, priced.headers.get('allow')]).toEqual([405, 'GET'])
  })

  it.each(['/', '/docs', '/openapi.json', '/healthz'])('there is nothing at %s', async (path) => {
    const response = await fetch(mock().origin + path)
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
  })

  it('ignores unknown query parameters and fields, even repeated ones', async () => {
    expect((await call('/v1/me?x=1&x=2&__proto__=3')).status).toBe(200)
    const body = JSON.stringify({ url: 'https://hooks.example.com/', surprise: true })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    expect((await call('/v1/webhooks', { method: 'POST', body, headers })).status).toBe(201)
  })

  it('accepts the key with the Bearer scheme in any case', async () => {
    const headers = { authorization: `bearer ${mock().key}` }
    expect((await fetch(`${mock().origin}/v1/me`, { headers })).status).toBe(200)
  })
})
