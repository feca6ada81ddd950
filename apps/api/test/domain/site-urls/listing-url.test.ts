import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listingSites } from '../../../src/domain/site-urls/listing-sites.ts'
import {
  type BuildingKey,
  findPathReference,
  parseBuildingUrl,
  parseListingUrl,
  referenceKey,
} from '../../../src/domain/site-urls/listing-url.ts'
import { anyText } from '../../setup/any-text.ts'

const HOSTS = { hosts: ['zillow.com'] }
const SITE = 'https://www.zillow.com'

describe('every form of a listing URL is read', () => {
  test.each([
    [`${SITE}/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/`, '48749425'],
    [`${SITE}/homedetails/48749425_zpid/`, '48749425'],
    [`${SITE}/homedetails/48749425_zpid`, '48749425'],
    [`${SITE}/homedetails/a-b/48749425_zpid/?view=public&x=%2F#photos`, '48749425'],
    ['http://zillow.com/homedetails/1_zpid/', '1'],
    ['HTTPS://WWW.Zillow.COM/homedetails/1_zpid/', '1'],
    ['https://mobile.m.zillow.com/homedetails/1_zpid/', '1'],
    [`${SITE}/homedetails/12-Ca%C3%B1on-Dr/0012_zpid/`, '0012'],
    [`${SITE}/homedetails/12-Cañon-Dr/12_zpid/`, '12'],
  ])('a home: %s', (url, zpid) => {
    expect(parseListingUrl(url, HOSTS)).toEqual({ kind: 'home', zpid })
  })

  test.each<[string, string, BuildingKey, string]>([
    ['/b/the-galer-seattle-wa-9NJxpy/', 'b', { by: 'key', key: '9NJxpy' }, '/b/the-galer-seattle-wa-9NJxpy/'],
    ['/b/9NJxpy', 'b', { by: 'key', key: '9NJxpy' }, '/b/9NJxpy/'],
    ['/b/1001842217/', 'b', { by: 'key', key: '1001842217' }, '/b/1001842217/'],
    [
      '/b/seattle-wa/47.63021,-122.34255_ll/?x=1',
      'b',
      { by: 'coordinates', latitude: 47.63021, longitude: -122.34255 },
      '/b/seattle-wa/47.63021,-122.34255_ll/',
    ],
    [
      '/b/seattle-wa/47.63021%2C-122.34255_ll/',
      'b',
      { by: 'coordinates', latitude: 47.63021, longitude: -122.34255 },
      '/b/seattle-wa/47.63021%2C-122.34255_ll/',
    ],
    [
      '/apartments/seattle-wa/the-galer/9NJxpy/',
      'apartments',
      { by: 'key', key: '9NJxpy' },
      '/apartments/seattle-wa/the-galer/9NJxpy/',
    ],
    ['/apartments/9NJxpy', 'apartments', { by: 'key', key: '9NJxpy' }, '/apartments/9NJxpy/'],
    [
      '/community/magnolia-terrace/29418207_plid/',
      'community',
      { by: 'plid', plid: '29418207' },
      '/community/magnolia-terrace/29418207_plid/',
    ],
    [
      '/community/magnolia-terrace/29418207_zpid',
      'community',
      { by: 'zpid', zpid: '29418207' },
      '/community/magnolia-terrace/29418207_zpid/',
    ],
  ])('a building: %s', (path, kind, key, canonicalPath) => {
    const expected = { kind: 'building', path: kind, key, canonicalPath }
    expect(parseListingUrl(SITE + path, HOSTS)).toEqual(expected)
    expect(parseBuildingUrl(SITE + path, HOSTS)).toEqual(expected)
  })

  test('a canonical path leads to the same building again', () => {
    for (const path of [
      '/b/x-9NJxpy?a=1',
      '/b/47.5,-122_ll',
      '/community/12_plid/',
      '/apartments/a/b/9NJxpy',
    ]) {
      const reference = parseBuildingUrl(SITE + path, HOSTS)
      if ('refused' in reference) throw new Error(path)
      expect(findPathReference(reference.canonicalPath)).toEqual(reference)
    }
  })
})

describe('any other URL is refused with invalid_url', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'zillow'],
    ['no scheme', 'www.zillow.com/homedetails/1_zpid/'],
    ['no scheme but slashes', '//www.zillow.com/homedetails/1_zpid/'],
    ['another scheme', 'ftp://www.zillow.com/homedetails/1_zpid/'],
    ['a scheme that runs code', 'javascript://www.zillow.com/homedetails/1_zpid/'],
    ['one slash', 'https:/www.zillow.com/homedetails/1_zpid/'],
    ['three slashes', 'https:///www.zillow.com/homedetails/1_zpid/'],
    ['another host', 'https://www.example.com/homedetails/1_zpid/'],
    ['a look-alike in front', 'https://notzillow.com/homedetails/1_zpid/'],
    ['a look-alike behind', 'https://zillow.com.example.com/homedetails/1_zpid/'],
    ['a look-alike with a hyphen', 'https://www.zillow-com.com/homedetails/1_zpid/'],
    ['the host in the path', 'https://example.com/zillow.com/homedetails/1_zpid/'],
    ['the host in the query', 'https://example.com?https://zillow.com/homedetails/1_zpid/'],
    ['the host in the fragment', 'https://example.com#.zillow.com/homedetails/1_zpid/'],
    ['a user', 'https://me@www.zillow.com/homedetails/1_zpid/'],
    ['a user that looks like the host', 'https://zillow.com@example.com/homedetails/1_zpid/'],
    ['a password', 'https://me:secret@zillow.com/homedetails/1_zpid/'],
    ['an empty user', 'https://@zillow.com/homedetails/1_zpid/'],
    ['a port', 'https://www.zillow.com:8443/homedetails/1_zpid/'],
    ['the usual port', 'https://www.zillow.com:443/homedetails/1_zpid/'],
    ['an empty port', 'https://www.zillow.com:/homedetails/1_zpid/'],
    ['a final dot', 'https://www.zillow.com./homedetails/1_zpid/'],
    ['an empty label', 'https://www..zillow.com/homedetails/1_zpid/'],
    ['a leading dot', 'https://.zillow.com/homedetails/1_zpid/'],
    ['a leading hyphen', 'https://-.zillow.com/homedetails/1_zpid/'],
    ['an underscore', 'https://a_b.zillow.com/homedetails/1_zpid/'],
    ['Cyrillic letters', 'https://www.zіllow.com/homedetails/1_zpid/'],
    ['wide letters', 'https://www.ｚillow.com/homedetails/1_zpid/'],
    ['a wide dot', 'https://www。zillow.com/homedetails/1_zpid/'],
    ['a soft hyphen', 'https://www.zil­low.com/homedetails/1_zpid/'],
    ['punycode', 'https://xn--zllow-n4a.com/homedetails/1_zpid/'],
    ['punycode as a subdomain', 'https://xn--80ak6aa92e.zillow.com/homedetails/1_zpid/'],
    ['an encoded host', 'https://www%2Ezillow.com/homedetails/1_zpid/'],
    ['an address', 'https://127.0.0.1/homedetails/1_zpid/'],
    ['an IPv6 address', 'https://[::1]/homedetails/1_zpid/'],
    ['a backslash', 'https://www.zillow.com\\homedetails/1_zpid/'],
    ['a backslash before the host', 'https://example.com\\@zillow.com/homedetails/1_zpid/'],
    ['an encoded backslash', `${SITE}/homedetails%5C1_zpid/`],
    ['a leading space', ` ${SITE}/homedetails/1_zpid/`],
    ['a space', `${SITE}/homedetails/a b/1_zpid/`],
    ['a tab in the host', 'https://www.zil\tlow.com/homedetails/1_zpid/'],
    ['a line feed', `${SITE}/homedetails/1_zpid/\n`],
    ['a null', `${SITE}/homedetails/1_zpid\u0000/`],
    ['an encoded null', `${SITE}/homedetails/a%00/1_zpid/`],
    ['a zero-width space', `${SITE}/homedetails/a\u200b/1_zpid/`],
    ['an encoded slash', `${SITE}/homedetails/a%2F..%2F1_zpid/`],
    ['an encoded slash in the id', `${SITE}/homedetails%2f1_zpid/`],
    ['an encoded dot', `${SITE}/homedetails/%2e%2e/1_zpid/`],
    ['twice encoded', `${SITE}/homedetails/%252e/1_zpid/`],
    ['an encoded kind', `${SITE}/%68omedetails/1_zpid/`],
    ['an encoded id', `${SITE}/homedetails/%31_zpid/`],
    ['broken encoding', `${SITE}/homedetails/%zz/1_zpid/`],
    ['half a character', `${SITE}/homedetails/%C3/1_zpid/`],
    ['dot segments', `${SITE}/homedetails/../homedetails/1_zpid/`],
    ['empty segments', `${SITE}//homedetails/1_zpid/`],
    ['another kind', `${SITE}/profile/1_zpid/`],
    ['the kind in capitals', `${SITE}/HomeDetails/1_zpid/`],
    ['the home page', SITE],
    ['the kind alone', `${SITE}/homedetails/`],
    ['no id', `${SITE}/homedetails/a-slug/`],
    ['letters as id', `${SITE}/homedetails/abc_zpid/`],
    ['other digits', `${SITE}/homedetails/١٢٣_zpid/`],
    ['a sign', `${SITE}/homedetails/-1_zpid/`],
    ['a 300-digit id', `${SITE}/homedetails/${'1'.repeat(300)}_zpid/`],
    ['an id in the query', `${SITE}/homedetails/?id=1_zpid`],
    ['something behind the id', `${SITE}/homedetails/a/1_zpid/photos/`],
    ['a slug without a key', `${SITE}/b/the-galer-seattle-wa/`],
    ['a key that is too deep', `${SITE}/b/a/b/9NJxpy/`],
    ['coordinates off the globe', `${SITE}/b/seattle-wa/97.6,-122.3_ll/`],
    ['coordinates with an exponent', `${SITE}/b/seattle-wa/4e1,-1e2_ll/`],
    ['half coordinates', `${SITE}/b/seattle-wa/47.6_ll/`],
    ['apartments of a city', `${SITE}/apartments/seattle-wa/`],
    ['a long key', `${SITE}/apartments/seattle-wa/x/9NJxpyz/`],
    ['a community without id', `${SITE}/community/magnolia-terrace/`],
    ['a search', `${SITE}/seattle-wa/?searchQueryState=%7B%7D`],
    ['8 kB', `${SITE}/homedetails/${'a'.repeat(8192)}/1_zpid/`],
    ['2,049 characters', `${SITE}/homedetails/${'a'.repeat(2049 - SITE.length - 21)}/1_zpid/`],
  ])('%s', (_, url) => {
    expect(parseListingUrl(url, HOSTS)).toMatchObject({ refused: true, code: 'invalid_url' })
    expect(parseBuildingUrl(url, HOSTS)).toMatchObject({ refused: true, code: 'invalid_url' })
  })

  test('a URL may have 2,048 characters', () => {
    const url = `${SITE}/homedetails/${'a'.repeat(2048 - SITE.length - 21)}/1_zpid/`
    expect(url).toHaveLength(2048)
    expect(parseListingUrl(url, HOSTS)).toEqual({ kind: 'home', zpid: '1' })
  })

  test('a home is no building', () => {
    expect(parseBuildingUrl(`${SITE}/homedetails/1_zpid/`, HOSTS)).toMatchObject({ code: 'invalid_url' })
  })

  test('the page of a home on the operator’s own site is read, however its URL ends', () => {
    const sites = listingSites(['zillow.com'], 'https://Homes.example/listing/{zpid}/view')
    for (const url of [
      'https://homes.example/listing/123/view',
      'http://HOMES.example/listing/123/view/',
      'https://homes.example/listing/123/view?from=mail#photos',
    ])
      expect(parseListingUrl(url, sites), url).toEqual({ kind: 'home', zpid: '123' })
    for (const url of [
      'https://homes.example/listing/abc/view',
      'https://homes.example/listing/123/edit',
      'https://homes.example.evil.example/listing/123/view',
      'https://evil.example/https://homes.example/listing/123/view',
      'https://homesxexample/listing/123/view',
      `https://homes.example/listing/${'1'.repeat(21)}/view`,
    ])
      expect(parseListingUrl(url, sites), url).toMatchObject({ refused: true, code: 'invalid_url' })
    const byQuery = listingSites(['zillow.com'], 'https://homes.example/home?id={zpid}')
    expect(parseListingUrl('https://homes.example/home?id=7&x=1', byQuery)).toEqual({
      kind: 'home',
      zpid: '7',
    })
    expect(parseListingUrl('https://homes.example/home?id=7x', byQuery)).toMatchObject({ refused: true })
    expect(parseBuildingUrl('https://homes.example/listing/123/view', sites)).toMatchObject({ refused: true })
    expect(parseListingUrl(`${SITE}/homedetails/1_zpid/`, sites)).toEqual({ kind: 'home', zpid: '1' })
  })

  test('only the configured hosts are accepted', () => {
    const hosts = { hosts: ['listings.example', 'homes.example'] }
    expect(parseListingUrl('https://homes.example/homedetails/1_zpid/', hosts)).toMatchObject({ zpid: '1' })
    expect(parseListingUrl('https://www.listings.example/homedetails/1_zpid/', hosts)).toMatchObject({
      zpid: '1',
    })
    expect(parseListingUrl(`${SITE}/homedetails/1_zpid/`, hosts)).toMatchObject({ code: 'invalid_url' })
    expect(parseListingUrl(`${SITE}/homedetails/1_zpid/`, { hosts: [] })).toMatchObject({
      code: 'invalid_url',
    })
  })
})

test('an accepted URL has the same host and path for the platform’s parser', () => {
  const piece = fc.constantFrom(
    'https://',
    'http://',
    'www.',
    'zillow.com',
    'example.com',
    '/',
    '//',
    '\\',
    '@',
    ':',
    '.',
    '%2f',
    '%2e',
    '#',
    '?',
    'homedetails',
    '/homedetails/',
    '/1_zpid',
    '12_zpid/',
    '/b/',
    'a-9NJxpy',
    '\t',
    ' ',
    'é',
    '%C3%A9',
    'xn--a',
    '..',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const text = pieces.join('')
      const reference = parseListingUrl(text, HOSTS)
      if ('refused' in reference) return
      const url = new URL(text)
      expect(url.hostname).toMatch(/^(?:[a-z0-9-]+\.)*zillow\.com$/)
      expect(url.username + url.password + url.port).toBe('')
      const id = reference.kind === 'home' ? `/${reference.zpid}_zpid` : '9NJxpy'
      expect(url.pathname).toContain(id)
    }),
    { numRuns: 3000, examples: [[['https://', 'www.', 'zillow.com', '/homedetails/', '12_zpid/']]] },
  )
})

test('parsing never throws', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(parseListingUrl(text, HOSTS)).toHaveProperty('refused', true)
      expect(parseListingUrl(`${SITE}/${text}`, HOSTS)).toBeTypeOf('object')
    }),
  )
})

test('references to one building have one key, and other references other keys', () => {
  const key = (path: string) => {
    const reference = parseListingUrl(SITE + path, HOSTS)
    if ('refused' in reference) throw new Error(path)
    return referenceKey(reference)
  }
  expect(key('/b/the-galer-seattle-wa-9NJxpy/')).toBe(key('/apartments/seattle-wa/the-galer/9NJxpy/?x=1'))
  expect(key('/b/seattle-wa/47.50,-122.30_ll/')).toBe(key('/b/x/47.5,-122.3_ll'))
  expect(key('/homedetails/a/1_zpid/')).toBe(key('/homedetails/1_zpid'))
  const others = [
    '/b/9NJxpy',
    '/b/9NJxpY',
    '/b/1/',
    '/homedetails/1_zpid',
    '/community/a/1_zpid',
    '/community/a/1_plid',
  ]
  expect(new Set(others.map(key)).size).toBe(others.length)
})

test('a path of a record is read like that of a URL', () => {
  expect(findPathReference('/homedetails/a/1_zpid/')).toEqual({ kind: 'home', zpid: '1' })
  for (const path of ['', 'homedetails/1_zpid', '/homedetails/%2e/1_zpid', '/', '/x/y']) {
    expect(findPathReference(path)).toBeUndefined()
  }
})
