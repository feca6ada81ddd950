// Roles: each role opens its pages and makes its changes, and is refused all others. The table here is the promise; the console has its own.

import { randomUUID } from 'node:crypto'
import { CONSOLE_ROUTES } from '@lotline/portal/console'
import { beforeAll, describe, expect, it } from 'vitest'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { ROLES } from '../../../src/money/operator/roles.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import type { Visitor } from '../portal/visitor.ts'
import { withTestConsole } from './operator.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const console = withTestConsole(server)
const db = () => testDatabase.database

/** The roles that may use each route, beside an owner. */
const PERMITTED: Readonly<Record<string, readonly (typeof ROLES)[number][]>> = {
  'GET /accounts': ['support', 'finance'],
  'GET /accounts/new': ['finance'],
  'POST /accounts': ['finance'],
  'GET /accounts/:id': ['support', 'finance'],
  'POST /accounts/:id/plan': ['finance'],
  'POST /accounts/:id/suspend': ['support', 'finance'],
  'POST /accounts/:id/resume': ['support', 'finance'],
  'POST /accounts/:id/top-up': ['support', 'finance'],
  'GET /purchases': ['support', 'finance'],
  'POST /purchases/:id/approve': ['finance'],
  'POST /purchases/:id/refuse': ['finance'],
  'GET /approvals': ['finance'],
  'POST /approvals/:id/approve': ['finance'],
  'POST /approvals/:id/refuse': ['finance'],
  'GET /sources': ['data'],
  'GET /data-set': ['data'],
  'GET /imports': ['data'],
  'GET /imports/:id': ['data'],
  'POST /imports/:id/release': ['data'],
  'POST /imports/:id/discard': ['data'],
  'GET /imports/:id/undo': ['data'],
  'POST /imports/:id/undo': ['data'],
  'GET /providers': ['support', 'data'],
  'GET /queues': ['support', 'data'],
  'GET /webhooks': ['support', 'data'],
  'GET /audit': ['finance'],
  'POST /audit': ['finance'],
  'GET /trail': ['finance'],
  'GET /operators': [],
  'POST /operators/sessions/:id/end': [],
}

/** The first page of each role. */
const HOME = { support: '/accounts', finance: '/accounts', data: '/sources', owner: '/accounts' } as const

let accountId = ''
const operators = new Map<string, Visitor>()
beforeAll(async () => {
  accountId = (await server.openAccount({ plan: 'monthly', credits: 1000 })).accountId
  for (const role of ROLES) operators.set(role, await console.named(`${role} person`, role))
})

it('every route of the console is in the table of roles', () => {
  expect(CONSOLE_ROUTES.map(([method, pattern]) => `${method} ${pattern}`).sort()).toEqual(
    Object.keys(PERMITTED).sort(),
  )
})

describe.each(ROLES)('the role %s', (role) => {
  it.each(Object.entries(PERMITTED))('is judged at %s', async (route, permitted) => {
    const [method, pattern] = route.split(' ') as [string, string]
    // An invalid form: a permitted request is refused later, for its form, and changes nothing.
    const path = pattern.replace(':id', accountId)
    const operator = operators.get(role)!
    const before = await readTrail(db(), { limit: 1 })
    const { status, text } = method === 'GET' ? await operator.get(path) : await operator.post(path, {})
    if (role === 'owner' || permitted.includes(role)) {
      expect([200, 303, 422]).toContain(status)
      expect(text).not.toContain('Not permitted')
    } else {
      expect(status).toBe(403)
      expect(text).toContain('Not permitted')
    }
    expect(await readTrail(db(), { limit: 1 })).toEqual(before)
  })

  it('is led to its first page, and sees links and buttons only for what it may do', async () => {
    const operator = operators.get(role)!
    expect((await operator.get('/')).to).toBe(HOME[role])
    const { text } = await operator.get(HOME[role])
    const header = text.slice(text.indexOf('<nav'), text.indexOf('</nav>'))
    const links = [...header.matchAll(/href="([^"]+)"/g)].map(([, path]) => path!)
    expect(links.length).toBeGreaterThan(0)
    for (const path of links) expect((await operator.get(path)).status, path).toBe(200)
    const account = await operator.get(`/accounts/${accountId}`)
    for (const [action, permitted] of [
      ['top-up', PERMITTED['POST /accounts/:id/top-up']!],
      ['plan', PERMITTED['POST /accounts/:id/plan']!],
      ['suspend', PERMITTED['POST /accounts/:id/suspend']!],
    ] as const)
      expect(account.text.includes(`action="/accounts/${accountId}/${action}"`), action).toBe(
        role === 'owner' || permitted.includes(role),
      )
  })
})

it('a refused change with a valid form changes nothing', async () => {
  for (const role of ['data', 'support'] as const) {
    const sent = await operators
      .get(role)!
      .post(`/accounts/${accountId}/plan`, { form: randomUUID(), plan: 'annual' })
    expect(sent.status).toBe(403)
  }
  const suspended = await operators
    .get('data')!
    .post(`/accounts/${accountId}/suspend`, { form: randomUUID() })
  expect(suspended.status).toBe(403)
  expect(await findAccount(db(), accountId)).toMatchObject({
    plan: 'monthly',
    status: 'active',
    balance: 1000,
  })
})

it('the trail names the operator of a change, and how he had signed in', async () => {
  const form = { form: randomUUID() }
  expect((await operators.get('support')!.post(`/accounts/${accountId}/suspend`, form)).status).toBe(303)
  const shared = await console.signedIn('Shared Sam')
  expect((await shared.post(`/accounts/${accountId}/resume`, { form: randomUUID() })).status).toBe(303)
  expect(await readTrail(db(), { account: accountId, limit: 2 })).toMatchObject([
    { operator: 'Shared Sam', via: 'console', sign_in: 'link', action: 'accounts.resume' },
    { operator: 'support person', via: 'console', sign_in: 'passkey', action: 'accounts.suspend' },
  ])
})
