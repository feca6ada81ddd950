// What is published, as strangers get it: the tarball, the command on the Node of their machine, the library as an ES
// module and as CommonJS. Every wrong request of the contract is asked of the published mock too, since it is built.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { badRequests, toRequestInit } from '@lotline/contract/bad-requests'
import { BILLS, faultsOfTarball, makeBom, published } from '@lotline/release'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_SECRET } from '../../src/index.ts'
import { type RunningMock, spawnCommand } from '../mock-process.ts'
import { createProject, findOtherNode, type Project, runProgram } from './project.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const node = await findOtherNode()
let project: Project
let command: string
let mock: RunningMock

beforeAll(async () => {
  project = await createProject()
  command = join(project.directory, 'node_modules/.bin/lotline-mock')
  mock = await spawnCommand(node, command, '--quiet')
})
afterAll(async () => {
  await mock?.[Symbol.asyncDispose]()
  await project?.remove()
})

const call = (path: string, init: RequestInit = {}, headers = {}) =>
  fetch(mock.origin + path, { ...init, headers: { authorization: `Bearer ${mock.key}`, ...headers } })

describe('the package tarball', () => {
  it('passes the release checks and contains the expected files only', async () => {
    const wanted = published.find(({ name }) => name === '@lotline/mock')!
    expect(await faultsOfTarball(ROOT, project.tarball, wanted)).toEqual([])
  })

  it('needs no other package and is installed alone', async () => {
    const lock = JSON.parse(await readFile(join(project.directory, 'package-lock.json'), 'utf8'))
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@lotline/mock'])
  })

  it('lists the bundled third-party code, none of which reports installations', async () => {
    const dist = join(project.directory, 'node_modules/@lotline/mock/dist')
    const notices = await readFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of ['@stoplight/prism-http', 'json-schema-faker', 'ajv', 'lodash', 'fp-ts']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|Apache-2.0)\\)$`, 'm'))
    }
    expect(notices).not.toContain('@scarf')
  })

  it('contains a software bill of materials for all bundled packages', async () => {
    const bill = await makeBom(ROOT, BILLS.find(({ name }) => name === '@lotline/mock')!)
    expect(bill.metadata.component).toMatchObject({ group: '@lotline', name: 'mock', version: '1.0.0' })
    const lockfile = await readFile(join(ROOT, 'pnpm-lock.yaml'), 'utf8')
    for (const { purl, version, licenses } of bill.components) {
      expect(licenses, purl).toEqual([expect.toSatisfy((one) => 'license' in one || 'expression' in one)])
      if (version !== undefined)
        expect(lockfile).toContain(`${decodeURIComponent(purl.slice('pkg:npm/'.length))}`)
    }
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'packages/mock/package.json'), 'utf8'))
    const purls = bill.components.map(({ purl }) => purl)
    for (const name of ['@stoplight/prism-http', 'ajv', 'ajv-formats']) {
      expect(purls).toContain(`pkg:npm/${name.replace('@', '%40')}@${devDependencies[name]}`)
    }
    // As many as the notices have, which the build writes from the files that went in.
    const notices = await readFile(
      join(project.directory, 'node_modules/@lotline/mock/dist/THIRD-PARTY-NOTICES.txt'),
      'utf8',
    )
    expect(purls).toHaveLength(notices.split(/^-{80}$/m).length - 2 + 4)
    expect(purls.filter((purl) => !/@\d/.test(purl))).toEqual(
      ['drange', 'randexp', 'ret', 'yaml'].map((name) => `pkg:npm/${name}`),
    )
    expect(new Set(purls).size).toBe(purls.length)
    const [{ dependsOn } = {}] = bill.dependencies
    expect(dependsOn).toEqual(purls)
  })
})

describe('the published command', () => {
  it('answers calls and writes nothing to stderr', async () => {
    const response = await call('/v1/properties/48749425')
    const { data } = (await response.json()) as { data: { zpid: string } }
    expect([response.status, data.zpid]).toEqual([200, '48749425'])
    const made = await call('/v1/search', { method: 'POST' }, { prefer: 'code=402' })
    expect(made.status).toBe(402)
    const dynamic = await call('/v1/properties/48749425', {}, { prefer: 'dynamic=true, seed=7' })
    expect(dynamic.status).toBe(200)
    expect(mock.output().split('\n').filter(Boolean)).toHaveLength(2)
  })

  it('listens before it loads Prism', async () => {
    const program = `
      const { startMock, DEMO_KEY } = require('@lotline/mock')
      const loaded = () => Object.keys(require.cache).filter((file) => file.includes('prism-')).length
      startMock().then(async (mock) => {
        const before = loaded()
        await fetch(mock.origin + '/v1/me', { headers: { authorization: 'Bearer ' + DEMO_KEY } })
        console.log(before, loaded())
        await mock.close()
      })`
    const { stdout, stderr } = await runProgram(project.directory, node, '-e', program)
    expect([stdout, stderr]).toEqual(['0 3\n', ''])
  })

  it('refuses every wrong request as the source version does', async () => {
    const wrong: string[] = []
    for (const row of badRequests) {
      const response = await fetch(mock.origin + row.path, toRequestInit(row, mock.key))
      const { error } = (await response.json()) as { error: { code: string } }
      const got = `${response.status} ${error.code}`
      if (got !== `${row.expect.status} ${row.expect.code}`) wrong.push(`${row.name}: ${got}`)
    }
    expect(wrong).toEqual([])
  })

  it('sends a webhook that verifies with the example secret of the mock', async () => {
    const response = await call(
      '/v1/webhooks',
      { method: 'POST', body: JSON.stringify({ url: 'https://hooks.example.com/' }) },
      { 'content-type': 'application/json' },
    )
    const { data } = (await response.json()) as { data: { secret: string } }
    expect(data.secret).toBe(DEMO_SECRET)
    const verified: unknown[] = []
    const receiver = createServer(async (request, answer) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      verified.push(new Webhook(data.secret).verify(body, request.headers as Record<string, string>))
      answer.writeHead(202).end('thanks')
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    try {
      const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
      const sent = await runProgram(project.directory, node, command, 'send', 'job.succeeded', '--to', to)
      expect([sent.code, sent.stderr]).toEqual([0, ''])
      expect(sent.stdout).toMatch(/← 202: delivered, after \d+ ms\n {2}thanks/)
      expect(verified).toMatchObject([{ type: 'job.succeeded', data: { job: { status: 'succeeded' } } }])
    } finally {
      receiver.close()
    }
  })
})

describe('the published library', () => {
  const names = [
    'DEMO_KEY',
    'DEMO_SECRET',
    'WEBHOOK_FAULTS',
    'WEBHOOK_TYPES',
    'createWebhook',
    'sendWebhook',
    'startMock',
  ]
  it.each([
    ['an ES module', ['--input-type=module', '-e', "import * as mock from '@lotline/mock'; show(mock)"]],
    ['CommonJS', ['-e', "show(require('@lotline/mock'))"]],
  ])('can be used by %s', async (_, [first = '', ...args]) => {
    const show =
      'function show(m) { console.log(Object.keys(m).sort().join(), m.createWebhook({ type: "job.failed" }).body.length > 99) }\n'
    const program = [first, ...args].map((arg) => (arg.includes('show(') ? show + arg : arg))
    const { stdout, stderr } = await runProgram(project.directory, node, ...program)
    expect([stdout, stderr]).toEqual([`${names.join()} true\n`, ''])
  })
})
