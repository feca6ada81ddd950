// The console for tests: its own listener over the test's server, and operators who sign in to it.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { addSource } from '../../../src/data/replication/source-store.ts'
import { createConsole } from '../../../src/interfaces/console/console.ts'
import { startSessionFor } from '../../../src/money/accounts/sign-in.ts'
import { addOperator } from '../../../src/money/operator/named-operators.ts'
import type { OperatorRole } from '../../../src/money/operator/roles.ts'
import { createOperatorLink } from '../../../src/money/operator/sessions.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { until } from '../../setup/receiver.ts'
import type { TestServer } from '../../setup/test-server.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { createVisitor, type Visitor } from '../portal/visitor.ts'

export interface TestConsole {
  readonly url: string
  /** The path of a link that signs in once. */
  link(name?: string): Promise<string>
  /** An operator without a browser. */
  signedIn(name?: string): Promise<Visitor>
  visitor(): Visitor
  /** A named operator with an open session, as after a sign-in with a passkey. The operator is added first. */
  named(name: string, role: OperatorRole): Promise<Visitor>
}

/** A console that lives as long as the test file that calls this, after `withTestServer`. */
export function withTestConsole(server: TestServer): TestConsole {
  let listener: FastifyInstance
  let url = ''
  beforeAll(async () => {
    listener = await createConsole(server.app, { url: undefined, sharedMs: 0 })
    url = await listener.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => listener?.close())
  const link = async (name = 'Ana') => {
    const made = await createOperatorLink(server.app.database, name)
    if (typeof made === 'string') throw new Error(`no link: ${made}`)
    return `/link/${made.token}`
  }
  const visitor = () => createVisitor({ url }, '/no-such-page')
  return {
    async named(name, role) {
      const { database } = server.app
      const added = await addOperator(database, { name: 'Test', via: 'command' }, name, role)
      if (!added.done) throw new Error(`no operator: ${added.because}`)
      const operatorId = added.value.named.id
      const id = await startSessionFor(database, 'operator', name, { operatorId })
      return Object.assign(visitor(), { cookie: `lotline_console=${id}` })
    },
    get url() {
      return url
    },
    link,
    visitor,
    async signedIn(name) {
      const operator = visitor()
      const { status, to } = await operator.post(await link(name), {}, { csrf: undefined })
      expect({ status, to }).toEqual({ status: 303, to: '/' })
      return operator
    },
  }
}

/**
 * Gives the pages of the console something to show that customers, receivers, and files wrote: a source that fails, rejected rows, an open
 * job, and a webhook whose receiver cannot be reached. The server must allow private networks for webhooks.
 *
 * @param text a part of all of it
 */
export async function fillService(server: TestServer, text: string): Promise<void> {
  const { database } = server.app
  await addSource(database, 'metro', { kind: 'file', location: '/data/metro.ndjson', complete: false }, 900)
  await database.query(
    `update connected_sources set synced_at = now() - interval '3 hours', failures = 2, last_error = $1, counts = $2`,
    [`The server said ${text}`, JSON.stringify({ records: 1234, rejected: 5 })],
  )
  function* rows() {
    yield* rowsOf(homes(1, 31) as never[])
    for (let line = 31; line <= 60; line++) yield { line, fault: `has ${text}` }
  }
  await importListings(database, rows(), { source: 'county' })
  const { key } = await server.openAccount({ email: `hooks${'x'.repeat(50)}@example.com` })
  await server.post('/v1/webhooks', { url: 'http://127.0.0.1:1024/hook' }, { key })
  const body = { urls: ['https://www.zillow.com/homedetails/1_zpid/'] }
  const start = async () =>
    (await server.post('/v1/properties/batch', body, { key })).json.data.job_id as string
  const [aborted] = [await start(), await start()]
  const deliverer = server.app.webhooks.start()
  try {
    await server.send('POST', `/v1/jobs/${aborted}/abort`, { key })
    await until(
      async () =>
        (await database.query('select from webhook_attempts where ended_at is not null')).rowCount > 0,
    )
  } finally {
    await deliverer.stop()
  }
  await database.query(`update webhooks set url = 'http://127.0.0.1/' || $1`, [text])
}

/** The id of a form of a page, by the path that it is sent to. */
export function formIdIn(text: string, action: string): string {
  const at = text.indexOf(`action="${action}"`)
  return /name="form" value="([0-9a-f-]{36})"/.exec(text.slice(at))?.[1] ?? ''
}
