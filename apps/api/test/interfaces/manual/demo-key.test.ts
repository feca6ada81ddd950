// The demo key goes to this machine alone.

import { rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Secret } from '../../../src/infrastructure/platform/secret.ts'
import { DEMO_KEY_FILE, findDemoKey, keepDemoKey } from '../../../src/money/accounts/demo-key.ts'
import { revokeKey } from '../../../src/money/accounts/keys.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const KEY = 'lot_MockDemoKeyMockDemoKeyMockDemoKe3HG0yr'

interface DemoResponse {
  readonly status: number
  readonly allowOrigin: string | undefined
  readonly text: string
}

/** With any headers, `Host` and those that `fetch` forbids included. */
function ask(headers: Readonly<Record<string, string>> = {}): Promise<DemoResponse> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path: '/docs/demo-key', headers }, async (answer) => {
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) text += chunk
      resolve({
        status: answer.statusCode!,
        allowOrigin: answer.headers['access-control-allow-origin'],
        text,
      })
    })
      .on('error', reject)
      .end()
  })
}

describe('the demo key of a first start', () => {
  it('is found after a restart, in a file that only its user can read', async () => {
    const folder = await makeTemporaryDirectory()
    expect(await findDemoKey(folder, server.app.principals)).toBeUndefined()
    const { key } = await server.openAccount()
    expect(keepDemoKey(join(folder, DEMO_KEY_FILE, 'no directory'), key)).toBe(true)
    await rm(join(folder, DEMO_KEY_FILE), { recursive: true })
    expect(keepDemoKey(folder, key)).toBe(true)
    expect(keepDemoKey(join(folder, DEMO_KEY_FILE), key), 'a file is no directory').toBe(false)
    expect((await stat(join(folder, DEMO_KEY_FILE))).mode & 0o777).toBe(0o600)
    expect((await findDemoKey(folder, server.app.principals))?.reveal()).toBe(key)
  })

  it('is not offered if it was revoked, belongs to another database, or is invalid', async () => {
    const folder = await makeTemporaryDirectory()
    const { key, keyId } = await server.openAccount()
    await revokeKey(testDatabase.database, keyId)
    for (const kept of [key, KEY, 'no key']) {
      keepDemoKey(folder, kept)
      expect(await findDemoKey(folder, server.app.principals)).toBeUndefined()
    }
  })
})

describe('/docs/demo-key', () => {
  it('returns 204 if no first start created a key', async () => {
    expect(await ask()).toEqual({ status: 204, allowOrigin: undefined, text: '' })
  })

  describe('after a first start', () => {
    beforeAll(() => {
      server.app.demoKey = new Secret(KEY)
    })

    it('returns the key to this machine', async () => {
      expect(await ask()).toEqual({ status: 200, allowOrigin: undefined, text: JSON.stringify({ key: KEY }) })
      expect((await ask({ host: `localhost:${server.port}`, 'sec-fetch-site': 'same-origin' })).status).toBe(
        200,
      )
    })

    it.each([
      ['that a proxy forwarded', { 'x-forwarded-for': '203.0.113.9' }],
      ['that a proxy forwarded (RFC 7239)', { forwarded: 'for=203.0.113.9' }],
      ['to a name that was resolved to this machine', { host: 'evil.example' }],
      ['of a page of another site', { origin: 'https://evil.example' }],
      ['of a page on another port of this machine', { origin: 'http://127.0.0.1:3000' }],
      ['that another site embeds', { 'sec-fetch-site': 'cross-site' }],
    ])('does not return the key to a request %s', async (_what, headers) => {
      expect(await ask(headers)).toEqual({ status: 204, allowOrigin: undefined, text: '' })
    })
  })
})
