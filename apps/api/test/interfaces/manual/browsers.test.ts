// What the service shows a browser that comes without a path, or with one that there is nothing at; and what programs get.

import { sampleListings } from '@lotline/sample-data'
import { describe, expect, it } from 'vitest'
import { SAMPLE_BUILDING_URL } from '../../../src/interfaces/manual/reference-document.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const server = withTestServer(withTestDatabase())
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const asked = (path: string, accept: string) =>
  fetch(server.url + path, { headers: { accept }, redirect: 'manual' })

describe('a browser', () => {
  it('is redirected from / to the manual', async () => {
    const answer = await asked('/', BROWSER)
    expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([
      302,
      '/docs',
      'Accept',
    ])
  })

  it.each(['/docs/nope', '/docs/jobs/nope?x=1', '/docs/<script>alert(1)</script>'])(
    'gets an error page for an unknown path of the manual: %s',
    async (path) => {
      const answer = await asked(path, BROWSER)
      const text = await answer.text()
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
      expect(text).toContain('<h1>Page not found</h1>')
      expect(text).toContain('href="/docs/jobs"')
      expect(text).not.toContain('alert(1)')
    },
  )

  it.each(['/v1/nope', '/nope'])('gets the error envelope for other unknown paths: %s', async (path) => {
    const answer = await asked(path, BROWSER)
    expect(answer.headers.get('content-type')).toBe('application/json')
  })
})

it.each(['/', '/docs/nope'])('a program gets the error envelope: %s', async (path) => {
  for (const accept of ['*/*', 'application/json']) {
    const answer = await asked(path, accept)
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      'not_found',
    ])
  }
})

describe('a call from the reference', () => {
  it('uses a building of the sample, and no fixed Idempotency-Key', async () => {
    const { json } = await server.get('/docs/openapi.json')
    const { BuildingUrl, ...others } = json.components.parameters
    expect(Object.values(BuildingUrl.examples as Record<string, { value: string }>)[0]!.value).toBe(
      SAMPLE_BUILDING_URL,
    )
    const key = Object.values(others as Record<string, { name: string }>).find(
      ({ name }) => name === 'Idempotency-Key',
    )
    expect(key).toBeDefined()
    expect(key).not.toHaveProperty('example')
    const { pathname } = new URL(SAMPLE_BUILDING_URL)
    const units = [...sampleListings({ asOf: Date.now() })].filter(({ bdpUrl }) => bdpUrl === pathname)
    expect(units.length).toBeGreaterThan(1)
  })

  it('sends only required parameters, until the reader selects more', async () => {
    const { json } = await server.get('/docs/openapi.json')
    interface DocumentedParameter {
      readonly name: string
      readonly required?: boolean
      readonly example?: unknown
      readonly examples?: Readonly<Record<string, { readonly 'x-disabled'?: boolean }>>
    }
    const sent = Object.values(json.components.parameters as Record<string, DocumentedParameter>)
      .filter(({ required }) => !required)
      .filter(
        ({ example, examples = {} }) =>
          example !== undefined || Object.values(examples).some((one) => !one['x-disabled']),
      )
    // A search of the listings must say where.
    expect(sent.map(({ name }) => name)).toEqual(['bbox'])
  })

  it('starts from a page that declares its language', async () => {
    expect((await server.get('/docs/reference/')).text).toMatch(/<html[^>]* lang="en"/)
  })
})
