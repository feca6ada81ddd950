// Predicts when the credits run out at the rate of the last 7 days.

import { DAY_MS, timeElement } from './format.ts'

const DAYS = 7
/** A forecast further ahead than this is not useful. */
const MAX_DAYS = 3650

export interface Forecast {
  /** Credits a day, on average over the last 7 days, today included. */
  readonly perDay: number
  /** Infinity if nothing is spent. */
  readonly daysLeft: number
  /** undefined: never, or in more than 10 years. */
  readonly endsOn: Date | undefined
}

/** @param spentOn credits by day (`YYYY-MM-DD`, UTC); days without charges may be missing */
export function forecast(
  available: number,
  spentOn: ReadonlyMap<string | null, number>,
  now: Date,
): Forecast {
  let spent = 0
  for (let back = 0; back < DAYS; back++)
    spent += spentOn.get(timeElement(now.getTime() - back * DAY_MS)) ?? 0
  const perDay = spent / DAYS
  const daysLeft = perDay === 0 ? Number.POSITIVE_INFINITY : available / perDay
  const endsOn = daysLeft > MAX_DAYS ? undefined : new Date(now.getTime() + daysLeft * DAY_MS)
  return { perDay, daysLeft, endsOn }
}
