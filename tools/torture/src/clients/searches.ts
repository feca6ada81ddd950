// Asks for everything that is answered at once: homes by URL and address, slices, buildings, and searches in all their
// forms and formats.

import { boxAround, diamondAround, polygonOf, queryOf, textOf } from '../provider/areas.ts'
import { addressOf, homeUrl } from '../provider/truth.ts'
import type { Random } from '../random.ts'
import { call, keptConnection, type TortureCallOptions } from './call.ts'
import { pause } from './pause.ts'
import type { MakeClient, World } from './world.ts'

const SLICES = [
  ['photos', 'getPropertyPhotos'],
  ['price-history', 'getPropertyPriceHistory'],
  ['tax-history', 'getPropertyTaxHistory'],
  ['schools', 'getPropertySchools'],
  ['nearby', 'getPropertyNearby'],
  ['agent', 'getPropertyAgent'],
  ['open-houses', 'getPropertyOpenHouses'],
  ['facts', 'getPropertyFacts'],
] as const
const PRESETS = [
  ['for-sale', 'searchForSale'],
  ['for-rent', 'searchForRent'],
  ['sold', 'searchSold'],
] as const
const FORMATS = ['json', 'csv', 'ndjson'] as const

export const searches: MakeClient = (world, name, key, random) => {
  const agent = keptConnection()
  return {
    name,
    async turn() {
      // Free operations ignore it. Some cost more.
      const limit = random.chance(0.25) ? { maxCredits: random.int(0, 20) } : {}
      const answer = await call(world, name, key, { ...choose(world, random), ...limit, agent })
      await pause(random, answer ? 30 : 80)
    },
  }
}

function choose(world: World, random: Random): TortureCallOptions {
  const home = random.pick(world.truth.homes)
  const zpid = String(home.zpid)
  const q = encodeURIComponent
  const bbox = boxAround(home, random)
  const format = random.pick(FORMATS)
  const status = random.pick(['for_sale', 'for_rent', 'sold'] as const)
  switch (random.int(1, 11)) {
    case 1:
      return { operation: 'getPropertyByUrl', path: `/v1/properties/by-url?url=${q(homeUrl(zpid))}` }
    case 2:
      return {
        operation: 'getPropertyByAddress',
        path: `/v1/properties/by-address?address=${q(addressOf(home)!)}&fields=zpid,address`,
      }
    case 3: {
      const [slice, operation] = random.pick(SLICES)
      return { operation, path: `/v1/properties/${zpid}/${slice}` }
    }
    case 4: {
      const building = random.pick(world.truth.buildings)
      return { operation: 'getBuildingUnits', path: `/v1/buildings/by-url?url=${q(building.url)}` }
    }
    case 5:
      return {
        operation: 'listListings',
        path: `/v1/listings?bbox=${textOf(bbox)}&status=${status}&max_items=${random.int(1, 50)}&format=${format}${random.chance(0.4) ? `&max_credits=${random.int(1, 20)}` : ''}`,
      }
    case 6: {
      const [preset, operation] = random.pick(PRESETS)
      return {
        operation,
        method: 'POST',
        path: `/v1/listings/${preset}?format=${format}`,
        body: { filters: { bbox }, maxItems: random.int(1, 50) },
      }
    }
    case 7:
      return { operation: 'listUsage', path: '/v1/usage?limit=20' }
    case 8: {
      const diamond = diamondAround(home, random)
      return {
        operation: 'listListings',
        path: `/v1/listings?polygon=${queryOf(diamond)}&status=${status}&format=${format}`,
        inArea: world.truth.searchIn(status, diamond),
      }
    }
    case 9: {
      const diamond = diamondAround(home, random)
      return {
        operation: 'searchListings',
        method: 'POST',
        path: `/v1/search?format=${format}`,
        body: { filters: { area: polygonOf(diamond), status }, maxItems: random.int(1, 50) },
        inArea: world.truth.searchIn(status, diamond),
      }
    }
    case 10:
      return { operation: 'getAccount', path: '/v1/me' }
    default:
      return {
        operation: 'searchListings',
        method: 'POST',
        path: `/v1/search?format=${format}`,
        body: { filters: { bbox, status, price: { max: 2_000_000 } }, maxItems: random.int(1, 50) },
      }
  }
}
