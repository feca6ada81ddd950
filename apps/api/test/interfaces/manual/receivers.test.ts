// The three receivers of the guide on webhooks, that of the guide on watches, and that of the SDK's README, run as they are
// printed but for the port: each takes what the mock sends, events of every type, and refuses what it must. So does the program that follows a watch.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sendWebhook, WEBHOOK_TYPES } from '@lotline/mock'
import { expect, it, onTestFinished } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { createSecret, showSecret } from '../../../src/work/webhooks/sign.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { needProgram } from '../../process/start/find-program.ts'
import { ROOT, runBlocks } from '../../process/start/readme.ts'
import { COMPILE_CACHE } from '../../setup/child-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { findFreePort } from './free-port.ts'
import { compile, makeProject } from './run-typescript.ts'
import { samplesOf } from './samples.ts'

const run = promisify(execFile)
const MOCK = join(ROOT, 'packages/mock/src/main.ts')
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
const secret = showSecret(createSecret())

const samples = samplesOf('webhooks')
const sends = samples.filter(({ code }) => code.includes('@lotline/mock send')).map(({ code }) => code)

function receiverIn(lang: 'ts' | 'python' | 'go'): string {
  const [found] = samples.filter((sample) => sample.lang === lang && sample.code.includes('3000'))
  return found!.code
}

interface Receiver {
  readonly port: number
  /** The receiver's output. */
  readonly lines: string[]
}

/** Runs a receiver until the test is over. */
async function startReceiver(
  file: string,
  args: readonly string[],
  port: number,
  cwd: string,
): Promise<Receiver> {
  const lines: string[] = []
  const child = spawn(file, args, {
    cwd,
    env: {
      ...COMPILE_CACHE,
      PATH,
      HOME: process.env.HOME ?? '/',
      LOTLINE_WEBHOOK_SECRET: secret,
      WEBHOOK_SECRET: secret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.on('data', (text) => lines.push(...String(text).trim().split('\n')))
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(
      () => undefined,
    )
    // Not signed at all.
    if (answer) {
      expect(answer.status).toBe(400)
      return { port, lines }
    }
    if (child.exitCode !== null) throw new Error(`The receiver ended with ${child.exitCode}.`)
    await sleep(50)
  }
}

/** Sends what the guide sends, and what its words promise besides. */
async function expectReceiver({ port, lines }: Receiver): Promise<void> {
  const send = (code: string) => code.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
  const [genuine, ping, wrong] = sends
  const base = 'npx @lotline/mock send job.failed --to http://127.0.0.1:3000/'
  const blocks = [
    genuine!,
    ping!,
    ...wrong!.trim().split('\n'),
    `${base} --secret ${secret} --times 2`,
    // While one secret replaces another, a delivery carries two signatures.
    `${base} --secret ${showSecret(createSecret())} --secret ${secret}`,
    `${base} --secret ${showSecret(createSecret())}`,
  ]
  const outcomes = await runBlocks(
    blocks.map((code) => ({ section: '', code: `${send(code).trim()} 2>&1\n` })),
    {
      prelude: `npx() { [ "$1" = @lotline/mock ] || return 9; shift; node '${MOCK}' "$@"; }`,
      cwd: ROOT,
      env: { PATH, LOTLINE_WEBHOOK_SECRET: secret },
    },
  )
  const answers = outcomes.map(({ output }) =>
    [...output.matchAll(/← (\d+)/g)].map(([, status]) => Number(status)),
  )
  expect(answers, outcomes.map(({ output }) => output).join('\n')).toEqual([
    [204],
    [204],
    [400],
    [400],
    [400],
    [204, 204],
    [204],
    [400],
  ])
  // The receiver acted once on the repeated event, and not on the test delivery.
  await expect.poll(() => lines.length).toBe(3)
  expect(lines.map((line) => line.replace(/ [0-9a-f-]{36}$/, ' id'))).toEqual([
    'job.succeeded id',
    'job.failed id',
    'job.failed id',
  ])

  // Whatever it is about, an event is acted on. The first one of a receiver that fails would be its last.
  lines.length = 0
  for (const type of WEBHOOK_TYPES)
    expect((await sendWebhook(`http://127.0.0.1:${port}/`, { type, secret })).status).toBe(204)
  const acted = WEBHOOK_TYPES.filter((type) => type !== 'webhook.ping')
  await expect.poll(() => lines.map((line) => line.split(' ', 1)[0])).toEqual(acted)
}

it('the Node receiver accepts genuine deliveries once, and nothing else', async () => {
  const folder = await makeProject()
  const port = await findFreePort()
  await compile(folder, [{ name: 'receiver', code: receiverIn('ts').replace('3000', String(port)) }])
  await expectReceiver(await startReceiver(process.execPath, ['receiver.ts'], port, folder))
})

it('the Python receiver accepts genuine deliveries once, and nothing else', async (context) => {
  const python = needProgram(context, ['python3'], 'the webhook receiver in Python runs as printed')
  const folder = await makeProject()
  const port = await findFreePort()
  await writeFile(join(folder, 'receiver.py'), receiverIn('python').replace('3000', String(port)))
  await expectReceiver(await startReceiver(python, ['receiver.py'], port, folder))
})

// Building its first program takes a cold Go half a minute.
it('the Go receiver accepts genuine deliveries once, and nothing else', {
  timeout: 300_000,
}, async (context) => {
  const go = needProgram(context, ['go'], 'the webhook receiver in Go runs as printed')
  const folder = await makeProject()
  const port = await findFreePort()
  await writeFile(join(folder, 'receiver.go'), receiverIn('go').replace(':3000', `:${port}`))
  const env = { PATH, HOME: process.env.HOME ?? '/', GOTOOLCHAIN: 'local', GOPROXY: 'off', GOFLAGS: '' }
  await run(go, ['build', '-o', 'receiver', 'receiver.go'], { cwd: folder, env })
  await expectReceiver(await startReceiver(join(folder, 'receiver'), [], port, folder))
})

/** Gives each request to the handler of the README, as a framework does. */
const serverOf = (port: number) => `
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { POST } from './receiver.ts'

createServer(async (request, response) => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  const body = await text(request)
  const answer = await POST(new Request('http://127.0.0.1/', { method: 'POST', headers, body }))
  response.writeHead(answer.status).end()
}).listen(${port}, '127.0.0.1')
`

it('the receiver of the SDK README answers webhook.ping and events with 204, and forged ones with 400', async () => {
  const readme = await readFile(join(ROOT, 'packages/client/README.md'), 'utf8')
  const [code] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, sample]) => sample!)
    .filter((sample) => sample.includes('export async function POST'))
  const folder = await makeProject()
  const port = await findFreePort()
  await compile(folder, [
    { name: 'receiver', code: code! },
    { name: 'server', code: serverOf(port) },
  ])
  const { lines } = await startReceiver(process.execPath, ['server.ts'], port, folder)
  const send = async (type: string, signedWith: string) => {
    const args = ['send', type, '--to', `http://127.0.0.1:${port}/`, '--secret', signedWith]
    const { stdout } = await run(process.execPath, [MOCK, ...args], { cwd: ROOT }).catch((error) => error)
    return Number(/← (\d+)/.exec(stdout)?.[1])
  }
  expect(await send('webhook.ping', secret)).toBe(204)
  expect(await send('job.succeeded', secret)).toBe(204)
  expect(await send('webhook.ping', showSecret(createSecret()))).toBe(400)
  await expect.poll(() => lines.length).toBe(1)
  expect(lines[0]).toMatch(/^job\.succeeded /)
})

/** A program of the guide on watches. */
function watchProgram(part: string): string {
  const [found] = samplesOf('watches').filter(({ lang, code }) => lang === 'ts' && code.includes(part))
  return found!.code
}

it('the receiver of the guide on watches prints each event once, and refuses forged deliveries', async () => {
  const folder = await makeProject()
  const port = await findFreePort()
  await compile(folder, [
    { name: 'receiver', code: watchProgram('verifyWebhook').replace('3000', String(port)) },
  ])
  const { lines } = await startReceiver(process.execPath, ['receiver.ts'], port, folder)
  const printed = samplesOf('watches')
    .filter(({ code }) => code.includes('@lotline/mock send'))
    .flatMap(({ code }) => code.trim().split('\n'))
  const base = 'npx @lotline/mock send watch.changes --to http://127.0.0.1:3000/'
  const blocks = [
    ...printed,
    `${base} --secret ${secret} --times 2`,
    `${base} --secret ${showSecret(createSecret())}`,
    `npx @lotline/mock send webhook.ping --to http://127.0.0.1:3000/ --secret ${secret}`,
  ]
  const outcomes = await runBlocks(
    blocks.map((code) => ({
      section: '',
      code: `${code.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)} 2>&1\n`,
    })),
    {
      prelude: `npx() { [ "$1" = @lotline/mock ] || return 9; shift; node '${MOCK}' "$@"; }`,
      cwd: ROOT,
      env: { PATH, LOTLINE_WEBHOOK_SECRET: secret },
    },
  )
  const answers = outcomes.map(({ output }) =>
    [...output.matchAll(/← (\d+)/g)].map(([, status]) => Number(status)),
  )
  expect(answers, outcomes.map(({ output }) => output).join('\n')).toEqual([
    [204],
    [204],
    [204, 204],
    [400],
    [204],
  ])
  const change = '128 listing.price_changed 48749425'
  await expect.poll(() => lines).toEqual([change, 'Queen Anne under 900k is paused: out_of_credits', change])
})

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

it('the program that follows a watch prints each event once, and continues after a restart', {
  timeout: 120_000,
}, async () => {
  const importPrice = (price: number) =>
    importListings(testDatabase.database, rowsOf(homes(1, 4, { price }) as never[]), { source: 'mls' })
  await importPrice(500_000)
  const { key } = await server.openAccount({ credits: 100 })
  const body = { name: 'Homes', zpids: ['1', '2', '3'] }
  const { data: watch } = (await server.post('/v1/watches', body, { key })).json
  const folder = await makeProject()
  await compile(folder, [{ name: 'follow', code: watchProgram('watches.events(') }])
  const evaluating = server.app.watches.start()
  onTestFinished(() => evaluating.stop())

  const env = { PATH, LOTLINE_BASE_URL: server.url, LOTLINE_API_KEY: key, WATCH_ID: watch.id }
  for (const [from, price] of [
    [1, 450_000],
    [4, 400_000],
  ] as const) {
    await importPrice(price)
    const lines: string[] = []
    const child = spawn(process.execPath, ['follow.ts'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.on('data', (text) => lines.push(...String(text).trim().split('\n')))
    const exited = once(child, 'exit')
    try {
      const expected = [1, 2, 3].map((zpid, at) => `${from + at} listing.price_changed ${zpid} ${price}`)
      await expect.poll(() => lines, { timeout: 50_000 }).toEqual(expected)
      const stored = () => readFile(join(folder, 'last-seq'), 'utf8')
      await expect.poll(stored, { timeout: 10_000 }).toBe(String(from + 2))
    } finally {
      child.kill('SIGKILL')
      await exited
    }
  }
})
