// The conformance suite of the protocol against the service, in both of its revisions. Scenarios that do not apply are in
// conformance.yaml, each with its reason.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const server = withTestServer(withTestDatabase())

interface Exception {
  readonly reason: string
  readonly scenarios: readonly string[]
}
const EXCEPTIONS: Readonly<Record<string, readonly Exception[]>> = parse(
  await readFile(new URL('conformance.yaml', import.meta.url), 'utf8'),
)

/** The suite sends no key. This passes its requests on with one, and changes nothing else. */
async function withKey(key: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, rawHeaders } = incoming
    const headers = [...rawHeaders, 'Authorization', `Bearer ${key}`]
    const passed = request({ port: server.port, method, path: url, headers, setHost: false }, (response) => {
      outgoing.writeHead(response.statusCode!, response.rawHeaders)
      response.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
}

/** The checks that failed, by scenario. */
async function runSuite(revision: string, url: string): Promise<Map<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-conformance-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const manifest = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))
  const program = join(dirname(manifest), 'dist/index.js')
  const args = [program, 'server', '--url', url, '--requirements', revision, '--output-dir', folder]
  // Its exit code knows nothing of the exceptions.
  await new Promise((ended) => execFile(process.execPath, args, { maxBuffer: 1e8 }, ended))
  const failed = new Map<string, string[]>()
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1]
    if (scenario === undefined) continue
    // A scenario that threw has written no checks.
    const text = await readFile(join(folder, name, 'checks.json'), 'utf8').catch(() => undefined)
    const checks = text === undefined ? [{ id: 'threw', status: 'FAILURE' }] : JSON.parse(text)
    const ids = checks.flatMap(({ id, status }: Readonly<Record<string, string>>) =>
      status === 'FAILURE' ? [id!] : [],
    )
    failed.set(scenario, [...new Set<string>(ids)].sort())
  }
  return failed
}

it.each([
  ['2026-07-28', 45],
  ['2025-11-25', 30],
])('the server conforms to revision %s, except for the listed exceptions', async (revision, least) => {
  const { key } = await server.openAccount({ credits: 1_000 })
  const failed = await runSuite(revision, await withKey(key))
  expect(failed.size).toBeGreaterThanOrEqual(least)
  const listed = EXCEPTIONS[revision]!.flatMap(({ scenarios }) => scenarios)
  const whole = listed.filter((entry) => !entry.includes(':'))
  const found = [...failed].flatMap(([scenario, checks]) => {
    if (whole.includes(scenario)) return checks.length > 0 ? [scenario] : []
    return checks.map((check) => `${scenario}:${check}`)
  })
  expect(found.sort()).toEqual([...listed].sort())
})
