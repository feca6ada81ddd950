// The provider of a run, a process of its own: it speaks spec/provider.yaml over a file of listings and does, as its seed
// tells it, everything wrong that a provider can do. It writes down each query with the moment it came and the moment
// it was over, from which the auditor sees what the service did at the same time.
//
//   node main.ts --file F.ndjson --log L.ndjson --port P --token T --seed S --trouble 0.1 --slow MS
//
// SIGUSR1 makes it behave from then on; SIGUSR2 begins an outage (everything is 503), and the next one ends it.
//
// Any id of 13 digits or more is a home: a copy of one of the file's. So every call can ask for a home of its own.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import {
  answer,
  findOperation,
  type ProviderRequest,
  type ProviderResponse,
  refusal,
} from '@lotline/api/reference-provider/answers.ts'
import { type Fault, send } from '@lotline/api/reference-provider/faults.ts'
import { Listings } from '@lotline/api/reference-provider/listings.ts'
import type { Property } from '@lotline/contract'
import { nowMs } from '../clock.ts'
import { openLog } from '../log.ts'
import { type Random, seeded } from '../random.ts'
import { isSlow, MADE_ZPID, madeHome } from './made-home.ts'
import { readRecords } from './read-records.ts'

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    log: { type: 'string', default: '' },
    port: { type: 'string', default: '0' },
    token: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    trouble: { type: 'string', default: '0' },
    slow: { type: 'string', default: '170' },
  },
})

const records = readRecords(values.file)
const listings = new Listings(records)
const log = openLog(values.log)
const random = seeded(`${values.seed}/provider`)
let trouble = Number(values.trouble)
let isAway = false

// No fault here spoils single rows of a list: the service leaves those out, rightly, and then it is not known whether a
// row that is missing should be there.
const FAULTS: readonly ((random: Random) => Fault)[] = [
  (random) => ({ kind: 'delay', ms: random.int(50, 1_500) }),
  () => ({ kind: 'hang' }),
  () => ({ kind: 'stall' }),
  () => ({ kind: 'reset' }),
  () => ({ kind: 'truncate' }),
  (random) => ({ kind: 'status', status: random.pick([429, 500, 502, 503, 504]) }),
  () => ({ kind: 'status', status: 401 }),
  () => ({ kind: 'html' }),
  () => ({ kind: 'malformed' }),
]

process.on('SIGUSR1', () => {
  trouble = 0
  isAway = false
})
process.on('SIGUSR2', () => {
  isAway = !isAway
})

createServer(async (request, response) => {
  const arrivedAt = nowMs()
  const asked = { method: request.method ?? '', url: request.url ?? '', body: await textOf(request) }
  const operation = findOperation(asked) ?? null
  const isTroubled = random.chance(trouble)
  const wrong = FAULTS[random.int(0, FAULTS.length - 1)]!(random)
  const fault: Fault | undefined = isAway ? { kind: 'status', status: 503 } : isTroubled ? wrong : undefined
  response.once('close', () => {
    const zpid = /^\/properties\/(\d+)/.exec(asked.url)?.[1] ?? null
    const end = response.writableFinished ? 'answered' : 'closed'
    log.write({
      kind: 'query',
      operation,
      zpid,
      arrivedAt,
      endedAt: nowMs(),
      end,
      fault: fault?.kind ?? null,
    })
  })
  // A source takes its time: calls of one key that ran side by side would be seen to.
  const [soon, late] = [random.int(1, 12), Math.round(Number(values.slow) * (0.7 + 0.6 * random.next()))]
  const made = MADE_ZPID.exec(asked.url)?.[1]
  setTimeout(respond, made !== undefined && isSlow(made) ? late : soon, request, response, asked, fault)
}).listen(Number(values.port), '127.0.0.1')

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  asked: ProviderRequest,
  fault?: Fault,
): void {
  if (response.destroyed) return
  const isOurs = request.headers.authorization === `Bearer ${values.token}`
  void send(response, isOurs ? judge(asked) : refusal(401, 'unauthorized', 'Who are you?'), fault)
}

function judge(asked: ProviderRequest): ProviderResponse {
  const operation = findOperation(asked)
  if (!operation) return refusal(404, 'no_such_path', 'There is no such path.')
  const zpid = MADE_ZPID.exec(asked.url)?.[1]
  if (zpid !== undefined)
    return { status: 200, body: { property: madeHome(records, zpid) satisfies Property } }
  return answer(listings, operation, asked)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of request) pieces.push(piece as Buffer)
  } catch {
    // The asker hung up.
  }
  return Buffer.concat(pieces).toString()
}
