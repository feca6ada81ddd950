// The console for tests: its own listener over the test's server, and operators who sign in to it.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect } from 'vitest'
import { createConsole } from '../../src/http/console.ts'
import { createOperatorLink } from '../../src/operator/sessions.ts'
import { createVisitor, type Visitor } from '../portal/visitor.ts'
import type { TestServer } from '../setup/test-server.ts'

export interface TestConsole {
  readonly url: string
  /** The path of a link that signs in once. */
  link(name?: string): Promise<string>
  /** An operator without a browser. */
  signedIn(name?: string): Promise<Visitor>
  visitor(): Visitor
}

/** A console that lives as long as the test file that calls this, after `withTestServer`. */
export function withTestConsole(server: TestServer): TestConsole {
  let listener: FastifyInstance
  let url = ''
  beforeAll(async () => {
    listener = await createConsole(server.app, { url: undefined })
    url = await listener.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => listener?.close())
  const link = async (name = 'Ana') => {
    const { token } = await createOperatorLink(server.app.database, name)
    return `/link/${token}`
  }
  const visitor = () => createVisitor({ url }, '/no-such-page')
  return {
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

/** The id of a form of a page, by the path that it is sent to. */
export function formIdIn(text: string, action: string): string {
  const at = text.indexOf(`action="${action}"`)
  return /name="form" value="([0-9a-f-]{36})"/.exec(text.slice(at))?.[1] ?? ''
}
