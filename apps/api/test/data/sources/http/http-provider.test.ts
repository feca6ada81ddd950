// Tests the http provider and the reference provider against each other and against spec/provider.yaml.

import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createHttpProvider } from '../../../../src/data/sources/http/http-provider.ts'
import { type Provider, ProviderFailure, type QueryContext } from '../../../../src/data/sources/provider.ts'
import { parseAddress, type StreetAddress } from '../../../../src/domain/address/street-address.ts'
import { findPathReference } from '../../../../src/domain/site-urls/listing-url.ts'
import { Secret } from '../../../../src/infrastructure/platform/secret.ts'
import { SAMPLE } from '../../../domain/record/sample-records.ts'
import { withReferenceProvider } from '../../../setup/reference-provider/start.ts'
import { checkAnswer, checkQuestion } from './provider-contract.ts'

const TOKEN = 'a token'
const reference = withReferenceProvider({ records: SAMPLE, token: TOKEN })
const patient: QueryContext = { signal: new AbortController().signal }
const provider = () => createHttpProvider({ url: reference.url, token: new Secret(TOKEN) })

const home = SAMPLE[0]!
const unit = SAMPLE.find(({ unitNumber, bdpUrl }) => unitNumber && bdpUrl)!
const building = findPathReference(unit.bdpUrl!)!
if (building.kind !== 'building') throw new Error('The sample has no building')
const WORLD = { west: -180, south: -90, east: 180, north: 90 }

function address(text: string): StreetAddress {
  const parsed = parseAddress(text)
  if ('refused' in parsed) throw new Error(parsed.message)
  return parsed
}

/** One query of each kind, and one of each kind without a result. */
async function askEverything(asked: Provider): Promise<void> {
  const { streetAddress, city, zipcode } = home.address!
  const unitDoor = `${unit.address!.streetAddress!.replace(/ (?:apt|unit|#).*$/i, '')}, ${unit.address!.zipcode}`
  await asked.findByZpid(home.zpid!, patient)
  await asked.findByZpid('99999999999999999999', patient)
  for (const prefer of ['FOR_SALE', 'FOR_RENT', 'RECENTLY_SOLD'] as const) {
    await asked.findByUrl({ kind: 'home', zpid: home.zpid! }, prefer, patient)
    await asked.findByUrl(building, prefer, patient)
    await asked.findByAddress(address(`${streetAddress}, ${city}, ${zipcode}`), prefer, patient)
    await asked.findByAddress(address(unitDoor), prefer, patient)
  }
  await asked.findByAddress(address('1 Nowhere Ln # 5, Nowhere, TX 79999'), 'FOR_SALE', patient)
  for (const path of [
    '/b/47.6,-122.3_ll/',
    '/b/x/47.6,-122.3_ll/',
    '/community/a/123_plid/',
    '/community/a/1_zpid/',
  ]) {
    await asked.findByUrl(findPathReference(path)!, 'FOR_SALE', patient)
  }
  for (const kind of ['all', 'for_sale', 'for_rent', 'recently_sold', 'off_market'] as const) {
    if (building.kind === 'building') await asked.findUnits(building, kind, patient)
  }
  for (const status of ['for_sale', 'for_rent', 'sold'] as const) {
    await asked.search({ status, bbox: WORLD }, { limit: 1000 }, patient)
  }
  await asked.search(
    {
      status: 'for_sale',
      bbox: { west: 179, south: -1, east: -179, north: 1 },
      price: { min: 1, max: 2.5 },
      beds: { min: 1 },
      baths: { max: 2.5 },
      sqft: {},
      yearBuilt: { min: 1900 },
      homeTypes: ['house', 'lot'],
      daysOnSite: '6m',
      hasPool: true,
      hasGarage: false,
      isWaterfront: false,
    },
    { limit: 0 },
    patient,
  )
}

describe('the http provider', () => {
  it('sends only queries of the contract, and the reference provider answers as the contract promises', async () => {
    await reference.takeAsked()
    await askEverything(provider())
    const asked = await reference.takeAsked()
    const statuses = new Set<string>()
    for (const query of asked) {
      checkQuestion(query)
      const { method, url, body } = query
      const response = await fetch(reference.url + url, {
        method,
        headers: { authorization: `Bearer ${TOKEN}` },
        ...(body !== '' && { body }),
      })
      checkAnswer(query, response.status, await response.json())
      statuses.add(`${query.operation} ${response.status}`)
    }
    expect([...statuses].sort()).toEqual([
      'findBuildingUnits 200',
      'findPropertyByAddress 200',
      'findPropertyByAddress 404',
      'findPropertyByUrl 200',
      'findPropertyByUrl 404',
      'findPropertyByZpid 200',
      'findPropertyByZpid 404',
      'searchArea 200',
    ])
  })

  it('sends its token with every query, and keeps its connections', async () => {
    const asking = provider()
    await reference.takeAsked()
    for (let n = 0; n < 10; n++) {
      await asking.findByZpid(n % 2 === 0 ? '1' : home.zpid!, patient)
      await asking.search({ status: 'sold', bbox: WORLD }, { limit: 1 }, patient)
    }
    const asked = await reference.takeAsked()
    expect(asked.map(({ authorization }) => authorization)).toEqual(Array(20).fill(`Bearer ${TOKEN}`))
    // A connection may not be free yet when the next query comes right after a response.
    expect(new Set(asked.map(({ from }) => from)).size).toBeLessThanOrEqual(2)
  })

  it('fails without the right token, does not show it, and sends none if none is configured', async () => {
    for (const token of [undefined, new Secret('another')]) {
      await reference.takeAsked()
      const asking = createHttpProvider({ url: reference.url, token })
      const error = await asking.findByZpid(home.zpid!, patient).then(String, (error: Error) => error)
      expect(error).toBeInstanceOf(ProviderFailure)
      // The provider repeats the token, and the error must not.
      expect(inspect(error)).not.toContain('another')
      const [asked] = await reference.takeAsked()
      expect(asked?.authorization).toBe(token ? 'Bearer another' : null)
    }
  })

  it('puts the path of its base URL before those of the contract, with and without a final slash', async () => {
    for (const base of ['/feed/v2', '/feed/v2/']) {
      await reference.takeAsked()
      const asking = createHttpProvider({ url: reference.url + base, token: new Secret(TOKEN) })
      // A path that the provider does not have says nothing about the home.
      await expect(asking.findByZpid('1', patient)).rejects.toThrow(ProviderFailure)
      const [asked] = await reference.takeAsked()
      expect(asked?.url).toBe('/feed/v2/properties/1')
    }
  })

  it('keeps the whole record, without a generation', async () => {
    expect(await provider().findByZpid(home.zpid!, patient)).toEqual({ record: home, generation: null })
  })

  it('has a name for its provider without secrets', () => {
    const named = (url: string) => createHttpProvider({ url, token: new Secret(TOKEN) }).name
    expect(named('https://user:secret@Listings.example.com/feed/?key=secret')).toBe(
      'http:listings.example.com/feed',
    )
    expect(named('http://127.0.0.1:4000')).toBe('http:127.0.0.1:4000')
  })

  it('requests no more listings than the contract allows', async () => {
    await reference.takeAsked()
    await provider().search({ status: 'sold', bbox: WORLD }, { limit: 1_000_000 }, patient)
    const [asked] = await reference.takeAsked()
    expect(JSON.parse(asked!.body)).toMatchObject({ limit: 1000 })
  })
})
