// Guesses at the portal: secrets that do not work are limited by address, and a session that exists is never taken for one.

import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { endSession } from '../../../src/money/accounts/end-sessions.ts'
import { createVisitorLimits } from '../../../src/money/accounts/failed-keys.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import { createVisitor, signedIn } from './visitor.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const db = () => testDatabase.database

describe('invalid cookies and links', () => {
  it.each([
    ['cookies', 'get', '/portal'],
    ['links', 'post', `/portal/link/${'x'.repeat(43)}`],
  ] as const)(
    'are limited by address: after 60 %s, 429 is returned without a transaction, and with at most one small query',
    async (_, method, path) => {
      let queries = 0
      const counted: Database = {
        ...db(),
        query: ((...args: Parameters<Database['query']>) => {
          if (args[2]?.name === 'find_portal_sessions') queries++
          return db().query(...args)
        }) as Database['query'],
        transaction: ((...args: Parameters<Database['transaction']>) => {
          queries++
          return db().transaction(...args)
        }) as Database['transaction'],
      }
      const clock = { now: 0 }
      const guarded = await startTestServer(
        { database: counted },
        { parts: { visitorLimits: createVisitorLimits(() => clock.now) } },
      )
      try {
        const customer = await signedIn(guarded, (await server.openAccount()).key)
        const visitor = createVisitor(guarded)
        const guess = async () => {
          visitor.cookie = `lotline_session=${'x'.repeat(43)}`
          return method === 'get' ? visitor.get(path) : visitor.post(path, {}, { csrf: undefined })
        }
        for (let at = 0; at < 60; at++) expect((await guess()).status).not.toBe(429)
        const before = queries
        const { status, headers, text } = await guess()
        expect(status).toBe(429)
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
        expect(text).toContain('Too many failed attempts')
        expect(before).toBeGreaterThan(0)
        expect(queries - before).toBe(method === 'get' ? 1 : 0)
        // A customer behind the same address goes on.
        expect((await customer.get('/portal')).status).toBe(200)
        clock.now += 1_000
        expect((await guess()).status).not.toBe(429)
      } finally {
        await guarded.close()
      }
    },
  )
})

describe('a session at a process that does not know it, while its address guesses there', () => {
  it('opens every page, even if it has just begun, and counts as a guess after it has ended', async () => {
    let lookups = 0
    const counted: Database = {
      ...db(),
      query: ((...args: Parameters<Database['query']>) => {
        if (args[2]?.name === 'find_portal_sessions') lookups++
        return db().query(...args)
      }) as Database['query'],
    }
    const other = await startTestServer(
      { database: counted },
      // The address goes on guessing: no second passes in which it may try one.
      { parts: { visitorLimits: createVisitorLimits(() => 0) } },
    )
    try {
      const { key } = await server.openAccount({ ratePerMinute: 1_000 })
      const there = async () => {
        const { cookie } = await signedIn(server, key)
        return Object.assign(createVisitor(other), { cookie })
      }
      const before = await there()
      const guess = Object.assign(createVisitor(other), { cookie: `lotline_session=${'x'.repeat(43)}` })
      for (let at = 0; at < 60; at++) expect((await guess.get('/portal')).status).toBe(200)
      expect((await guess.get('/portal')).status).toBe(429)
      for (const path of ['/portal', '/portal/keys']) {
        const page = await before.get(path)
        expect(page.status).toBe(200)
        expect(page.text).toContain('Sign out')
      }
      // As after a sign-in at the one process, whose redirect leads to the other one at once.
      for (let at = 0; at < 3; at++) expect((await (await there()).get('/portal')).text).toContain('Sign out')

      // Many guesses at a time share a few statements.
      const earlier = lookups
      const guesses = await Promise.all(
        Array.from({ length: 100 }, (_, at) =>
          Object.assign(createVisitor(other), {
            cookie: `lotline_session=${String(at).padStart(43, 'y')}`,
          }).get('/portal'),
        ),
      )
      expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([429]))
      expect(lookups - earlier).toBeLessThan(50)

      const ended = await there()
      await endSession(db(), ended.cookie.split('=')[1]!)
      expect((await ended.get('/portal')).status).toBe(429)
    } finally {
      await other.close()
    }
  })
})
