// The engine without HTTP: calls go straight to it, over the test's own database, the way a second front end would make
// them. It sends JSON in a given value; the bytes of a body are the transport's.

import type { OperationId } from '@lotline/contract'
import { operations } from '@lotline/contract'
import { pino } from 'pino'
import { readConfig } from '../../src/infrastructure/config/config.ts'
import type { AddressLimit, FailedKeys, VisitorLimits } from '../../src/money/accounts/failed-keys.ts'
import { type NewAccount, type OpenedAccount, openAccount } from '../../src/money/accounts/open-account.ts'
import { type App, type AppParts, buildApp } from '../../src/process/app.ts'
import { Call } from '../../src/requests/engine/call.ts'
import { createEngine, type Engine } from '../../src/requests/engine/engine.ts'
import type { CallInput } from '../../src/requests/engine/judge-call.ts'
import { createRequestId } from '../../src/requests/engine/request-id.ts'
import type { CallResponse } from '../../src/requests/engine/response.ts'
import { createOperations } from '../../src/requests/operations/index.ts'
import type { TestDatabase } from './test-database.ts'

/** All tests call from one address. */
export const UNLIMITED: FailedKeys = { isGuessing: () => false, count: () => undefined }
const noLimit: AddressLimit = { waitOf: () => undefined, take: () => undefined, giveBack: () => {} }
export const UNLIMITED_VISITORS: VisitorLimits = {
  guesses: noLimit,
  authorizations: noLimit,
  registrations: noLimit,
  pages: noLimit,
  documents: noLimit,
  documentsOfHost: noLimit,
  billing: noLimit,
}

export interface AskedCall extends Partial<CallInput> {
  /** Absent: no operation of the contract. */
  readonly id?: OperationId
  readonly key?: string
  readonly method?: string
  readonly path?: string
  readonly accept?: string
}

export interface TestEngine {
  readonly app: App
  readonly engine: Engine
  admit(asked: AskedCall): Promise<Call | CallResponse>
  /** Admits and performs; a call that was admitted is ended when its body has been read. */
  call(asked: AskedCall): Promise<{ response: CallResponse; text: string; json: unknown }>
  openAccount(account?: Partial<NewAccount>): Promise<OpenedAccount>
}

export function createTestEngine(
  { database }: Pick<TestDatabase, 'database'>,
  parts: AppParts,
  env: Readonly<Record<string, string>> = {},
): TestEngine {
  const config = readConfig({
    LOG_LEVEL: 'silent',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...env,
  })
  const app = buildApp(config, pino({ level: 'silent' }), database, {
    failedKeys: UNLIMITED,
    ...parts,
  })
  const engine = createEngine(app, createOperations(app))

  function admit({ id, key, method, path, accept }: AskedCall): Promise<Call | CallResponse> {
    return engine.admit(key === undefined ? undefined : `Bearer ${key}`, {
      requestId: createRequestId(),
      address: '127.0.0.1',
      method: method ?? (id ? operations[id].method : 'GET'),
      path: path ?? (id ? operations[id].path : '/v1/nope'),
      operationId: id,
      accept,
    })
  }

  return {
    app,
    engine,
    admit,
    async call(asked) {
      const call = await admit(asked)
      const response = call instanceof Call ? await engine.perform(call, inputOf(asked)) : call
      const text = await readAll(response.body)
      if (call instanceof Call) call.end()
      const isJson = response.headers['content-type']?.startsWith('application/json')
      return { response, text, json: isJson ? JSON.parse(text) : undefined }
    },
    openAccount: (account) =>
      openAccount(database, { plan: 'custom', credits: 10_000, ratePerMinute: 100_000, ...account }),
  }
}

export function inputOf({ params, query, headers, body }: AskedCall): CallInput {
  return {
    params: params ?? {},
    query: query ?? {},
    headers: headers ?? {},
    body: body ?? { value: undefined },
  }
}

async function readAll(body: CallResponse['body']): Promise<string> {
  if (body === undefined) return ''
  if (typeof body === 'string' || Buffer.isBuffer(body)) return String(body)
  let text = ''
  for await (const piece of body) text += String(piece)
  return text
}
