// One call of one client: sent as given, followed as far as it came, and recorded.

import { Agent, type IncomingMessage, request as sendRequest } from 'node:http'
import { PROVIDER_WORDS } from '@lotline/api/reference-provider/faults.ts'
import type { OperationId } from '@lotline/contract'
import { nowMs } from '../clock.ts'
import type { CallFacts } from '../records.ts'
import { countRows, idsOf } from './rows.ts'
import type { Origin, World, WorldKey } from './world.ts'

/** No call of the service's takes longer than this here: a client that waits longer gives up. */
const WAIT_TIMEOUT_MS = 40_000

export interface TortureCallOptions {
  readonly operation: OperationId | null
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
  readonly idempotencyKey?: string
  /** Sent as X-Max-Credits. */
  readonly maxCredits?: number
  readonly ownZpid?: string
  readonly burst?: string
  /** The ids of the only rows that it may have. */
  readonly inArea?: readonly string[]
  /** Default: over the bad network. */
  readonly origin?: Origin
  readonly agent?: Agent
  /** The value of the header Authorization, null for none; default: the client's key. */
  readonly authorization?: string | null
  /** Hangs up after so long. */
  readonly hangUpAfterMs?: number
  /** Stops reading for so long when the head has come. */
  readonly restsMs?: number
}

/** An answer whose head has come. */
export interface CallAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Whether all of the body came. */
  readonly whole: boolean
  readonly text: string
  readonly sentAt: number
  readonly endAt: number
}

/** undefined: it is not known what became of the call. */
export async function call(
  world: World,
  client: string,
  key: WorldKey | undefined,
  options: TortureCallOptions,
): Promise<CallAnswer | undefined> {
  const { operation, method = 'GET', path, idempotencyKey, maxCredits, ownZpid, burst, inArea } = options
  const sentAt = nowMs()
  const facts: CallFacts = {
    call: world.nextCall(),
    client,
    operation,
    method,
    path,
    sentAt,
    keyId: key?.id ?? null,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(maxCredits !== undefined && { maxCredits }),
    ...(ownZpid !== undefined && { ownZpid }),
    ...(burst !== undefined && { burst }),
  }
  try {
    const { message, headAt, text, whole } = await exchange(world, key, options)
    const endAt = nowMs()
    const status = message.statusCode ?? 0
    const json =
      whole && /json$/.test(message.headers['content-type']?.split(';')[0] ?? '') ? parse(text) : undefined
    const leaks = findLeak(text, status, key)
    const charged = message.headers['x-credits-charged']
    world.log.write({
      kind: 'answer',
      ...facts,
      headAt,
      endAt,
      whole,
      status,
      requestId: message.headers['x-request-id']?.toString() ?? null,
      charged: charged === undefined ? null : Number(charged),
      code: json?.error?.code ?? null,
      rows:
        whole && status === 200 ? countRows(message.headers['content-type'] ?? '', text, json?.data) : null,
      ...(status === 202 && json?.data?.job_id && { jobId: json.data.job_id }),
      ...(status === 201 && json?.data?.id && { createdId: json.data.id }),
      ...(leaks !== undefined && { leaks }),
      ...(whole && status === 200 && inArea && { outside: findOutside(message, text, inArea) }),
    })
    return { status, headers: message.headers, whole, text, sentAt, endAt }
  } catch (error) {
    world.log.write({ kind: 'lost', ...facts, endAt: nowMs(), reason: String((error as Error).message) })
    return undefined
  }
}

function findOutside({ headers }: IncomingMessage, text: string, inArea: readonly string[]): string[] {
  const type = headers['content-type'] ?? ''
  const format = type.startsWith('text/csv') ? 'csv' : type.startsWith('application/json') ? 'json' : 'ndjson'
  const inside = new Set(inArea)
  return idsOf(format, text).filter((zpid) => !inside.has(zpid))
}

/** A webhook's secret is shown once, when it is made; what the provider says in its failures is the operator's. */
function findLeak(text: string, status: number, key: WorldKey | undefined): string | undefined {
  if (status !== 201 && text.includes('whsec_')) return 'the secret of a webhook'
  if (text.includes(PROVIDER_WORDS)) return 'the words of the provider'
  return key && text.includes(key.text) ? 'a key' : undefined
}

interface AnswerBody {
  readonly data?: { readonly job_id?: string; readonly id?: string } & readonly unknown[]
  readonly error?: { readonly code?: string }
}

function parse(text: string): AnswerBody | undefined {
  try {
    return JSON.parse(text) as AnswerBody
  } catch {
    return undefined
  }
}

interface HttpExchange {
  readonly message: IncomingMessage
  readonly headAt: number
  readonly text: string
  readonly whole: boolean
}

function exchange(
  world: World,
  key: WorldKey | undefined,
  options: TortureCallOptions,
): Promise<HttpExchange> {
  const { method = 'GET', path, body, origin = world.origin, agent, hangUpAfterMs, restsMs = 0 } = options
  const { authorization = key && `Bearer ${key.text}` } = options
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const bytes = body === undefined || isRaw ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request = sendRequest({
      ...origin,
      method,
      path,
      agent: agent ?? false,
      headers: {
        ...(authorization && { authorization }),
        ...(bytes !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(bytes),
        }),
        ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
        ...(options.maxCredits !== undefined && { 'x-max-credits': String(options.maxCredits) }),
        ...options.headers,
      },
    })
    const end = setTimeout(
      () => request.destroy(new Error('client disconnected')),
      hangUpAfterMs ?? WAIT_TIMEOUT_MS,
    )
    request.once('close', () => clearTimeout(end))
    // After the head this changes nothing: the promise is kept by then.
    request.on('error', reject)
    request.once('response', (message) => {
      const headAt = nowMs()
      const pieces: Buffer[] = []
      message.on('data', (piece: Buffer) => pieces.push(piece))
      message.on('error', () => {})
      message.once('close', () =>
        resolve({ message, headAt, text: Buffer.concat(pieces).toString(), whole: message.complete }),
      )
      if (restsMs > 0) {
        message.pause()
        setTimeout(() => message.resume(), restsMs)
      }
    })
    request.end(bytes)
  })
}

/** Keeps one connection, as clients do. */
export function keptConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}
