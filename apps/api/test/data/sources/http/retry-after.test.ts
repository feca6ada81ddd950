import { describe, expect, it } from 'vitest'
import { parseRetryAfterMs } from '../../../../src/data/sources/http/connection.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['1', 1000],
    [' 120 ', 120_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ])('%s is %i ms', (value, ms) => {
    expect(parseRetryAfterMs(value, NOW)).toBe(ms)
  })

  it.each([undefined, '', '-1', '1.5', 'soon', '2026-11-21', '99999999999', '1, 2'])(
    '%s says nothing',
    (value) => {
      expect(parseRetryAfterMs(value, NOW)).toBeUndefined()
    },
  )
})
