import { operationIds } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { type Body, withMock } from './calls.ts'
import { documentedAnswers, faultsOfBody, faultsOfHeaders, validCall } from './contract-checks.ts'

const { call } = withMock()

describe('a Prefer header', () => {
  it.each([
    ['a name that does not exist', 'example=nothing_like_it', /has no example nothing_like_it.*cached/],
    ['a name of another status', 'code=404, example=cached', /with the status 404.*not_found/],
    ['a status that the operation never has', 'code=409', /never answers 409.*200, 304, 400/],
    ['a status that is none', 'code=abc', /must be an HTTP status/],
  ])('for %s is refused with an explanation', async (_, prefer, message) => {
    const response = await call('/v1/properties/48749425', {}, { prefer })
    const body = (await response.json()) as { error: { code: string; message: string } }
    expect([response.status, body.error.code]).toEqual([400, 'invalid_parameter'])
    expect(body.error.message).toMatch(message)
  })

  it('can be quoted, in any case, and combined with unknown preferences', async () => {
    const response = await call('/v1/me', {}, { prefer: 'respond-async, Example="withoutEmail"; wait=10' })
    expect(((await response.json()) as { data: object }).data).not.toHaveProperty('email')
  })

  it('for an example that the format lacks is refused', async () => {
    const response = await call(
      validCall('listListings').path,
      {},
      { prefer: 'example=truncated', accept: 'text/csv' },
    )
    expect([response.status, ((await response.json()) as Body).error?.code]).toEqual([
      400,
      'invalid_parameter',
    ])
  })

  it.each(operationIds)(
    'for a generated body gets one of %s that matches the contract',
    async (operation) => {
      const { path, init } = validCall(operation)
      const response = await call(path, init, { prefer: 'dynamic=true, seed=1' })
      const documented = documentedAnswers(operation).find(({ status }) => status === response.status)
      if (documented?.mediaType === undefined) return expect(response.status).toBe(204)
      expect(faultsOfBody(documented, await response.json())).toBe('')
      expect(faultsOfHeaders(documented, response.headers)).toEqual([])
    },
  )
})
