// The real server over real HTTP, in the test's process and over the test's own database. Every answer is held against
// the contract on its way to the test.

import { type Logger, pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { type Config, readConfig } from '../../src/infrastructure/config/config.ts'
import { type HttpLimits, httpLimits } from '../../src/interfaces/http/http-limits.ts'
import { createServer } from '../../src/interfaces/server.ts'
import { type NewAccount, type OpenedAccount, openAccount } from '../../src/money/accounts/open-account.ts'
import { type App, type AppParts, buildApp } from '../../src/process/app.ts'
import { checkAnswer } from './contract-check.ts'
import { type RequestOptions, sendThroughSdk, THROUGH_SDK } from './send-through-sdk.ts'

export type { RequestOptions } from './send-through-sdk.ts'

import type { TestDatabase } from './test-database.ts'
import { UNLIMITED, UNLIMITED_VISITORS } from './test-engine.ts'

// Without one, the first webhook would have a key made and kept in the working directory.
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

/** Settings with which a service takes the addresses of subscribers. No test that uses them sends a mail. */
export const TAKES_ADDRESSES = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Lotline <no-reply@example.com>',
  PUBLIC_URL: 'http://127.0.0.1',
} as const

export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape the contract check has judged
  readonly json: any
  readonly code: string | undefined
  readonly charged: number
  readonly remaining: number
}

export interface TestServer {
  readonly app: App
  readonly url: string
  readonly port: number
  send(method: string, path: string, sent?: RequestOptions): Promise<TestResponse>
  get(path: string, sent?: RequestOptions): Promise<TestResponse>
  post(path: string, body: unknown, sent?: RequestOptions): Promise<TestResponse>
  openAccount(account?: Partial<NewAccount>): Promise<OpenedAccount>
}

export interface TestServerOptions {
  readonly parts?: AppParts
  readonly env?: Readonly<Record<string, string>>
  /** Shorter timeouts for slow senders than the real server's. */
  readonly limits?: Partial<HttpLimits>
  /** A port that is known beforehand, for PUBLIC_URL. Default: any free one. */
  readonly port?: number
  /** Default: none. */
  readonly log?: Logger
}

/** A server that lives as long as the test file (or `describe`) that calls this at its top, after `withTestDatabase`. */
export function withTestServer(
  testDatabase: Pick<TestDatabase, 'database'>,
  options: TestServerOptions = {},
): TestServer {
  let server: (TestServer & { close(): Promise<void> }) | undefined
  beforeAll(async () => {
    server = await startTestServer(testDatabase, options)
  })
  afterAll(async () => {
    await server?.close()
    // A leaked slot would make the key's next call wait for ever.
    if (server && server.app.queues.size > 0) throw new Error('The tests left calls in flight.')
  })
  const get = () => {
    if (!server) throw new Error('The test server exists from beforeAll on.')
    return server
  }
  return {
    get app() {
      return get().app
    },
    get url() {
      return get().url
    },
    get port() {
      return get().port
    },
    send: (...sent) => get().send(...sent),
    get: (...sent) => get().get(...sent),
    post: (...sent) => get().post(...sent),
    openAccount: (account) => get().openAccount(account),
  }
}

export async function startTestServer(
  { database }: Pick<TestDatabase, 'database'>,
  options: TestServerOptions = {},
): Promise<TestServer & { close(): Promise<void> }> {
  const config: Config = readConfig({ LOG_LEVEL: 'silent', SECRETS_KEY, ...options.env })
  // All tests call from one address, and many with wrong keys on purpose.
  const parts = { failedKeys: UNLIMITED, visitorLimits: UNLIMITED_VISITORS, ...options.parts }
  const app = buildApp(config, options.log ?? pino({ level: config.logLevel }), database, parts)
  const httpServer = await createServer(app, { ...httpLimits, ...options.limits })
  const url = await httpServer.listen({ host: '127.0.0.1', port: options.port ?? 0 })

  async function send(method: string, path: string, sent: RequestOptions = {}): Promise<TestResponse> {
    const response =
      (THROUGH_SDK && (await sendThroughSdk(url, method, path, sent))) ||
      (await sendPlainly(method, path, sent))
    const text = await response.text()
    if (method !== 'HEAD')
      checkAnswer({ method, url: path, status: response.status, headers: response.headers, text })
    const isJson =
      /^application\/(.+\+)?json\b/.test(response.headers.get('content-type') ?? '') && text !== ''
    const json = isJson ? JSON.parse(text) : undefined
    return {
      status: response.status,
      headers: response.headers,
      text,
      json,
      code: json?.error?.code,
      charged: Number(response.headers.get('x-credits-charged')),
      remaining: Number(response.headers.get('x-credits-remaining')),
    }
  }

  function sendPlainly(method: string, path: string, sent: RequestOptions): Promise<Response> {
    return fetch(url + path, {
      method,
      headers: {
        ...(sent.key !== undefined && { authorization: `Bearer ${sent.key}` }),
        ...(sent.body !== undefined && !isBytes(sent.body) && { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && {
        body: typeof sent.body === 'string' || isBytes(sent.body) ? sent.body : JSON.stringify(sent.body),
      }),
      ...(sent.signal && { signal: sent.signal }),
    })
  }

  return {
    app,
    url,
    port: Number(new URL(url).port),
    send,
    get: (path, sent) => send('GET', path, sent),
    post: (path, body, sent) => send('POST', path, { ...sent, body }),
    openAccount: (account) =>
      openAccount(database, { plan: 'custom', credits: 10_000, ratePerMinute: 100_000, ...account }),
    async close() {
      await httpServer.close()
      await app.ledger.drained()
      await app.mailer?.drained()
    },
  }
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}

/** What a response says, without when it was read: two calls for the same rows differ in nothing else. */
export function withoutReadTimes<Data>(data: Data): Data {
  return JSON.parse(
    JSON.stringify(data, (name, value) => (name === 'fetched_at' ? undefined : value)) ?? 'null',
  ) as Data
}
