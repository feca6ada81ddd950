import { describe, expect, it } from 'vitest'
import {
  type ErrorCode,
  errorMeanings,
  errorStatuses,
  openapi,
  operationIds,
  operations,
} from '../src/index.ts'

describe('the operation table', () => {
  it('lists each operation of the bundled document under its id, method, and path', () => {
    const inBundle = Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => ['get', 'put', 'post', 'patch', 'delete'].includes(method))
        .map(([method, operation]) => {
          const { operationId } = operation as { operationId: string }
          return [operationId, method.toUpperCase(), path]
        }),
    )
    expect(operationIds.map((id) => [id, operations[id].method, operations[id].path])).toEqual(inBundle)
  })

  it('has at least one success status for each operation and the codes of each refusal', () => {
    for (const id of operationIds) {
      const statuses = Object.entries(operations[id].statuses)
      expect(
        statuses.some(([status]) => Number(status) < 300),
        id,
      ).toBe(true)
      for (const [status, { errors }] of statuses)
        expect(errors.length > 0, `${id} ${status}`).toBe(Number(status) >= 400)
    }
  })

  it('documents the remaining key limit wherever it documents the remaining credits', () => {
    // The places of responses that have the one header and not the other.
    const lacking: string[] = []
    const look = (node: unknown, place: string) => {
      if (typeof node !== 'object' || node === null) return
      const { headers } = node as { readonly headers?: object }
      if (headers && 'X-Credits-Remaining' in headers && !('X-Key-Credits-Remaining' in headers))
        lacking.push(place)
      for (const [name, inner] of Object.entries(node)) look(inner, `${place}/${name}`)
    }
    look({ paths: openapi.paths, components: openapi.components }, '')
    expect(lacking).toEqual([])
  })

  it('lists the response formats of each operation', () => {
    const withFormats = operationIds.filter((id) => operations[id].acceptsFormats.includes('text/csv'))
    expect(withFormats.toSorted()).toEqual([
      'getJobResults',
      'listListings',
      'listWatchEvents',
      'searchForRent',
      'searchForSale',
      'searchListings',
      'searchSold',
      'summarizeUsage',
    ])
    for (const id of withFormats) expect(operations[id].queryParameters, id).toContain('format')
    expect(operations.deleteWebhook.acceptsFormats).toEqual([])
  })
})

describe('the error catalogue', () => {
  it('has a status and a meaning for each code', () => {
    const codes = Object.keys(errorStatuses) as ErrorCode[]
    expect(Object.keys(errorMeanings)).toEqual(codes)
    for (const code of codes) {
      expect(errorStatuses[code], code).not.toEqual([])
      expect(errorMeanings[code].meaning, code).toMatch(/\.$/)
      expect(errorMeanings[code].remedy, code).toMatch(/\.$/)
    }
  })

  it('allows each code only under its own status', () => {
    for (const id of operationIds)
      for (const [status, { errors }] of Object.entries(operations[id].statuses))
        for (const code of errors) expect(errorStatuses[code], `${id} ${code}`).toContain(Number(status))
  })
})
