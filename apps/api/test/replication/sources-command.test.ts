// The command `lotline sources`, and what it never shows: credentials.

import { once } from 'node:events'
import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeBackup } from '../../src/database/backup/write-backup.ts'
import { syncSource } from '../../src/replication/run-source.ts'
import { addSource } from '../../src/replication/source-store.ts'
import { createMetrics } from '../../src/telemetry/metrics/metrics.ts'
import { jsonOf, lotlineWith } from '../cli/run-lotline.ts'
import { startProcess } from '../setup/child-process.ts'
import { withResoServer } from '../setup/reso-server/start.ts'
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { feedListing, feedListings } from './feed-records.ts'

const SECRET = 'client-7:tr4de-secret-91'
const TOKEN = 'bearer-of-metro-5521'

const CONFIG = { role: 'all', provider: { kind: 'dataset' }, standIns: [] } as const

const test = withTestDatabase()
const feed = withResoServer()
const lotline = (...args: readonly string[]) =>
  lotlineWith({ DATABASE_URL: test.url, METRO_TOKEN: TOKEN, METRO_CLIENT: SECRET })(...args)

beforeEach(async () => {
  await test.database.query(
    'truncate listings, connected_sources cascade; truncate feed_calls, feed_credentials',
  )
})

describe('lotline sources', () => {
  it('adds a feed, checks it without storing anything, reads it, and shows its state', async () => {
    await feed.behave({ token: TOKEN, requiresGzip: true })
    await feed.put([
      ...feedListings(5),
      feedListing(5, { InternetEntireListingDisplayYN: false }),
      feedListing(6, { InternetAddressDisplayYN: false }),
      feedListing(7, { PropertySubType: 'Tree House', X_Local: 1 }),
    ])
    const options = [
      '--kind',
      'reso',
      '--url',
      feed.url,
      '--profile',
      'generic',
      '--token-env',
      'METRO_TOKEN',
    ]
    await jsonOf(lotline, 'sources', 'add', 'metro', ...options, '--every', '1h')
    const checked = await jsonOf(lotline, 'sources', 'check', 'metro')
    expect(checked).toMatchObject({
      records: 8,
      metadata: 'read',
      page: { read: 8, listed: 7, addressHidden: 1, withheld: { display_forbidden: 1 }, rejected: [] },
    })
    expect(checked.page.unknownLookups).toEqual([{ field: 'PropertySubType', value: 'Tree House' }])
    expect(checked.fields).toContainEqual({ field: 'X_Local', use: 'unknown' })
    const empty = await test.database.query('select from listings union all select from source_records')
    expect(empty.rowCount).toBe(0)
    expect(await jsonOf(lotline, 'sources', 'sync', 'metro')).toMatchObject({
      read: 8,
      inserted: 7,
      withheld: 1,
    })
    const { stdout } = await lotline('sources', 'status', 'metro')
    for (const line of [
      /^records +7$/m,
      /^held back by rights +1$/m,
      /^unknown lookups +1$/m,
      /^calls in 60m +\d+ of 14400$/m,
    ])
      expect(stdout).toMatch(line)
    const { text } = await createMetrics(CONFIG, test.database).read()
    for (const line of [
      /^lotline_source_lag_seconds\{source="metro"\} \d/m,
      /^lotline_source_records\{source="metro",state="listed"\} 7$/m,
      /^lotline_source_records\{source="metro",state="withheld"\} 1$/m,
      /^lotline_source_unknown_lookups\{source="metro"\} 1$/m,
      /^lotline_source_quota_used\{source="metro",unit="calls",window="3600"\} [1-9]/m,
    ])
      expect(text).toMatch(line)
    await lotline('sources', 'pause', 'metro')
    expect(await jsonOf(lotline, 'sources', 'list')).toMatchObject([
      { source: 'metro', state: 'paused', records: 7 },
    ])
    expect(await syncSource(test.database, undefined)).toBeUndefined()
    await lotline('sources', 'resume', 'metro')
    await jsonOf(lotline, 'sources', 'remove', 'metro', '--yes')
    expect((await lotline('sources', 'list')).stdout).toBe('There are none.\n')
    expect((await test.database.query('select from listings')).rowCount).toBe(7)
  })

  it('obtains tokens for client credentials, and a new one when the token expires', async () => {
    await feed.behave({ client: { credentials: SECRET, callsPerToken: 2 }, maxPage: 3 })
    await feed.put(feedListings(14))
    await addSource(
      test.database,
      'metro',
      {
        ...{ kind: 'reso', url: feed.url, profile: 'generic', clientCredentialsEnv: 'METRO_CLIENT' },
        tokenUrl: feed.tokenUrl,
      },
      900,
    )
    process.env.METRO_CLIENT = SECRET
    expect(await syncSource(test.database, 'metro')).toMatchObject({ outcome: 'synced', total: { read: 14 } })
    const asked = await feed.takeAsked()
    expect(asked.filter(({ url }) => url === feed.tokenUrl).length).toBeGreaterThan(1)
  })

  it('shows a credential in no output, error, log, process title, or backup, and sends it to no other server', async () => {
    const calls: unknown[] = []
    const other = createServer((request, response) => {
      calls.push(request.headers)
      response.end('{}')
    })
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const { port } = other.address() as { port: number }
    try {
      await feed.behave({ token: TOKEN, maxPage: 2 })
      await feed.put(feedListings(6))
      const options = [
        '--kind',
        'reso',
        '--url',
        feed.url,
        '--profile',
        'generic',
        '--token-env',
        'METRO_TOKEN',
      ]
      const texts = [await lotline('sources', 'add', 'metro', ...options)].map(
        ({ stdout, stderr }) => stdout + stderr,
      )
      const say = async (...args: string[]) => {
        const ran = await lotline('sources', ...args)
        texts.push(ran.stdout + ran.stderr)
        return ran
      }
      await feed.fail({ kind: 'other-origin', origin: `http://127.0.0.1:${port}` })
      expect((await say('sync', 'metro')).stderr).toContain('another server')
      await feed.behave({ token: 'another token' })
      expect((await say('sync', 'metro')).stderr).toContain('METRO_TOKEN')
      await say('status', 'metro', '--json')
      // Of a command that waits for an answer: its arguments, and its title.
      await feed.behave({ token: TOKEN })
      await feed.fail({ kind: 'hang' })
      const env = { DATABASE_URL: test.url, METRO_TOKEN: TOKEN }
      const command = startProcess(
        join(import.meta.dirname, '../../src/cli/main.ts'),
        ['sources', 'sync', 'metro'],
        { env },
      )
      await feed.takeAsked()
      await expect.poll(async () => (await feed.takeAsked()).length, { timeout: 20_000 }).toBe(1)
      texts.push(await readFile(`/proc/${command.pid}/cmdline`, 'utf8'))
      command.kill('SIGKILL')
      await command.exited
      texts.push(command.lines.join('\n'))
      const stream = new PassThrough()
      const [backup] = await Promise.all([buffer(stream), writeBackup(test.database, stream)])
      texts.push(backup.toString())
      for (const text of texts) expect(text).not.toContain(TOKEN)
      expect(calls).toEqual([])
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
  })

  it.each([
    [
      'a URL without TLS',
      ['--kind', 'reso', '--url', 'http://feed.example.com', '--profile', 'generic'],
      /https URL/,
    ],
    [
      'a credential in place of its variable',
      [
        '--kind',
        'reso',
        '--url',
        'https://feed.example.com',
        '--profile',
        'generic',
        '--token-env',
        'abc-123.def',
      ],
      /name of an environment variable/,
    ],
    [
      'MLS Grid without a system',
      ['--kind', 'reso', '--url', 'https://api.mlsgrid.com/v2', '--profile', 'mlsgrid'],
      /--originating-system/,
    ],
    ['CSV without a mapping', ['--kind', 'file', '--url', 'https://files.example.com/a.csv'], /--map FILE/],
    [
      'an interval of seconds',
      ['--kind', 'file', '--url', '/srv/a.ndjson', '--every', '10s'],
      /duration from 1m to 31d/,
    ],
  ])('refuses %s', async (_name, args, message) => {
    const ran = await lotline('sources', 'add', 'metro', ...args)
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toMatch(message)
  })
})

describe('a file on a schedule', () => {
  it('is imported when it has changed, and complete ones take homes off the market', async () => {
    const path = join(await makeTemporaryDirectory(), 'county.ndjson')
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        JSON.stringify({ zpid: String(9_000 + at), homeStatus: 'FOR_SALE', price: 1_000 + at }),
      ).join('\n')
    await writeFile(path, lines(12))
    await addSource(test.database, 'county', { kind: 'file', location: path, complete: true }, 900)
    expect(await syncSource(test.database, 'county')).toMatchObject({ total: { read: 12, inserted: 12 } })
    expect(await syncSource(test.database, 'county')).toMatchObject({ total: { read: 0 } })
    await writeFile(path, lines(10))
    const { mtime } = await stat(path)
    await utimes(path, mtime, new Date(mtime.getTime() + 1_000))
    expect(await syncSource(test.database, 'county')).toMatchObject({ total: { read: 10, withdrawn: 2 } })
  })
})
