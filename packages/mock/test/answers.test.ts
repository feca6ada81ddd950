import { operationIds } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { type Body, withMock, withoutRequestId, withoutSize } from './calls.ts'
import {
  bodyExamples,
  documentedAnswers,
  faultsOfBody,
  faultsOfHeaders,
  validCall,
} from './contract-checks.ts'

const { call } = withMock()

const answers = operationIds.flatMap(documentedAnswers)
const successes = answers.filter(({ status }) => status < 400)
const refusals = answers.filter(({ status }) => status >= 400)

describe('without a Prefer header', () => {
  it.each(operationIds)('%s returns its first example', async (operation) => {
    const { path, init } = validCall(operation)
    const response = await call(path, init)
    const documented = documentedAnswers(operation).find(({ status }) => status === response.status)
    expect(response.status, await response.clone().text()).toBeLessThan(300)
    expect(documented).toBeDefined()
    if (!documented) return
    expect(faultsOfHeaders(documented, response.headers)).toEqual([])
    if (documented.mediaType === undefined) {
      expect(await response.text()).toBe('')
      return
    }
    const body = (await response.json()) as Body
    expect(faultsOfBody(documented, body)).toBe('')
    expect(body.request_id).toBe(response.headers.get('x-request-id'))
  })

  it.each(
    operationIds.flatMap((operation) =>
      Object.keys(bodyExamples(operation)).map((name) => [operation, name] as const),
    ),
  )('%s takes the body that the contract calls %s', async (operation, name) => {
    const { path, init } = validCall(operation, name)
    const response = await call(path, init)
    expect(response.status, await response.text()).toBeLessThan(300)
  })
})

describe('an example of a success', () => {
  const named = successes.flatMap((answer) =>
    Object.keys(answer.examples).map(
      (name) => [answer.operation, answer.status, answer.mediaType, name, answer] as const,
    ),
  )
  it.each(named)(
    '%s %i %s contains the example %s',
    async (operation, status, mediaType = '', name, answer) => {
      const { path, init } = validCall(operation)
      const response = await call(path, withoutSize(init), {
        prefer: `code=${status}, example=${name}`,
        accept: mediaType,
      })
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')?.split(';')[0]).toBe(mediaType)
      expect(faultsOfHeaders(answer, response.headers)).toEqual([])
      if (!/[/+]json$/.test(mediaType)) {
        expect((await response.text()).replaceAll('\r\n', '\n')).toBe(answer.examples[name])
        return
      }
      const body = (await response.json()) as Body
      expect(faultsOfBody(answer, body)).toBe('')
      expect(withoutRequestId(body)).toEqual(withoutRequestId(answer.examples[name] as Body))
    },
  )

  it.each(named)('%s %i %s finds %s by its name alone', async (operation, status, mediaType = '', name) => {
    const { path, init } = validCall(operation)
    const response = await call(path, init, { prefer: `example=${name}`, accept: mediaType })
    await response.arrayBuffer()
    expect(response.status).toBe(status)
  })
})

describe('an example of an error', () => {
  const coded = refusals.flatMap((answer) =>
    Object.keys(answer.examples).map((name) => [answer.operation, answer.status, name, answer] as const),
  )

  it('exists for each code of each operation', () => {
    expect(coded.length).toBeGreaterThan(300)
  })

  it.each(coded)('%s returns %i %s if the request prefers it', async (operation, status, name, answer) => {
    const { path, init } = validCall(operation)
    const response = await call(path, init, { prefer: `code=${status}, example=${name}` })
    expect(response.status).toBe(status)
    const body = (await response.json()) as Body
    const code = (answer.examples[name] as Body).error?.code
    // A code has the example of its name, and may have more whose names begin with it.
    expect(name.startsWith(code!)).toBe(true)
    expect(body.error?.code).toBe(code)
    expect(body.error?.request_id).toBe(response.headers.get('x-request-id'))
    expect(body.error?.doc_url).toBe(`/docs/errors#${code}`)
    expect(faultsOfBody(answer, body)).toBe('')
    expect(faultsOfHeaders(answer, response.headers)).toEqual([])
    expect(response.headers.get('x-credits-charged') ?? '0').toBe('0')
    expect(withoutRequestId(body)).toEqual(withoutRequestId(answer.examples[name] as Body))
  })

  it('is selected by its name or status alone, even if the call is invalid', async () => {
    const byName = await call('/v1/search', { method: 'POST' }, { prefer: 'example=out_of_credits' })
    expect([byName.status, ((await byName.json()) as Body).error?.code]).toEqual([402, 'out_of_credits'])
    expect(byName.headers.get('x-credits-remaining')).toBe('0')
    const byStatus = await call('/v1/search', { method: 'POST' }, { prefer: 'code=400' })
    expect([byStatus.status, ((await byStatus.json()) as Body).error?.code]).toEqual([400, 'missing_input'])
  })

  it('is JSON for any requested format', async () => {
    const response = await call('/v1/listings?format=csv', {}, { accept: 'text/csv', prefer: 'code=429' })
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('retry-after')).toBe('12')
    expect(response.headers.get('ratelimit')).toBe('"default";r=0;t=12')
  })
})
