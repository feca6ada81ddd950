import { describe, expect, it } from 'vitest'
import { judgeDifference } from '../../../src/data/imports/judge-import.ts'
import { NO_EFFECTS, type ProfileGroup } from '../../../src/data/imports/source-profile.ts'

interface MarketHome {
  kind: 'for_sale' | 'recently_sold' | 'off_market'
  type: string
  price: number
}

/** Random numbers from 0 to 1, the same for each seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const TYPES = ['SINGLE_FAMILY', 'SINGLE_FAMILY', 'CONDO', 'TOWNHOUSE']

function profileOf(homes: readonly MarketHome[]): ProfileGroup[] {
  const groups = Map.groupBy(
    homes,
    ({ kind, type, price }) => `${kind} ${type} ${Math.round(8 * Math.log2(price))}`,
  )
  return [...groups].map(([name, { length }]) => {
    const [kind, home_type, step] = name.split(' ')
    return {
      kind: kind!,
      home_type: home_type!,
      price_step: Number(step),
      homes: length,
      zero_position: 0,
      no_position: 0,
      no_address: 0,
      no_photos: 0,
      no_beds: 0,
      no_baths: 0,
      no_sqft: 0,
    }
  })
}

describe('the judgment of an ordinary day', () => {
  it('holds less than 1% of 500 days with seasons of 30%, 5% sold and new homes a day, and price moves', () => {
    const random = randomFrom(7)
    const held: string[] = []
    let homes: MarketHome[] = Array.from({ length: 400 }, () => newHome(0))
    const losses: number[] = []

    function newHome(day: number): MarketHome {
      const season = 1 + 0.3 * Math.sin((2 * Math.PI * day) / 365)
      const price = season * 400_000 * Math.exp(1.2 * (random() - 0.5))
      return { kind: 'for_sale', type: TYPES[Math.floor(random() * 4)]!, price }
    }

    for (let day = 1; day <= 500; day++) {
      const season = 1 + 0.3 * Math.sin((2 * Math.PI * day) / 365)
      const before = profileOf(homes)
      let [lost, gained, changed] = [0, 0, 0]
      for (const home of homes) {
        const chance = random()
        if (home.kind === 'for_sale' && chance < 0.05) {
          home.kind = 'recently_sold'
          changed += 1
        } else if (home.kind !== 'off_market' && chance < 0.07) {
          home.kind = 'off_market'
          lost += 1
          changed += 1
        } else if (chance < 0.15) home.price *= 0.9 + random() * 0.2
      }
      const forSale = homes.filter(({ kind }) => kind === 'for_sale').length
      for (let at = forSale; at < 400 * season; at++) {
        homes.push(newHome(day))
        gained += 1
      }
      const after = profileOf(homes)
      const found = judgeDifference(
        { source: 'mls', before, after, effects: { ...NO_EFFECTS, lost, gained, changed } },
        { earlierLosses: losses.slice(0, 7) },
      )
      if (found.length > 0) held.push(`${day}: ${found[0]!.text}`)
      losses.unshift(lost - gained)
      homes = homes.slice(-3_000)
    }
    expect(held.length, held.join('; ')).toBeLessThanOrEqual(5)
  })
})
