// The command `lotline sources`, and what it never shows: credentials.

import { once } from 'node:events'
import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { syncSource } from '../../../src/data/replication/run-source.ts'
import { addSource } from '../../../src/data/replication/source-store.ts'
import { startSyncing } from '../../../src/data/replication/start-syncing.ts'
import { writeBackup } from '../../../src/infrastructure/database/backup/write-backup.ts'
import { createMetrics } from '../../../src/process/telemetry/metrics/metrics.ts'
import { jsonOf, lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import { startProcess } from '../../setup/child-process.ts'
import { withResoServer } from '../../setup/reso-server/start.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { feedListing, feedListings } from './feed-records.ts'

// Some tests run a dozen commands.
vi.setConfig({ testTimeout: 180_000 })

const SECRET = 'client-7:tr4de-secret-91'
const TOKEN = 'bearer-of-metro-5521'

const CONFIG = { role: 'all', provider: { kind: 'dataset' }, standIns: [] } as const

const test = withTestDatabase()
const feed = withResoServer()
const lotline = (...args: readonly string[]) =>
  lotlineWith({ DATABASE_URL: test.url, METRO_TOKEN: TOKEN, METRO_CLIENT: SECRET })(...args)

beforeEach(async () => {
  await test.database.query(
    'truncate imports, listings, connected_sources cascade; truncate feed_calls, feed_credentials',
  )
})

/** A digest of each table, except the calls that count against the limits of the feed’s server. */
async function contentOfTables(): Promise<ReadonlyMap<string, string>> {
  const { rows } = await test.database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('feed_calls', 'feed_credentials')`,
  )
  const each = rows.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, '|' order by t::text)) as digest from "${name}" t`,
  )
  const digests = await test.database.query<{ name: string; digest: string }>(each.join(' union all '))
  return new Map(digests.rows.map(({ name, digest }) => [name, digest]))
}

describe('lotline sources', () => {
  it('adds a feed, checks it without storing anything, reads it, and shows its status', async () => {
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
    const notice = ['--notice', '© 2026 Metro MLS']
    await jsonOf(lotline, 'sources', 'add', 'metro', ...options, ...notice, '--every', '1h')
    const before = await contentOfTables()
    const checked = await jsonOf(lotline, 'sources', 'check', 'metro')
    const { stdout: table } = await lotline('sources', 'check', 'metro', '--fields')
    for (const line of [
      /^records in the feed +8$/m,
      /^links to photos +shown$/m,
      /^name of the listing office +required$/m,
      /^use that must be permitted +none is configured$/m,
      /^notice with each listing +© 2026 Metro MLS$/m,
      /^of these, without address +1$/m,
      /^withheld: display_forbidden +1$/m,
      /^ {2}PropertySubType: Tree House$/m,
      /^BedroomsTotal +copied +.*bedrooms/m,
      /^X_Local +unknown /m,
    ])
      expect(table).toMatch(line)
    expect(await contentOfTables()).toEqual(before)
    expect(checked).toMatchObject({
      records: 8,
      metadata: 'read',
      rights: { mediaLinks: true, requiresOffice: true, use: null, notice: '© 2026 Metro MLS' },
      page: { read: 8, listed: 7, addressHidden: 1, withheld: { display_forbidden: 1 }, rejected: [] },
    })
    expect(checked.page.unknownLookups).toEqual([{ field: 'PropertySubType', value: 'Tree House' }])
    expect(checked.fields).toContainEqual({ field: 'X_Local', use: 'unknown' })
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
      /^records by the feed +8$/m,
      /^calls in 60m +\d+ of 14400$/m,
    ])
      expect(stdout).toMatch(line)
    const { text } = await createMetrics(CONFIG, test.database).read()
    for (const line of [
      /^lotline_source_lag_seconds\{source="metro"\} \d/m,
      /^lotline_source_records\{source="metro",state="listed"\} 7$/m,
      /^lotline_source_records\{source="metro",state="withheld"\} 1$/m,
      /^lotline_source_unknown_lookups\{source="metro"\} 1$/m,
      /^lotline_source_count_difference\{source="metro",kind="missing"\} 0$/m,
      /^lotline_source_sweep_refused\{source="metro"\} 0$/m,
      /^lotline_source_quota_used\{source="metro",unit="calls",window="3600"\} [1-9]/m,
      /^lotline_source_quota_limit\{source="metro",unit="calls",window="3600"\} 14400$/m,
    ])
      expect(text).toMatch(line)
    await feed.delete(['M000001'])
    process.env.METRO_TOKEN = TOKEN
    expect(await jsonOf(lotline, 'sources', 'sync', 'metro', '--full')).toMatchObject({ withdrawn: 1 })
    const later = (await lotline('sources', 'status', 'metro')).stdout
    for (const line of [
      /^newest change applied +2026-11-01/m,
      /^lag +\d+/m,
      /^records +6$/m,
      /^withdrawn +1$/m,
    ])
      expect(later).toMatch(line)
    const metrics = await createMetrics(CONFIG, test.database).read()
    expect(metrics.text).toMatch(/^lotline_source_records\{source="metro",state="withdrawn"\} 1$/m)
    await lotline('sources', 'pause', 'metro')
    expect(await jsonOf(lotline, 'sources', 'list')).toMatchObject([
      { source: 'metro', state: 'paused', records: 6, withdrawn: 1 },
    ])
    expect(await syncSource(test.database, undefined)).toBeUndefined()
    await lotline('sources', 'resume', 'metro')
    await jsonOf(lotline, 'sources', 'remove', 'metro', '--yes')
    expect((await lotline('sources', 'list')).stdout).toBe('There are none.\n')
    expect((await test.database.query('select from listings')).rowCount).toBe(7)
  })

  it('obtains tokens for client credentials, and a new one when a token expires', async () => {
    await feed.behave({ client: { credentials: SECRET, callsPerToken: 2 }, maxPage: 3 })
    await feed.put(feedListings(14))
    await addSource(
      test.database,
      'metro',
      {
        kind: 'reso',
        url: feed.url,
        profile: 'generic',
        clientCredentialsEnv: 'METRO_CLIENT',
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
      // A command that waits for a response: its arguments, and its title.
      await feed.behave({ token: TOKEN })
      await feed.fail({ kind: 'hang' })
      const env = { DATABASE_URL: test.url, METRO_TOKEN: TOKEN }
      const command = startProcess(
        join(import.meta.dirname, '../../../src/interfaces/cli/main.ts'),
        ['sources', 'sync', 'metro'],
        { env },
      )
      await feed.takeAsked()
      await expect.poll(async () => (await feed.takeAsked()).length, { timeout: 20_000 }).toBe(1)
      texts.push(await readFile(`/proc/${command.pid}/cmdline`, 'utf8'))
      command.kill('SIGKILL')
      await command.exited
      texts.push(command.lines.join('\n'))
      // A server: its log, while the feed refuses the credential, and refers to the other server.
      process.env.METRO_TOKEN = TOKEN
      const log = pino({ level: 'trace' }, { write: (line: string) => void texts.push(line) })
      for (const [token, reason] of [
        ['another token', 'refused the credential'],
        [TOKEN, 'another server'],
      ] as const) {
        await feed.behave({ token, maxPage: 2 })
        await feed.fail({ kind: 'other-origin', origin: `http://127.0.0.1:${port}` })
        await test.database.query('update connected_sources set due_at = now()')
        const syncing = startSyncing(test.database, log, { lookEveryMs: 10 })
        await expect.poll(() => texts.at(-1), { timeout: 60_000, interval: 10 }).toContain(reason)
        await syncing.stop()
      }
      // Client credentials: the secret that the client sends, and the token that it gets.
      const client = ['--client-credentials-env', 'METRO_CLIENT', '--token-url', feed.tokenUrl]
      await say('add', 'valley', ...options.slice(0, 6), ...client)
      await feed.behave({ client: { credentials: SECRET, callsPerToken: 5 } })
      await feed.takeAsked()
      expect((await say('sync', 'valley')).code).toBe(0)
      const issued = (await feed.takeAsked()).map(({ authorization }) =>
        authorization?.replace('Bearer ', ''),
      )
      expect(issued.at(-1)).toMatch(/^issued-/)
      await feed.behave({ client: { credentials: 'another:client', callsPerToken: 5 } })
      expect((await say('sync', 'valley')).stderr).toContain('issued no token')
      const stream = new PassThrough()
      const [backup] = await Promise.all([buffer(stream), writeBackup(test.database, stream)])
      texts.push(backup.toString())
      const secrets = [TOKEN, SECRET.split(':')[1]!, issued.at(-1)!]
      for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret)
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
      'a credential in the URL of a feed',
      ['--kind', 'reso', '--url', 'https://feed.example.com/odata?access_token=abc', '--profile', 'bridge'],
      /without a user name or a query/,
    ],
    [
      'a credential in the URL of a file',
      ['--kind', 'file', '--url', 'https://files.example.com/a.ndjson?sig=abc'],
      /cannot be used.*without a user name or a query.*--query-env/,
    ],
    [
      'a password in the URL of a file',
      ['--kind', 'file', '--url', 'https://:abc@files.example.com/a.ndjson'],
      /without a user name or a query/,
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
    expect(ran.stdout + ran.stderr).not.toContain('abc')
  })
})

describe('a file on a schedule', () => {
  it('is imported when it has changed, and takes homes off the market if it is complete', async () => {
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
    expect(await jsonOf(lotline, 'sources', 'check', 'county')).toMatchObject({ withdrawn: 2, removed: 0 })
    expect(await syncSource(test.database, 'county')).toMatchObject({ total: { read: 10, withdrawn: 2 } })
  })

  it('is checked before its import: its columns, its rights, and rows that cannot be used', async () => {
    const folder = await makeTemporaryDirectory()
    const [path, map] = [join(folder, 'county.csv'), join(folder, 'map.yaml')]
    await writeFile(
      path,
      [
        'id,price,street,agent,InternetAddressDisplayYN,MlgCanUse',
        '9101,5,1 Oak St,Ann,Y,IDX',
        '9102,6,2 Oak St,Ben,N,IDX',
        '9103,7,3 Oak St,Cid,Y,VOW',
        '9104,8,4 Oak St,Dee,perhaps,IDX',
        '',
      ].join('\n'),
    )
    await writeFile(
      map,
      'record: { zpid: "{id}", homeStatus: FOR_SALE, price: "{price}", address: { streetAddress: "{street}" } }',
    )
    const options = ['--kind', 'file', '--url', path, '--map', map, '--use', 'IDX']
    await jsonOf(lotline, 'sources', 'add', 'county', ...options)
    expect(await jsonOf(lotline, 'sources', 'check', 'county')).toMatchObject({
      read: 4,
      inserted: 2,
      rejected: 1,
      addressesHidden: 2,
      withheld: { use_not_permitted: 1 },
      rightsFields: ['InternetAddressDisplayYN', 'MlgCanUse'],
      columns: {
        mapped: ['id', 'price', 'street', 'InternetAddressDisplayYN', 'MlgCanUse'],
        unknown: ['agent'],
      },
    })
    const { stdout } = await lotline('sources', 'check', 'county')
    for (const line of [
      /^columns not mapped +agent$/m,
      /^fields of rights +InternetAddressDisplayYN, MlgCanUse$/m,
      /^withheld: use_not_permitted +1$/m,
      /^rejected: line 5 has a value in InternetAddressDisplayYN that is neither yes nor no: "perhaps"/m,
    ])
      expect(stdout).toMatch(line)
    const report = join(folder, 'rows.csv')
    const imported = ['import', path, '--map', map, '--use', 'IDX', '--dry-run', '--report', report]
    expect((await lotline('listings', ...imported)).stdout).toMatch(/^withheld: use_not_permitted +1$/m)
    expect(await readFile(report, 'utf8')).toMatch(
      /\n,4,9103,withheld,,"?may not be shown: MlgCanUse does not/,
    )
    expect((await test.database.query('select from listings')).rowCount).toBe(0)
  })
})
