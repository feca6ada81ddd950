// The check that every answer of a test passes through refuses fields of `error.details` that the contract does not list.

import { expect, it } from 'vitest'
import { checkAnswer } from '../setup/contract-check.ts'

/** The path is no operation, so the response does not count toward the coverage of operations. */
function answerWith(code: string, details: object) {
  const request_id = 'req_01M7ZF9Q4F8W6ABPNN40TPXXJT'
  const error = { code, message: 'm', doc_url: `/docs/errors#${code}`, details, request_id }
  return {
    method: 'GET',
    url: '/v1/none',
    status: 400,
    headers: new Headers(),
    text: JSON.stringify({ error }),
  }
}

it("the test's check rejects a field of details under every error code that does not list it", () => {
  expect(() => checkAnswer(answerWith('invalid_parameter', { parameter: 'limit', maximum: 5 }))).not.toThrow()
  expect(() => checkAnswer(answerWith('missing_input', { parameter: 'limit', maximum: 5 }))).toThrow(
    'does not list error.details.maximum for missing_input',
  )
  expect(() => checkAnswer(answerWith('invalid_json', { parameter: 'body' }))).toThrow(
    'error.details.parameter',
  )
})
