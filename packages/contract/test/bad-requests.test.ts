import { describe, expect, it } from 'vitest'
import { errorStatuses, type OperationId, operationIds, operations } from '../src/index.ts'
import { type BadRequest, badRequests } from '../test-cases/bad-requests.ts'

/** What a caller can bring about by a wrong request alone; the rest depends on the state of a service. */
const STATUSES_OF_WRONG_REQUESTS = [400, 401, 413, 415]
/** Which places a service knows is its state (apps/api/test/data/places). */
const CODES_OF_STATE: readonly string[] = ['unknown_place', 'ambiguous_place']

describe('the table of wrong requests', () => {
  it('has each request once', () => {
    const names = badRequests.map((row) => row.name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('expects only error codes that the contract documents for the operation', () => {
    for (const { name, operation, expect: expected } of badRequests) {
      if (operation === undefined) {
        expect(errorStatuses[expected.code], name).toContain(expected.status)
        continue
      }
      expect(operations[operation].statuses[expected.status]?.errors, name).toContain(expected.code)
    }
  })

  it('covers every error code that a wrong request can cause', () => {
    const missing = operationIds.flatMap((id) =>
      STATUSES_OF_WRONG_REQUESTS.flatMap((status) =>
        (operations[id].statuses[status]?.errors ?? [])
          .filter((code) => !CODES_OF_STATE.includes(code) && !reaches(id, code))
          .map((code) => `${id} ${status} ${code}`),
      ),
    )
    expect(missing).toEqual([])
  })
})

function reaches(id: OperationId, code: BadRequest['expect']['code']): boolean {
  return badRequests.some((row) => row.operation === id && row.expect.code === code)
}
