import { describe, expect, it } from 'vitest'
import { faultOfDateForm, parseDateForm } from '../../../src/data/ingest/date-form.ts'
import { parseMapping } from '../../../src/data/ingest/mapping.ts'
import { findTypesAt } from '../../../src/data/listings/contract-types.ts'
import { convert } from '../../../src/data/listings/convert.ts'

describe('a value', () => {
  it.each([
    ['', null],
    ['12', 12],
    ['-1.5', -1.5],
    ['.5', 0.5],
    ['1,234,567.89', 1_234_567.89],
    ['$ 5', 5],
    ['1.2e+06', 1_200_000],
    ['1e400', undefined],
    ['1,23', undefined],
    ['1 2', undefined],
    ['$', undefined],
    ['e5', undefined],
    ['NaN', undefined],
    ['0x10', undefined],
    ['12abc', undefined],
  ])('%j is the number %j', (text, number) => {
    const converted = convert(text, new Set(['number', 'null'] as const))
    expect('value' in converted ? converted.value : undefined).toBe(number)
  })

  it.each([
    ['YYYY-MM-DD', '2020-02-29', '2020-02-29'],
    ['YYYY-MM-DD', '2019-02-29', undefined],
    ['YYYY-MM-DD', '2020-2-9', undefined],
    ['M/D/YYYY', '12/1/2020', '2020-12-01'],
    ['M/D/YYYY', '13/1/2020', undefined],
    ['YYYYMMDDTHHmmss', '20141013T000000', '2014-10-13'],
    ['YYYY', '1990', '1990-01-01'],
    ['MM.YYYY', '07.1990', '1990-07-01'],
    ['MM.YYYY', '07x1990', undefined],
    ['MMMM-D-YYYY', 'April-24-2024', '2024-04-24'],
    ['MMMM-D-YYYY', 'april-4-2024', '2024-04-04'],
    ['MMMM-D-YYYY', 'Apr-24-2024', undefined],
    ['MMM D, YYYY', 'Sept 7, 2024', '2024-09-07'],
    ['MMM D, YYYY', 'Feb. 30, 2024', undefined],
    ['M/D/YY', '4/5/24', '2024-04-05'],
    ['M/D/YY', '4/5/99', '1999-04-05'],
    ['[sold on] D MMM YYYY', 'sold on 3 May 2020', '2020-05-03'],
    ['MMMM-D-YYYY h:mm A', 'May-18-2024 1:00 PM', '2024-05-18'],
    ['MMMM-D-YYYY h:mm A', 'May-18-2024 1:00', undefined],
  ])('in the form %s, %s is the day %s', (form, text, day) => {
    expect(parseDateForm(form)(text)?.day).toBe(day)
  })

  it.each([
    ['MMMM-D-YYYY h:mm A', 'America/Los_Angeles', 'May-18-2024 1:00 PM', '2024-05-18T20:00:00.000Z'],
    ['MMMM-D-YYYY h:mm A', 'America/New_York', 'January-8-2024 12:30 am', '2024-01-08T05:30:00.000Z'],
    ['MMMM-D-YYYY h:mm A', 'America/New_York', 'January-8-2024 12:30 p.m.', '2024-01-08T17:30:00.000Z'],
    ['MMMM-D-YYYY h:mm A', 'America/New_York', 'January-8-2024 13:30 PM', undefined],
    ['YYYY-MM-DD HH:mm:ss', 'America/Denver', '2026-03-08 01:59:59', '2026-03-08T08:59:59.000Z'],
    ['YYYY-MM-DD HH:mm', 'America/Denver', '2026-03-08 24:00', undefined],
    ['YYYY-MM-DDTHH:mmZ', undefined, '2026-03-08T23:00-0800', '2026-03-09T07:00:00.000Z'],
    ['YYYY-MM-DDTHH:mm:ssZ', undefined, '2026-03-08T23:00:00.123Z', '2026-03-08T23:00:00.000Z'],
  ])('in the form %s and the zone %s, %s is the moment %s', (form, zone, text, moment) => {
    const cell = parseDateForm(form, zone)(text)
    expect(cell && new Date(cell.ms).toISOString()).toBe(moment)
    expect(cell?.hasTime ?? true).toBe(true)
  })

  it.each([
    ['DD-MON-YYYY', 'has "ON", which is not a date token. Allowed are YYYY YY MMMM MMM '],
    ['MM/DD', 'has no year (YYYY)'],
    ['YYYY YYYY', 'has the same part of a date twice: remove YYYY'],
    ['MMM M YYYY', 'has the same part of a date twice: remove M'],
    ['YYYY h:mm', 'must have h and A together, or HH'],
  ])('cannot be read by the form %s', (form, fault) => {
    expect(faultOfDateForm(form)).toContain(fault)
    expect(() => parseMapping(`record: { zpid: "{a}" }\ncolumns: { a: { date: "${form}" } }`, 'm')).toThrow(
      `m is not a mapping: columns.a.date: "${form}" ${fault}`,
    )
  })

  it('has the types that the contract allows in its place', () => {
    expect(findTypesAt(['price'])).toEqual(new Set(['number', 'null']))
    expect(findTypesAt(['address', 'zipcode'])).toEqual(new Set(['string', 'null']))
    expect(findTypesAt(['priceHistory', 0, 'price'])).toEqual(new Set(['number', 'null']))
    expect(findTypesAt(['assessorGrade'])).toBeUndefined()
  })
})
