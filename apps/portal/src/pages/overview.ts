// The remaining credits, how fast they are spent, and when they run out.

import type { SuccessBody } from '@lotline/contract'
import { type PortalAnswer, page, type Visit } from '../answer.ts'
import { callForPage } from '../api.ts'
import { burnDown, type Point } from '../chart.ts'
import { type Forecast, forecast } from '../forecast.ts'
import { count, DAY_MS, day, rate, shortDay, timeElement, whole, words } from '../format.ts'
import { type Html, html } from '../html.ts'
import { facts } from '../parts.ts'

type AccountView = SuccessBody<'getAccount'>['data']
type DaySums = SuccessBody<'summarizeUsage', 200>['data']

export async function overview({ api, now }: Visit): Promise<PortalAnswer> {
  const { data: account } = await callForPage(api, 'getAccount')
  const cycleStart = Date.parse(account.current_period_start)
  const since = new Date(Math.min(cycleStart, now.getTime() - 30 * DAY_MS))
  const { data: days } = await callForPage(api, 'summarizeUsage', {
    query: { by: 'day', since: since.toISOString() },
  })
  // On the first day of the cycle, calls before its start are excluded: the previous grant paid for them.
  const { data: ofCycle } = await callForPage(api, 'summarizeUsage', {
    query: { by: 'day', since: account.current_period_start },
  })
  const spentOn = new Map(days.map(({ value, credits_charged }) => [value, credits_charged]))
  const expected = forecast(account.credits.available, spentOn, now)
  return page(
    'overview',
    'Overview',
    html`<h1 class="hidden">Overview</h1>
      <section class="hero">
        <p class="figure"><strong>${whole(account.credits.available)}</strong> credits available</p>
        <p class="lead">${forecastSentence(expected)}</p>
      </section>
      ${creditBurnDown(account, ofCycle, expected, cycleStart, now)}
      <div class="columns">
        <section><h2>Credits</h2>${facts([
          ['Balance', whole(account.credits.balance)],
          ['Held by running jobs', whole(account.credits.held)],
          ['Granted in this cycle', whole(account.credits.granted_this_cycle)],
          ['Spent in the last 30 days', whole(spentSince(spentOn, now, 30))],
        ])}</section>
        <section><h2>Plan</h2>${facts([
          ['Plan', words(account.plan_id)],
          ['Cycle began', day(account.current_period_start)],
          ['Calls per minute and key', whole(account.plan.rate_limit_per_minute)],
          ['Open jobs', usedText(account.limits.open_jobs)],
          ['Watches', usedText(account.limits.watches)],
          ['Stored rows', usedText(account.limits.stored_rows)],
        ])}</section>
      </div>
      ${keyLimitText(account)}
      <p class="quiet">Account ${account.email ?? ''} <code>${account.id}</code></p>`,
  )
}

function forecastSentence({ perDay, daysLeft, endsOn }: Forecast): Html {
  if (perDay === 0) {
    return html`No credits were spent in the last 7 days. <a href="/docs/quick-start">Make a call</a>.`
  }
  const pace = `${rate(perDay)} credits a day in the last 7 days.`
  if (!endsOn) return html`${pace} At this pace, they last for more than 10 years.`
  if (daysLeft < 1) return html`${pace} At this pace, they are gone <strong>within a day</strong>.`
  return html`${pace} At this pace, they last until <strong>${day(endsOn)}</strong> (${count(Math.floor(daysLeft), 'day')}).`
}

/** The remaining credits of the plan's grant, day by day, and the forecast. */
function creditBurnDown(
  account: AccountView,
  days: DaySums,
  { perDay }: Forecast,
  cycleStart: number,
  now: Date,
): Html {
  const granted = account.credits.granted_this_cycle
  if (granted === 0) return ''
  const first = Date.parse(timeElement(cycleStart))
  const elapsed = Math.max(DAY_MS, now.getTime() - first)
  // As many days ahead as behind, so that today is in the middle.
  const span = 2 * elapsed
  let left = granted
  const past: Point[] = [{ at: 0, value: granted }]
  for (const { value, credits_charged } of days) {
    const time = Date.parse(value ?? '')
    if (!(time >= first)) continue
    left = Math.max(0, left - credits_charged)
    past.push({ at: Math.min(time + DAY_MS - first, elapsed) / span, value: left })
  }
  past.push({ at: elapsed / span, value: left })
  const end = left - perDay * (elapsed / DAY_MS)
  const reach = end >= 0 || perDay === 0 ? 1 : (elapsed + (left / perDay) * DAY_MS) / span
  const expected = [
    { at: elapsed / span, value: left },
    { at: reach, value: Math.max(0, end) },
  ]
  const last = new Date(first + span)
  return html`<section><h2>Credits of this cycle</h2>
    ${burnDown(
      { most: granted, past, expected },
      [shortDay(new Date(first)), shortDay(last)],
      `${whole(left)} of ${whole(granted)} credits that the plan granted on ${day(account.current_period_start)} are left.`,
    )}
    <p class="quiet legend"><span><span class="key solid"></span>Left of the ${whole(granted)} granted credits: ${whole(left)}</span>
      <span><span class="key dashed"></span>Expected. Credits that you bought are not in this chart.</span></p>
  </section>`
}

function usedText({ used, limit }: AccountView['limits']['watches']): string {
  return limit === null ? whole(used) : `${whole(used)} of ${whole(limit)}`
}

function keyLimitText({ key }: AccountView): Html {
  if (!key?.limit) return ''
  const { credits, per } = key.limit
  const period = per === 'total' ? 'in total' : `in each ${per}`
  return html`<p class="note plain">The key of this session can spend ${whole(credits)} credits ${period}, and
    ${' '}${whole(key.remaining ?? 0)} are left.</p>`
}

function spentSince(spentOn: ReadonlyMap<string | null, number>, now: Date, days: number): number {
  const first = timeElement(now.getTime() - (days - 1) * DAY_MS)
  return [...spentOn].reduce(
    (sum, [date, credits]) => (date !== null && date >= first ? sum + credits : sum),
    0,
  )
}
