// Sessions of the console can be listed and ended, and the console locked, while it runs: by the command, in all processes at once.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConsole } from '../../../src/interfaces/console/console.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { jsonOf, lotlineWith } from '../cli/run-lotline.ts'
import { createVisitor, type Visitor } from '../portal/visitor.ts'
import { formIdIn, withTestConsole } from './operator.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const console = withTestConsole(server)
const db = () => testDatabase.database
const lotline = (...args: readonly string[]) =>
  lotlineWith({ DATABASE_URL: testDatabase.url, ADMIN_PORT: '9911' })(...args)
const run = (...args: readonly string[]) => jsonOf(lotline, ...args, '--operator', 'Root')

let second: FastifyInstance
let secondUrl = ''
beforeAll(async () => {
  second = await createConsole(server.app, { url: undefined, sharedMs: 0 })
  secondUrl = await second.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => second?.close())

/** Whether a browser is signed in, at two listeners. Processes are in pages.test.ts. */
async function isSignedIn({ cookie }: Visitor): Promise<boolean> {
  const there = Object.assign(createVisitor({ url: secondUrl }), { cookie })
  const here = Object.assign(console.visitor(), { cookie })
  const statuses = [(await here.get('/providers')).status, (await there.get('/providers')).status]
  expect(new Set(statuses).size).toBe(1)
  return statuses[0] === 200
}

describe('open sessions', () => {
  it('are listed with the operator, the times, the addresses, and the browser, without a secret', async () => {
    const ana = await console.signedIn('Ana')
    const headers = { cookie: ana.cookie, 'user-agent': 'Browser of Ana' }
    expect((await fetch(`${console.url}/accounts`, { headers })).status).toBe(200)
    const bea = await console.named('Bea', 'support')
    const sessions = await jsonOf(lotline, 'console', 'sessions')
    expect(sessions).toMatchObject([
      { operator: 'Bea', role: 'support', sign_in: 'passkey', last_used_at: null },
      {
        operator: 'Ana',
        role: 'owner',
        sign_in: 'link',
        started_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
        first_address: '127.0.0.1',
        last_address: '127.0.0.1',
        user_agent: 'Browser of Ana',
      },
    ])
    const { stdout } = await lotline('console', 'sessions')
    expect(stdout).toContain('Browser of Ana')
    for (const { cookie } of [ana, bea])
      expect(stdout + JSON.stringify(sessions)).not.toContain(cookie.split('=')[1])
    const { text } = await ana.get('/operators')
    expect(text).toContain('owner, by link')
    expect(text).not.toContain(ana.cookie.split('=')[1])
  })

  it('end by their id, by the name of the operator, or all at once, in all processes', async () => {
    const [carl, dan, shared] = [
      await console.named('Carl', 'support'),
      await console.named('Dan', 'support'),
      await console.signedIn('Eve'),
    ]
    for (const visitor of [carl, dan, shared]) expect(await isSignedIn(visitor)).toBe(true)
    const sessions: { session_id: string; operator: string }[] = await jsonOf(lotline, 'console', 'sessions')
    const idOf = (name: string) => sessions.find(({ operator }) => operator === name)!.session_id
    expect(await run('console', 'revoke', idOf('Eve'))).toEqual({ ended: [idOf('Eve')] })
    expect([await isSignedIn(carl), await isSignedIn(shared)]).toEqual([true, false])
    expect((await lotline('console', 'revoke', idOf('Eve'))).code).toBe(1)
    expect(await run('console', 'revoke', '--name', 'carl')).toEqual({ ended: [idOf('Carl')] })
    expect([await isSignedIn(carl), await isSignedIn(dan)]).toEqual([false, true])
    const again = await console.signedIn('Eve')
    await run('console', 'revoke', '--name', 'operator')
    expect([await isSignedIn(again), await isSignedIn(dan)]).toEqual([false, true])
    await run('console', 'revoke', '--all')
    expect(await isSignedIn(dan)).toBe(false)
    expect(await jsonOf(lotline, 'console', 'sessions')).toEqual([])
    for (const wrong of [[], ['--all', '--name', 'Dan'], ['no-id']])
      expect((await lotline('console', 'revoke', ...wrong)).code, wrong.join(' ')).toBe(2)
    expect((await lotline('console', 'revoke', '--name', 'Nemo')).stderr).toContain('no operator "Nemo"')
    const trail = await readTrail(db(), { limit: 100 })
    expect(
      trail.find(({ action, object }) => action === 'console.revoke' && object === idOf('Eve')),
    ).toMatchObject({
      operator: 'Root',
      via: 'command',
      before: { operator: 'Eve' },
    })
  })

  it('end by an owner in the console', async () => {
    const owner = await console.signedIn('Owner')
    const stolen = await console.named('Fay', 'data')
    const [{ session_id: id }] = (await jsonOf(lotline, 'console', 'sessions')).filter(
      ({ operator }: { operator: string }) => operator === 'Fay',
    )
    const path = `/operators/sessions/${id}/end`
    const form = formIdIn((await owner.get('/operators')).text, path)
    expect((await owner.post(path, { form })).to).toBe('/operators?done=ended')
    expect(await isSignedIn(stolen)).toBe(false)
    expect((await owner.post(path, { form: crypto.randomUUID() })).status).toBe(422)
  })

  it('of an operator end when he is removed, or his role changes', async () => {
    const gus = await console.named('Gus', 'support')
    expect(await run('operators', 'role', 'Gus', 'data')).toMatchObject({ role: 'data', ended_sessions: 1 })
    expect(await isSignedIn(gus)).toBe(false)
    const hal = await console.named('Hal', 'support')
    expect(await run('operators', 'remove', 'Hal')).toMatchObject({ ended_sessions: 1 })
    expect(await isSignedIn(hal)).toBe(false)
    expect(
      (await jsonOf(lotline, 'operators', 'list')).map(({ name }: { name: string }) => name),
    ).not.toContain('Hal')
  })
})

describe('a locked console', () => {
  it('has no session and admits no one, in all processes, until it is unlocked', async () => {
    const [ivy, link] = [await console.signedIn('Ivy'), await console.link('Jan')]
    expect((await run('console', 'lock')).ended.length).toBeGreaterThan(0)
    expect(await isSignedIn(ivy)).toBe(false)
    expect((await console.visitor().get('/')).text).toContain('The console is locked')
    expect((await console.visitor().post(link, {}, { csrf: undefined })).status).toBe(410)
    const { code, stderr } = await lotline('console', 'link')
    expect([code, stderr]).toEqual([1, expect.stringContaining('lotline console unlock')])
    expect((await lotline('console', 'sessions')).stdout).toContain('The console is locked')
    expect((await run('console', 'lock')).ended).toEqual([])

    expect(await run('console', 'unlock')).toEqual({ locked: false, changed: true })
    expect(await run('console', 'unlock')).toEqual({ locked: false, changed: false })
    expect(await isSignedIn(ivy)).toBe(false)
    expect((await console.visitor().post(link, {}, { csrf: undefined })).status).toBe(410)
    expect(await isSignedIn(await console.signedIn('Ivy'))).toBe(true)
    const trail = await readTrail(db(), { limit: 20 })
    expect(trail.filter(({ action }) => /lock$/.test(action)).map(({ action }) => action)).toEqual([
      'console.unlock',
      'console.lock',
    ])
  })

  it('ends a sign-in that began before the lock', async () => {
    const token = (await console.link('Kim')).slice('/link/'.length)
    const { useOperatorLink } = await import('../../../src/money/operator/sessions.ts')
    const started = await Promise.all([useOperatorLink(db(), token), run('console', 'lock')])
    expect(await jsonOf(lotline, 'console', 'sessions')).toEqual([])
    expect(started[1].locked).toBe(true)
    await run('console', 'unlock')
  })
})

describe('the shared sign-in', () => {
  it('is an owner named operator, and can be turned off once an owner has a passkey', async () => {
    expect((await jsonOf(lotline, 'operators', 'list'))[0]).toEqual({
      name: 'operator',
      role: 'owner',
      sign_in: 'link',
    })
    const refused = await lotline('operators', 'shared-sign-in', 'off')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('add one')])
    const owner = await console.named('Lea', 'owner')
    await db().query(
      `insert into operator_passkeys (id, operator_id, public_key, counter, transports)
       select '\\x01', id, '\\x02', 0, '{}' from operators where name = 'Lea'`,
    )
    const [shared, link] = [await console.signedIn('Mia'), await console.link('Mia')]
    expect(await run('operators', 'shared-sign-in', 'off')).toMatchObject({ ended_sessions: 1 })
    expect([await isSignedIn(shared), await isSignedIn(owner)]).toEqual([false, true])
    expect((await console.visitor().post(link, {}, { csrf: undefined })).status).toBe(410)
    expect((await lotline('console', 'link')).stderr).toContain('shared-sign-in on')
    expect((await console.visitor().get('/')).text).not.toContain('lotline console link')
    for (const command of [
      ['operators', 'remove', 'Lea'],
      ['operators', 'role', 'Lea', 'data'],
    ])
      expect((await lotline(...command)).stderr).toContain('last owner')
    await run('operators', 'shared-sign-in', 'on')
    expect(await isSignedIn(await console.signedIn('Mia'))).toBe(true)
  })

  it('does not take the name of a named operator', async () => {
    const link = await console.link('Nia')
    await console.named('Nia', 'support')
    expect((await lotline('console', 'link', '--name', 'NIA')).stderr).toContain('signs in with a passkey')
    expect((await console.visitor().post(link, {}, { csrf: undefined })).status).toBe(410)
    for (const [name, why] of [
      ['nia', 'already'],
      ['Operator', 'shared sign-in'],
    ] as const)
      expect((await lotline('operators', 'add', name, '--role', 'data')).stderr).toContain(why)
  })
})
