/**
 * What happened to a home's price, newest first. For a home on the market, and for one sold lately,
 * the newest entry carries the price of the record. Rents are compared with rents, prices with
 * prices.
 */

import { DAY_MS, isoDay, REFERENCE_YEAR } from '@lotline/sample/calendar'
import type { Home } from './home.ts'
import { isWholeBuilding } from './home.ts'
import { askingPrice, formerShare } from './market.ts'
import { changeRate, round, toStep } from './numbers.ts'
import { mlsIdOf, mlsNameOf } from './people.ts'
import type { PriceEvent } from './property.ts'
import { randomFor } from './random.ts'

interface Happening {
  daysAgo: number
  event: 'Listed for sale' | 'Listed for rent' | 'Price change' | 'Pending sale' | 'Sold' | 'Listing removed'
  price: number
  isRental?: boolean
}

const DAYS_PER_YEAR = 365.25

export function priceHistoryOf(home: Home, asOf: number): PriceEvent[] {
  if (isWholeBuilding(home)) return []
  const happenings = [...formerly(home), ...lately(home)]
  const mlsId = mlsIdOf(home)
  const mlsName = mlsNameOf(home.place.metro)
  const last: { sale?: number; rent?: number } = {}
  return happenings
    .map(({ daysAgo, event, price, isRental = false }): PriceEvent => {
      const kind = isRental ? 'rent' : 'sale'
      const rate = changeRate(last[kind], price)
      last[kind] = price
      const time = asOf - daysAgo * DAY_MS
      const isRecorded = event === 'Sold'
      return {
        date: isoDay(time),
        time,
        event,
        price,
        priceChangeRate: rate,
        pricePerSquareFoot: home.size.livingArea ? round(price / home.size.livingArea) : null,
        postingIsRental: isRental,
        source: isRecorded ? 'Public Record' : mlsName,
        attributeSource: {
          infoString1: isRecorded ? null : mlsId,
          infoString2: isRecorded ? 'Public Record' : mlsName,
          infoString3: null,
        },
        buyerAgent: null,
        sellerAgent: null,
        showCountyLink: isRecorded,
      }
    })
    .reverse()
}

/** The newest sale in a history, if there is one. */
export function findLastSale(history: readonly PriceEvent[]): PriceEvent | undefined {
  return history.find(({ event }) => event === 'Sold')
}

/** Oldest first: the listing, its price changes, and how it ended. */
function lately({ offer }: Home): Happening[] {
  const isRental = offer.status === 'FOR_RENT'
  const happenings: Happening[] = offer.asked.map(({ daysAgo, price }, index) => ({
    daysAgo,
    price,
    isRental,
    event: index > 0 ? 'Price change' : isRental ? 'Listed for rent' : 'Listed for sale',
  }))
  const asked = offer.asked.at(-1)?.price
  if (offer.pendingDaysAgo !== null && asked !== undefined) {
    happenings.push({ daysAgo: offer.pendingDaysAgo, event: 'Pending sale', price: asked })
  }
  if (offer.soldDaysAgo !== null) {
    happenings.push({ daysAgo: offer.soldDaysAgo, event: 'Sold', price: offer.price! })
  }
  return happenings
}

/** Sales and lettings before the present offer, oldest first, none before the home was built. */
function formerly(home: Home): Happening[] {
  const random = randomFor(home.zpid, 'former-sales')
  const happenings: Happening[] = []
  let daysAgo = home.offer.asked[0]?.daysAgo ?? 0
  if (home.offer.status === 'FOR_RENT' && random.chance(0.5)) {
    const rent = toStep(home.offer.price! * random.between(0.86, 0.97), 25)
    daysAgo += random.int(300, 420)
    happenings.unshift({ daysAgo, event: 'Listing removed', price: rent, isRental: true })
    daysAgo += random.int(6, 45)
    happenings.unshift({ daysAgo, event: 'Listed for rent', price: rent, isRental: true })
  }
  if (home.homeType === 'APARTMENT') return sinceBuilt(home, happenings)

  for (let left = random.int(0, home.homeType === 'LOT' ? 1 : 3); left > 0; left--) {
    daysAgo += random.int(800, 3_900)
    const share = formerShare(daysAgo / DAYS_PER_YEAR) * random.between(0.93, 1.06)
    const price = askingPrice(home.value * share, random)
    happenings.unshift({ daysAgo, event: 'Sold', price })
    if (random.chance(0.6)) {
      const asked = askingPrice(price * random.between(0.98, 1.05), random)
      daysAgo += random.int(35, 120)
      happenings.unshift({ daysAgo, event: 'Listed for sale', price: asked })
    }
  }
  return sinceBuilt(home, happenings)
}

function sinceBuilt(home: Home, happenings: Happening[]): Happening[] {
  const built = home.size.yearBuilt ?? 0
  const kept = happenings.filter(({ daysAgo }) => REFERENCE_YEAR - daysAgo / DAYS_PER_YEAR > built + 1)
  return kept.filter(({ daysAgo }) => daysAgo < 36 * DAYS_PER_YEAR)
}
