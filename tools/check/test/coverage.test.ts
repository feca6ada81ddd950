import { describe, expect, it } from 'vitest'
import { documentedAnswers, judgeCoverage } from '../src/coverage.ts'

const ALL = documentedAnswers()

function without(answer: string): Set<string> {
  return new Set(ALL.filter((other) => other !== answer))
}

const NOTHING = { missing: [], reachedAfterAll: [], unknown: [], faults: [] }

describe('the documented responses of the contract', () => {
  it('have one entry for each error code and one for each format of a success', () => {
    expect(ALL).toContain('getProperty 200 application/json')
    expect(ALL).toContain('searchListings 200 text/csv')
    expect(ALL).toContain('searchListings 200 application/x-ndjson')
    expect(ALL).toContain('deleteWebhook 204')
    expect(ALL).toContain('getProperty 401 missing_api_key')
    expect(ALL).toContain('getProperty 401 invalid_api_key')
    expect(new Set(ALL).size).toBe(ALL.length)
  })
})

describe('the response coverage', () => {
  it('is complete if tests reached every documented response', () => {
    expect(judgeCoverage(new Set(ALL), '')).toMatchObject(NOTHING)
  })

  it('ignores responses that the contract does not document', () => {
    expect(judgeCoverage(new Set([...ALL, 'getJob 418 i_am_a_teapot']), '')).toMatchObject(NOTHING)
  })

  it('names a response that no test reached', () => {
    expect(judgeCoverage(without('getJob 404 job_not_found'), '')).toMatchObject({
      ...NOTHING,
      missing: ['getJob 404 job_not_found'],
    })
  })

  it('excuses a response that is listed with a reason', () => {
    const list = '# what this is\n\ngetJob 404 job_not_found  # there are no jobs yet\n'
    expect(judgeCoverage(without('getJob 404 job_not_found'), list)).toMatchObject(NOTHING)
  })

  it('names a listed response that a test reached after all', () => {
    const list = 'getJob 404 job_not_found # there are no jobs yet\n'
    expect(judgeCoverage(new Set(ALL), list)).toMatchObject({
      ...NOTHING,
      reachedAfterAll: ['getJob 404 job_not_found'],
    })
  })

  it('names a listed response that the contract does not have', () => {
    const list = 'getJob 418 teapot # it was one once\n'
    expect(judgeCoverage(new Set(ALL), list)).toMatchObject({ ...NOTHING, unknown: ['getJob 418 teapot'] })
  })

  it('requires a reason for each entry and sorted entries', () => {
    const list = 'listJobs 200 application/json # later\ngetJob 200 application/json\n'
    const reached = new Set(ALL.filter((answer) => !list.includes(answer)))
    expect(judgeCoverage(reached, list).faults).toEqual([
      'line 2 gives no reason: getJob 200 application/json',
      'line 2 is not in order: getJob 200 application/json',
    ])
  })

  it('refuses duplicate entries', () => {
    const line = 'getJob 200 application/json # later\n'
    expect(judgeCoverage(without('getJob 200 application/json'), line + line).faults).toHaveLength(1)
  })
})
