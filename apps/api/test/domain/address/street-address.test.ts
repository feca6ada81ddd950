import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatAddress,
  parseAddress,
  readStreetAddress,
  type StreetAddress,
} from '../../../src/domain/address/street-address.ts'
import { SUFFIXES } from '../../../src/domain/address/street-words.ts'
import { anyText } from '../../setup/any-text.ts'
import { needSharedText } from '../record/shared-data.ts'

function parse(text: string): StreetAddress {
  const address = parseAddress(text)
  if ('refused' in address) throw new Error(`${text}: ${address.message}`)
  return address
}

describe('spellings of one address have the same normal form', () => {
  test.each([
    [
      '243 E 7TH ST | | NEW YORK | NY | 10009',
      '243 East 7th Street, New York, NY 10009',
      '243 E 7th St, New York, NY 10009-1234',
      '243 e. 7th st., new york, new york, 10009',
      '243 EAST 7TH STREET NEW YORK NY 10009',
      '  243\tEast  7th St ,, New York NY 100091234, USA ',
      '243 East 7th Street\nNew York, NY 10009 1234',
    ],
    [
      '160 E 65TH ST | 18DE | NEW YORK | NY | 10065',
      '160 EAST 65TH STREET, 18DE, New York, NY 10065',
      '160 E 65th St Apt 18-DE, New York, NY 10065',
      '160 E 65th St #18DE, New York, NY 10065',
      '160 E. 65th Street, Unit 18 DE, New York, NY 10065',
      'Apt 18DE, 160 East 65th Street, New York, NY 10065',
      '160 E 65th St apartment 18de New York NY 10065',
      '160 East 65th St. APT. # 18DE New York New York 10065',
    ],
    [
      '1745 T ST SE | | WASHINGTON | DC | 20020',
      '1745 T Street Southeast, Washington, DC 20020',
      '1745 T St. S.E., Washington, D.C. 20020',
      '1745 T St S E, Washington, District of Columbia 20020',
      '1745 T St SE Washington DC 20020',
    ],
    [
      '100 SW 8TH ST | | MIAMI | FL | 33130',
      '100 Southwest 8th Street, Miami, Florida 33130',
      '100 S.W. 8th St, Miami FL 33130',
      '100 S W 8th St Miami FL 33130',
    ],
    [
      '16 ST MARKS PL | | NEW YORK | NY | ',
      '16 Saint Marks Place, New York, NY',
      "16 St. Mark's Pl, New York, NY",
      '16 ST MARKS PL NEW YORK NY',
    ],
    [
      '21 FT WASHINGTON AVE | 2D | NEW YORK | NY | 10032',
      '21 FT. WASHINGTON AVENUE, 2D, New York, NY 10032',
      '21 Fort Washington Ave Apt 2D, New York, NY 10032',
    ],
    [
      '421 1/2 6TH ST SE | | WASHINGTON | DC | 20003',
      '421 1/2 6th Street Southeast, Washington, DC 20003',
      '421½ 6th St SE, Washington, DC 20003',
    ],
    [
      '123 MAIN ST | | ST LOUIS | MO | 63101',
      '123 Main St, St. Louis, MO 63101',
      '123 Main Street, Saint Louis, Missouri 63101',
      '123 Main St Saint Louis MO 63101',
    ],
    [
      '1210 DEXTER AVE N | 407 | SEATTLE | WA | 98109',
      'The Marlowe, 1210 Dexter Ave N APT 407, Seattle, WA 98109',
      '1210 Dexter Avenue North, Suite 407, Seattle, WA 98109',
      '1210 Dexter Ave N STE 0407, Seattle, WA, 98109, United States',
      '1200 Dexter, 1210 Dexter Ave N # 407, Seattle, WA 98109',
    ],
    ['155 AVE C | 5A | NEW YORK | NY | ', '155 Avenue C, 5A, New York, NY', '155 AVE C APT 5A NEW YORK NY'],
    [
      '376 BROADWAY | | NEW YORK | NY | 10013',
      '376 Broadway, New York, NY 10013',
      '376 BROADWAY NEW YORK NY 10013',
    ],
    [
      '123 MAIN ST | 4-12 | MIAMI | FL | 33101',
      '123 Main St Bldg 4 Apt 12, Miami, FL 33101',
      '123 Main St # 4-12 Miami FL 33101',
    ],
    [
      '11 W 30TH ST | 14 | | | ',
      '11 WEST 30TH STREET, 14 FL',
      '11 W 30th St, 14th Floor',
      '11 West 30th St FL 14',
    ],
    [
      '73 WORTH ST | PHE | NEW YORK | NY | ',
      '73 WORTH STREET, PH E, New York, NY',
      '73 Worth St Penthouse E, New York, NY',
    ],
    [
      '123 FAIR OAK CT | | HARTFORD | CT | 06103',
      '123 Fair Oak Court, Hartford, CT 06103',
      '123 Fair Oak Ct Hartford CT 06103',
    ],
    ['1 MAIN ST | | BOSTON | MA | ', 'One Main Street, Boston, MA', '1 Main St, Boston, Massachusetts'],
    [
      '400 US HWY 98 | | MEXICO BEACH | FL | 32456',
      '400 US Highway 98, Mexico Beach, FL 32456',
      '400 U.S. HWY 98 MEXICO BEACH FL 32456',
    ],
    [
      '100 MAIN ST | | WEST PALM BEACH | FL | 33401',
      '100 Main St, West Palm Beach, FL 33401',
      '100 Main St West Palm Beach FL 33401',
    ],
    ['123 NANDU RD | | MIAMI | FL | ', '123 Ñandú Road, Miami, FL', '１２３ Nandu Rd, Miami, FL'],
  ])('%s', (expected, ...spellings) => {
    for (const spelling of spellings) {
      const { key, unit = '', city = '', state = '', zip = '' } = parse(spelling)
      const parts = [key, unit, city, state, zip].map((part) => part.trim())
      expect(`${parts.join(' | ')}`.replaceAll('|  |', '| |').replaceAll('|  |', '| |'), spelling).toBe(
        expected,
      )
    }
  })
})

describe('different addresses have different normal forms', () => {
  test.each([
    ['10 North St, Barre, VT', '10 N St, Barre, VT'],
    ['80 North East Street, Holyoke, MA', '80 Northeast Street, Holyoke, MA'],
    ['133 2 Avenue, New York, NY', '133 2nd Avenue, New York, NY'],
    ['2040 89th St, Queens, NY', '20-40 89th St, Queens, NY'],
    ['5 Main St Apt 1-12, Reno, NV', '5 Main St Apt 11-2, Reno, NV'],
    ['5 Main St Apt 3C/D, Reno, NV', '5 Main St Apt 3CD, Reno, NV'],
    ['5 Oak Dr, Reno, NV', '5 Oak St, Reno, NV'],
    ['5 Oak Dr E, Reno, NV', '5 E Oak Dr, Reno, NV'],
    ['5 Park Ave, Reno, NV', '5 Parks Ave Rd, Reno, NV'],
  ])('%s and %s', (one, other) => {
    expect(formatAddress(parse(one))).not.toBe(formatAddress(parse(other)))
  })
})

test('the name of a state that is also a city counts as a city if there is no other', () => {
  expect(parse('123 Main St, New York')).toMatchObject({ city: 'NEW YORK' })
  expect(parse('123 Main St, New York')).not.toHaveProperty('state')
  expect(parse('123 Main St, Washington 20001')).toMatchObject({ city: 'WASHINGTON', zip: '20001' })
  expect(parse('123 Main St, Ohio')).toMatchObject({ state: 'OH' })
})

test('a two-letter word that reads as street or floor is no state', () => {
  expect(parse('1234 H St NE 20002')).toMatchObject({ key: '1234 H ST NE', zip: '20002' })
  expect(parse('1234 H St NE 20002')).not.toHaveProperty('state')
  expect(parse('5 Fair Oak Ct 98101').key).toBe('5 FAIR OAK CT')
  expect(parse('123 Main St Lincoln NE 68501')).toMatchObject({ city: 'LINCOLN', state: 'NE' })
})

describe('an address without house number and street is refused with invalid_address', () => {
  test.each([
    ['nothing', ''],
    ['5 characters', '1 A S'],
    ['5 characters and spaces', '  1 A S   '],
    ['spaces', '            '],
    ['a number', '1234567'],
    ['a ZIP code', '98109-1234'],
    ['a city', 'Seattle, WA 98109'],
    ['a street without number', 'Pennsylvania Avenue NW, Washington, DC 20500'],
    ['a number and a ZIP code', '123 98101'],
    ['an ordinal', '7th Avenue, New York, NY'],
    ['commas', ',,,,,,,'],
    ['signs', '#### @@@@ !!!!'],
    ['Cyrillic', '12 Улица Ленина, Москва'],
    ['Chinese', '北京市朝阳区建国路12号'],
    ['Arabic', 'شارع الملك ١٢ دبي'],
    ['emoji', '🏠🏠🏠🏠🏠🏠'],
    ['only a unit', 'Apt 4, Unit 5'],
    ['301 characters', `123 Main St, ${'a'.repeat(301 - 13)}`],
    ['8 kB', `123 Main St, ${'a '.repeat(4096)}`],
    ['nulls', '\u0000\u0000\u0000\u0000\u0000\u0000\u0000'],
  ])('%s', (_, text) => {
    expect(parseAddress(text)).toMatchObject({ refused: true, code: 'invalid_address' })
  })

  test('an address may have 300 characters', () => {
    const text = `123 Main St, ${'Long '.repeat(60)}`.slice(0, 300)
    expect(parseAddress(text)).toMatchObject({ key: '123 MAIN ST' })
  })
})

test('every normal spelling of a suffix stays unchanged', () => {
  for (const normal of SUFFIXES.values()) expect(SUFFIXES.get(normal)).toBe(normal)
})

const word = fc.constantFrom(
  'Main',
  'Oak',
  'Lake',
  'Saint',
  'St',
  'North',
  'E',
  '7th',
  '2',
  'Park',
  'Avenue',
  'Rd',
  'Court',
  'Broadway',
  'Highway',
  '98',
  'US',
  'B',
  'Hill',
  'of',
  'the',
)
const unit = fc.constantFrom(
  '',
  ' Apt 4B',
  ' #12',
  ', 18DE',
  ', PH',
  ' Unit B-01',
  ' Ste 100',
  ', LL-A',
  ' FL 3',
  ', Bldg 2 Apt 5',
  ' REAR',
)
const place = fc.constantFrom(
  '',
  ', Seattle, WA 98101',
  ' Seattle WA 98101-1234',
  ', New York',
  ', St. Louis, MO',
  ', DC 20001',
  ' West Palm Beach FL',
  ', 98101',
)
const written = fc
  .tuple(fc.integer({ min: 1000, max: 99_999 }), fc.array(word, { minLength: 1, maxLength: 5 }), unit, place)
  .map(([number, words, of, at]) => `${number} ${words.join(' ')}${of}${at}`)

test('parsing the normal spelling again changes nothing', () => {
  fc.assert(
    fc.property(written, (text) => {
      const address = parseAddress(text)
      if ('refused' in address) return
      expect(parseAddress(formatAddress(address)), formatAddress(address)).toEqual(address)
    }),
    { numRuns: 5000, seed: 1 },
  )
})

test('case, double spaces, and periods make no difference', () => {
  fc.assert(
    fc.property(written, (text) => {
      // The message of a refusal shows the text that was sent.
      const read = (spelling: string) => {
        const address = parseAddress(spelling)
        return 'refused' in address ? address.code : address
      }
      const address = read(text)
      expect(read(text.toUpperCase())).toEqual(address)
      expect(read(text.toLowerCase())).toEqual(address)
      expect(read(text.replaceAll(' ', '  '))).toEqual(address)
      expect(read(text.replaceAll(/([a-z]{2})(?= |,|$)/gi, '$1.'))).toEqual(address)
    }),
    { numRuns: 2000, seed: 2 },
  )
})

test('parsing never throws', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 320 }), (text) => {
      expect(parseAddress(text)).toBeTypeOf('object')
      expect(parseAddress(`12 Main ${text}`)).toBeTypeOf('object')
    }),
  )
})

test('the key of a record equals the key of its own address', () => {
  const record = readStreetAddress({
    street: '160 EAST 65TH STREET, 18DE',
    city: 'New York',
    state: 'NY',
    zip: '10065',
  })
  expect(record).toEqual(parse('160 E 65th St Apt 18DE, New York, NY 10065'))
  expect(readStreetAddress({ street: '36 STATE ST FL 2', state: 'Vermont', zip: '5401' })).toMatchObject({
    unit: '2',
    state: 'VT',
    zip: '05401',
  })
  expect(readStreetAddress({ street: 'N/A CUMMING STREET' })).toBeUndefined()
  expect(readStreetAddress({ street: '' })).toBeUndefined()
})

const ABBREVIATED: readonly (readonly [RegExp, string])[] = [
  [/\bStreet\b/g, 'St'],
  [/\bAvenue\b/g, 'Ave.'],
  [/\bDrive\b/g, 'Dr'],
  [/\bRoad\b/g, 'RD'],
  [/\bNorthwest\b/g, 'N.W.'],
  [/\bSoutheast\b/g, 'se'],
]

test('real addresses are found by every usual spelling', (context) => {
  const text = needSharedText(
    context,
    'rrad-addresses/addresses-us-all.json',
    'real addresses are found by every usual spelling',
  )
  const { addresses } = JSON.parse(text) as { addresses: Readonly<Record<string, string>>[] }
  let judged = 0
  let withoutCommas = 0
  for (const { address1 = '', address2 = '', city = '', state = '', postalCode = '' } of addresses) {
    const record = readStreetAddress({
      street: [address1, address2].filter(Boolean).join(', '),
      city,
      state,
      zip: postalCode,
    })
    if (!record) continue
    judged++
    const short = ABBREVIATED.reduce((line, [from, to]) => line.replace(from, to), address1)
    const separated = `${short}${address2 && `, ${address2}`}, ${city}, ${state} ${postalCode}-0001`
    expect(parseAddress(separated), separated).toEqual(record)
    expect(parseAddress(formatAddress(record))).toEqual(record)
    const bare = parseAddress(separated.replaceAll(',', ' ').toUpperCase())
    if (!('refused' in bare) && bare.key === record.key && bare.unit === record.unit) withoutCommas++
  }
  expect(judged).toBeGreaterThan(3000)
  // A street without a suffix cannot be distinguished from its city without a comma.
  expect(withoutCommas / judged).toBeGreaterThan(0.97)
})

test('real New York addresses with units are found by their own spelling', (context) => {
  const text = needSharedText(
    context,
    'unified-records/nyc-rolling-sales.ndjson.gz',
    'real New York addresses with units are found by themselves',
  )
  let judged = 0
  let found = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const { address } = JSON.parse(line) as { address: Readonly<Record<string, string>> }
    const { streetAddress = '', city = '', state = '', zipcode = '' } = address
    const record = readStreetAddress({ street: streetAddress, city, state, zip: zipcode })
    if (!record) continue
    judged++
    const asked = parseAddress(`${streetAddress}, ${city}, ${state} ${zipcode}`)
    if ('refused' in asked) continue
    if (asked.key === record.key && asked.unit === record.unit && asked.zip === record.zip) found++
  }
  expect(judged).toBeGreaterThan(40_000)
  // The rest have a word as their unit (HOTEL, ANCIL), which reads as a neighborhood.
  expect(found / judged).toBeGreaterThan(0.997)
})
