import { openapi } from '@lotline/contract'
import { expect, it } from 'vitest'
import { withMock } from './calls.ts'

const { mock } = withMock()

it('the mock allows CORS preflight requests on any path, without a key, for every header of the API', async () => {
  const wanted = 'authorization, content-type, idempotency-key, prefer'
  const response = await fetch(`${mock().origin}/v1/search`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': wanted,
    },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-methods')).toContain('POST')
  expect(response.headers.get('access-control-allow-headers')).toBe(wanted)
  expect(response.headers.has('access-control-allow-credentials')).toBe(false)
})

it.each(['/v1/me', '/v1/unknown', '/docs'])(
  'a page may read the answer of %s, and all its headers',
  async (path) => {
    const response = await fetch(mock().origin + path, { headers: { origin: 'https://app.example.com' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(Object.keys(openapi.components.headers ?? {})))
  },
)
