// What an attacker who guesses keys costs everyone else: the slowest lookups of customers beside 5,000 guesses a second, and
// without them, in turns. The attacker is a process on this machine's loopback, bounded in number and time; his own work
// takes the same cores, so in a deployment the ratio is better than here.

import { createApiKey } from '@lotline/api/money/accounts/keys.ts'
import { inTurns } from '../bench.ts'
import { findHomes } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { runChild } from '../processes/child.ts'
import { getRequest } from '../processes/load-run.ts'
import type { PacedOrder, PacedReport } from '../processes/paced.ts'
import { median } from '../statistics.ts'

const SCRIPT = new URL('../processes/paced.ts', import.meta.url)
const GUESSES_PER_SECOND = 5_000
const ATTACKING_CONNECTIONS = 50
/** All different, or the second try of one would be cheaper than a guess. */
const GUESSES = 10_000
const CALLS_PER_SECOND = 100
const HOMES = 50
/** The time by which the attack begins before the measurement and ends after it. */
const MARGIN_SECONDS = 0.5

export const guesses: Measurement = {
  name: 'guesses',
  onlyWhenAsked: true,
  measures: [
    {
      name: `p99 of ${CALLS_PER_SECOND} lookups/s beside ${GUESSES_PER_SECOND.toLocaleString('en-US')} key guesses/s`,
      unit: 'ms',
      target: { of: 'ratio', bound: 'at most', value: 2 },
    },
  ],
  async run(bench) {
    const { api, accounts, database } = await bench.sample()
    const zpids = await findHomes(database, HOMES)
    const requests = accounts.flatMap(({ key }, at) =>
      zpids.slice(at % HOMES, (at % HOMES) + 5).map((zpid) => getRequest(`/v1/properties/${zpid}`, key)),
    )
    const paced = (order: Omit<PacedOrder, 'port'>) =>
      runChild<PacedReport>(SCRIPT, { input: { port: api.port, ...order } })
    const lookups = async () => {
      const report = await paced({
        requests,
        seconds: bench.seconds,
        perSecond: CALLS_PER_SECOND,
        connections: accounts.length,
      })
      refuseOthers(report, ['200'])
      return report.p99Ms
    }
    const guessed: number[] = []
    const refused: Record<string, number> = {}
    const beside = async () => {
      const attack = paced({
        requests: Array.from({ length: GUESSES }, () =>
          getRequest(`/v1/properties/${zpids[0]}`, createApiKey()),
        ),
        seconds: bench.seconds + 2 * MARGIN_SECONDS,
        perSecond: GUESSES_PER_SECOND,
        connections: ATTACKING_CONNECTIONS,
      })
      await new Promise((resolve) => setTimeout(resolve, MARGIN_SECONDS * 1_000))
      const [p99Ms, report] = await Promise.all([lookups(), attack])
      refuseOthers(report, ['401', '429'])
      guessed.push(report.perSecond)
      for (const [status, count] of Object.entries(report.statuses))
        refused[status] = (refused[status] ?? 0) + count
      return p99Ms
    }
    await lookups()
    const samples = await inTurns(bench.rounds, beside, lookups)
    const answered = Math.round(median(guessed)).toLocaleString('en-US')
    return [
      {
        ...samples,
        note: `baseline: the same lookups without guesses; ${answered} guesses/s were answered: ${JSON.stringify(refused)}`,
      },
    ]
  },
}

/** @throws {Error} when an answer had another status. */
function refuseOthers({ statuses }: PacedReport, expected: readonly string[]): void {
  if (Object.keys(statuses).some((status) => !expected.includes(status)))
    throw new Error(
      `some responses did not have status ${expected.join(' or ')}: ${JSON.stringify(statuses)}`,
    )
}
