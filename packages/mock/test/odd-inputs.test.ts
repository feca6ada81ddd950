import { operations } from '@lotline/contract'
import { type ExampleCall, exampleCallPath } from '@lotline/contract/example-calls'
import {
  emptyInputs,
  estimatedInputs,
  unknownInputs,
  unreadSearchUrls,
  unusedInputs,
} from '@lotline/contract/odd-inputs'
import { expect, it } from 'vitest'
import { type Body, withMock, withoutRequestId } from './calls.ts'

const { call: send } = withMock()

async function answerTo(call: ExampleCall, headers: Readonly<Record<string, string>> = {}) {
  const response = await send(exampleCallPath(call), {
    method: operations[call.id].method,
    headers: { ...headers, ...(call.body !== undefined && { 'content-type': 'application/json' }) },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Body),
  }
}

it.each(emptyInputs)(
  'an empty value has the same effect as an absent one: $name',
  async ({ call, plain }) => {
    const answer = await answerTo(call)
    const expected = await answerTo(plain)
    expect(answer.status).toBe(expected.status)
    expect(withoutRequestId(answer.body)).toEqual(withoutRequestId(expected.body))
  },
)

it.each(unknownInputs)(
  'the answer names what the contract does not know: $name',
  async ({ call, ignored }) => {
    const { status, headers, body } = await answerTo(call)
    expect(status).toBeLessThan(300)
    if (status === 204) expect(headers.get('x-ignored-input')).toBe(ignored.join(', '))
    else expect([...((body.meta?.ignored ?? []) as string[])].sort()).toEqual(ignored)
  },
)

it.each(unusedInputs)(
  'the answer names what the call does not use: $name',
  async ({ call, headers, ignored }) => {
    const answer = await answerTo(call, headers)
    expect(answer.status).toBeLessThan(300)
    if (answer.status === 204) expect(answer.headers.get('x-ignored-input')).toBe(ignored.join(', '))
    else expect([...((answer.body.meta?.ignored ?? []) as string[])].sort()).toEqual(ignored)
  },
)

it.each(estimatedInputs)(
  'the estimate of a call reads it as the call itself: $name',
  async ({ call, ignored }) => {
    const answer = await answerTo(call)
    expect(answer.status).toBe(200)
    expect([...((answer.body.meta?.ignored ?? []) as string[])].sort()).toEqual(ignored)
  },
)

it('a CSV response names ignored input in a header', async () => {
  const bbox = '-122.375,47.622,-122.340,47.650'
  const response = await send(`/v1/listings?bbox=${bbox}&format=csv&page=2`)
  expect(response.headers.get('x-ignored-input')).toBe('page')
})

it.each(unreadSearchUrls)('the response names input that has no effect: $name', async ({ call, ignored }) => {
  const { status, body } = await answerTo(call)
  expect(status).toBe(200)
  expect([...((body.meta?.ignored ?? []) as string[])].sort()).toEqual(ignored)
})
