import { askingPrice, askingRent } from './market.ts'
import { clamp } from './numbers.ts'
import type { HomeStatus, HomeType } from './property.ts'
import type { Random } from './random.ts'

/**
 * Where a home stands on the market, and how it came there. Days are counted backwards from the
 * day the sample is made for, so an offer is the same whatever that day is.
 */
export interface Offer {
  status: HomeStatus
  /** The asking price, the rent a month, or what it sold for; null where nothing is known. */
  price: number | null
  /** Asking prices, oldest first; the first is the listing itself. Empty off the market. */
  asked: { daysAgo: number; price: number }[]
  pendingDaysAgo: number | null
  soldDaysAgo: number | null
  isByOwner: boolean
  isAuction: boolean
  isForeclosure: boolean
}

/** Upper ends of spans of days, and how many of 100 listings lie between one and the next. */
const daysListed: [days: number, share: number][] = [
  [0, 2],
  [6, 12],
  [13, 13],
  [29, 19],
  [89, 27],
  [180, 14],
  [364, 8],
  [720, 3],
  [1_090, 2],
]

export interface Worth {
  homeType: HomeType
  value: number
  monthlyRent: number | null
}

export const offMarket: Offer = {
  status: 'OTHER',
  price: null,
  asked: [],
  pendingDaysAgo: null,
  soldDaysAgo: null,
  isByOwner: false,
  isAuction: false,
  isForeclosure: false,
}

export function offerOf(status: HomeStatus, worth: Worth, random: Random): Offer {
  const offer: Offer = { ...offMarket, status }
  switch (status) {
    case 'OTHER':
      return offer
    case 'FOR_RENT': {
      const rent = askingRent(worth.monthlyRent ?? 0, random)
      return { ...offer, asked: askedPrices(rent, spanOfDays(random), 25, random), price: rent }
    }
    case 'COMING_SOON': {
      const price = askingPrice(worth.value * random.between(0.97, 1.05), random)
      return { ...offer, asked: [{ daysAgo: random.int(0, 6), price }], price }
    }
    case 'FOR_SALE': {
      const price = askingPrice(worth.value * random.between(0.95, 1.08), random)
      const asked = askedPrices(price, spanOfDays(random), price > 200_000 ? 1_000 : 500, random)
      const isByOwner = random.chance(0.05)
      const isForeclosure = !isByOwner && random.chance(0.012)
      return {
        ...offer,
        asked,
        price,
        isByOwner,
        isForeclosure,
        isAuction: isForeclosure && random.chance(0.5),
      }
    }
    case 'PENDING': {
      const price = askingPrice(worth.value * random.between(0.96, 1.05), random)
      const pendingDaysAgo = random.int(0, 40)
      const asked = askedPrices(price, pendingDaysAgo + random.int(3, 60), 1_000, random, pendingDaysAgo)
      return { ...offer, asked, price, pendingDaysAgo }
    }
    case 'RECENTLY_SOLD': {
      const sold = askingPrice(worth.value * random.between(0.94, 1.06), random)
      const last = askingPrice(sold * random.between(0.97, 1.05), random)
      const soldDaysAgo = spanOfDays(random) + 1
      const pendingDaysAgo = soldDaysAgo + random.int(14, 50)
      const asked = askedPrices(last, pendingDaysAgo + random.int(3, 90), 1_000, random, pendingDaysAgo)
      return { ...offer, asked, price: sold, soldDaysAgo, pendingDaysAgo }
    }
  }
}

/** Half of the homes listed for longer than two weeks came down in price once or twice. */
function askedPrices(price: number, listedDaysAgo: number, step: number, random: Random, until = 0) {
  const days = listedDaysAgo - until
  const cuts = days > 14 && random.chance(0.5) ? random.int(1, 2) : 0
  const asked = [{ daysAgo: listedDaysAgo, price }]
  for (let cut = 1; cut <= cuts; cut++) {
    const before = asked.at(-1)!
    const daysAgo = clamp(before.daysAgo - random.int(5, 5 + Math.floor(days / 3)), until, listedDaysAgo - 1)
    if (daysAgo >= before.daysAgo) break
    asked.push({ daysAgo, price })
  }
  // Backwards from the price of today, so that the newest entry is exactly that.
  for (let at = asked.length - 2; at >= 0; at--) {
    const next = asked[at + 1]!.price
    asked[at]!.price = next + Math.max(1, Math.round((next * random.between(0.015, 0.06)) / step)) * step
  }
  return asked
}

function spanOfDays(random: Random): number {
  let rest = random.unit() * daysListed.reduce((sum, [, share]) => sum + share, 0)
  let from = 0
  for (const [to, share] of daysListed) {
    rest -= share
    if (rest < 0) return random.int(from, to)
    from = to + 1
  }
  return from
}
