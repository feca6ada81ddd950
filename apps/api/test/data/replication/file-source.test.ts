// A file on an https server, read on a schedule: only when it has changed, and completely or not at all. The server is real, with a
// certificate that a test authority has signed.

import { once } from 'node:events'
import { readdir, readlink, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { syncSource } from '../../../src/data/replication/run-source.ts'
import { countSource } from '../../../src/data/replication/source-status.ts'
import { addSource, type FileSettings, findConnected } from '../../../src/data/replication/source-store.ts'
import { lotlineProcess } from '../../interfaces/cli/run-lotline.ts'
import { makeAuthority, makeCertificate } from '../../setup/certificate.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { csv, MAPPING } from './county-file.ts'

const test = withTestDatabase()
const authority = await makeAuthority()
const own = await makeCertificate({ host: '127.0.0.1', issuer: authority })

interface FileRequest {
  readonly tag: string | undefined
  readonly since: string | undefined
  readonly authorization: string | undefined
  readonly path: string | undefined
}

let asked: FileRequest[] = []
let answer: (response: ServerResponse, asked: FileRequest) => void
const server = createServer({ key: own.key, cert: own.cert }, (request, response) => {
  const { headers } = request
  const given: FileRequest = {
    tag: headers['if-none-match'],
    since: headers['if-modified-since'],
    authorization: headers.authorization,
    path: request.url,
  }
  asked.push(given)
  answer(response, given)
})
const trusted = getCACertificates('default')
let url: string

beforeAll(async () => {
  setDefaultCACertificates([...trusted, authority.cert])
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/county.csv`
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(async () => {
  asked = []
  await test.database.query('truncate imports, listings, removed_listings, connected_sources cascade')
})

const PRICES = Array.from({ length: 24 }, (_, at) => 100_000 + at)

async function connect(settings: Partial<FileSettings> = {}, name = 'county'): Promise<void> {
  const all = { kind: 'file', location: url, mapping: MAPPING, complete: false, ...settings } as const
  await addSource(test.database, name, all, 900)
}

/** Serves only the first 200 bytes of the file until the returned function is called. */
function serveSlowly(): () => void {
  let finish = () => {}
  answer = (response) => {
    const text = csv(PRICES)
    response.writeHead(200, { etag: '"slow"' }).write(text.slice(0, 200))
    finish = () => response.end(text.slice(200))
  }
  return () => finish()
}

const syncs: Promise<unknown>[] = []
// Cleans up after a test that fails during a download: the file breaks off, and its run ends.
afterEach(async () => {
  server.closeAllConnections()
  await Promise.allSettled(syncs.splice(0))
})

async function sync(options: Parameters<typeof syncSource>[2] = {}) {
  const running = syncSource(test.database, 'county', options)
  syncs.push(running)
  const result = await running
  if (result?.outcome === 'failed') throw result.error
  if (result?.outcome !== 'synced') throw new Error(`the run was ${result?.outcome}`)
  return result.total
}

async function prices(): Promise<number[]> {
  const { rows } = await test.database.query<{ price: number }>(
    "select price from listings where source = 'county' and kind = 'for_sale' order by zpid",
  )
  return rows.map(({ price }) => price)
}

/** Answers like a server of static files: with 304 if the client has the version. */
function serve(body: string | Buffer, version: { readonly etag?: string; readonly modified?: string }): void {
  const { etag, modified } = version
  answer = (response, { tag, since }) => {
    const isKnown = etag === undefined ? since !== undefined && since === modified : tag === etag
    response.writeHead(isKnown ? 304 : 200, {
      ...(etag !== undefined && { etag }),
      ...(modified !== undefined && { 'last-modified': modified }),
    })
    response.end(isKnown ? undefined : body)
  }
}

describe('a file on an https server', () => {
  it.each([
    ['ETag', { etag: '"one"' }, { etag: 'W/"two"' }],
    [
      'Last-Modified',
      { modified: 'Sat, 21 Nov 2026 08:00:00 GMT' },
      { modified: 'Sat, 21 Nov 2026 09:00:00 GMT' },
    ],
  ])('is read once, and again when its %s has changed', async (_name, first, second) => {
    serve(csv(PRICES), first)
    await connect()
    expect(await sync()).toMatchObject({ read: 24, inserted: 24, rejected: 0 })
    expect(await prices()).toEqual(PRICES)
    expect(await sync()).toMatchObject({ read: 0, pages: 0 })
    expect(asked.map(({ tag, since }) => tag ?? since)).toEqual([undefined, Object.values(first)[0]])
    serve(csv([5, ...PRICES.slice(1)]), second)
    expect(await sync()).toMatchObject({ read: 24, updated: 1, unchanged: 23 })
    expect((await prices())[0]).toBe(5)
    expect(await sync()).toMatchObject({ read: 0 })
  })

  it('is not imported again when the server sends it with the same ETag', async () => {
    answer = (response) => response.writeHead(200, { etag: '"one"' }).end(csv(PRICES))
    await connect()
    await sync()
    expect(await sync()).toMatchObject({ read: 0, pages: 0 })
    expect(await sync({ full: true })).toMatchObject({ read: 24, unchanged: 24 })
    expect(asked.at(-1)!.tag).toBeUndefined()
  })

  it('is read again unchanged when its mapping, its use, or the rules of Lotline have changed', async () => {
    serve(csv(PRICES), { etag: '"one"' })
    await connect()
    await sync()
    const set = (column: string, value: string) =>
      test.database.query(`update connected_sources set ${column} = ${value}`)
    const again = { read: 24, inserted: 0, rejected: 0 }
    for (const [column, value, expected] of [
      // The database as an older Lotline has left it, and as a Lotline with other rules has.
      ['file_rules', 'null', { unchanged: 24 }],
      ['file_rules', "'other rules'", { unchanged: 24 }],
      ['settings', `settings || '{"use":"IDX"}'`, { unchanged: 24 }],
      [
        'settings',
        `settings || jsonb_build_object('mapping', settings ->> 'mapping' || '  isUndisclosedAddress: true')`,
        { updated: 24 },
      ],
    ] as const) {
      expect(await sync()).toMatchObject({ read: 0, pages: 0 })
      await set(column, value)
      expect(await sync()).toMatchObject({ ...again, ...expected })
      expect(asked.at(-1)!.tag).toBeUndefined()
    }
    const { rows } = await test.database.query('select from listings where street_key is not null')
    expect(rows).toEqual([])
  })

  it('removes the homes that its rows withhold, and its status counts them', async () => {
    const rights = (value: string) =>
      `parcel,price,street,MlgCanView,MlgCanUse\n1,5,1 Oak St,Y,IDX\n2,6,2 Oak St,${value}\n3,x,3 Oak St,Y,IDX\n`
    serve(rights('Y,IDX'), { etag: '"one"' })
    await connect({ use: 'IDX' })
    expect(await sync()).toMatchObject({ inserted: 2, withheld: 0, removed: 0, rejected: 1 })
    serve(rights('N,IDX'), { etag: '"two"' })
    expect(await sync()).toMatchObject({ unchanged: 1, withheld: 1, removed: 1, rejected: 1 })
    expect(await prices()).toEqual([5])
    expect(await countSource(test.database, 'county')).toMatchObject({ records: 1, withheld: 1, rejected: 1 })
    expect(await sync()).toMatchObject({ read: 0 })
    expect((await findConnected(test.database, 'county'))!.counts).toMatchObject({ withheld: 1, rejected: 1 })
  })

  it('takes the homes that it lacks off the market if it is complete, up to the limit', async () => {
    serve(csv(PRICES), { etag: '"one"' })
    await connect({ complete: true })
    await sync()
    serve(csv(PRICES.slice(0, 22)), { etag: '"two"' })
    expect(await sync()).toMatchObject({ read: 22, withdrawn: 2 })
    expect(await prices()).toEqual(PRICES.slice(0, 22))
    serve(csv([]), { etag: '"three"' })
    await expect(sync()).rejects.toThrow(/22 of the 22 homes/)
    expect(await prices()).toEqual(PRICES.slice(0, 22))
  })

  it('has the restrictions of its rows applied even if it cannot be imported, and its status says so', async () => {
    const rows = (rights: string) => `parcel,price,street,MlgCanView,InternetAddressDisplayYN\n${rights}`
    const all = Array.from({ length: 24 }, (_, at) => `${at},5,${at} Oak St,,\n`).join('')
    serve(rows(all), { etag: '"one"' })
    await connect({ complete: true })
    await sync()
    const find = "select address_hidden as hidden from listings where kind = 'for_sale' order by 1 desc"
    const hidden = async () =>
      (await test.database.query<{ hidden: boolean }>(find)).rows.map((one) => one.hidden)
    serve(rows('1,7,1 Oak St,N,\n2,8,2 Oak St,,no\n3,9,3 Oak St,,\n'), { etag: '"two"' })
    await expect(sync()).rejects.toThrow(/21 of the 24 homes/)
    expect(await hidden()).toEqual([true, ...Array(22).fill(false)])
    const { lastError } = (await findConnected(test.database, 'county'))!
    expect(lastError).toContain('removed 1, hid the address of 1. Nothing else was changed.')
    const packed = gzipSync(rows(`${all}4,7,4 Oak St,N,\n5,7,5 Oa`))
    serve(packed.subarray(0, packed.length - 8), { etag: '"three"' })
    await expect(sync()).rejects.toThrow(/damaged or cut off[.] Rows that were read .* removed 1/)
    expect(await hidden()).toEqual([true, ...Array(21).fill(false)])
    serve(rows(all.replaceAll(',,', ',?,')), { etag: '"four"' })
    await expect(sync({ allowRemovals: 21 })).rejects.toThrow(/--allow-removals 22[.]$/)
    expect(await hidden()).toEqual([true, ...Array(21).fill(false)])
    expect(await sync({ allowRemovals: 22 })).toMatchObject({ rejected: 24, removed: 22 })
  })

  it('delays no other import if its server is slow', async () => {
    const finish = serveSlowly()
    await connect()
    const syncing = sync()
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(1)
    const other = { zpid: '1', homeStatus: 'FOR_SALE', price: 1 }
    await importListings(test.database, [{ line: 1, record: other }], { source: 'other' })
    finish()
    expect(await syncing).toMatchObject({ inserted: 24 })
  })

  it('is kept in DATA_DIR without a name, and a process keeps one at a time', async () => {
    const finish = serveSlowly()
    await connect()
    await connect({}, 'borough')
    const dataDir = await makeTemporaryDirectory()
    const syncing = sync({ dataDir })
    // The name is removed right after the file is opened. From then on the system shows it like this.
    await expect
      .poll(async () => (await openFiles()).filter((path) => path.startsWith(dataDir)), { timeout: 30_000 })
      .toEqual([expect.stringMatching(/ \(deleted\)$/)])
    expect(await readdir(dataDir)).toEqual([])
    expect(await syncSource(test.database, 'borough')).toMatchObject({ outcome: 'postponed' })
    expect(asked).toHaveLength(1)
    finish()
    expect(await syncing).toMatchObject({ inserted: 24 })
    serve(csv([]), { etag: '"two"' })
    expect(await syncSource(test.database, 'borough')).toMatchObject({ outcome: 'synced' })
    expect((await openFiles()).filter((path) => path.startsWith(dataDir))).toEqual([])
  })

  it('is reported with the folder if it cannot be kept on the disk', async () => {
    serve(csv(PRICES), { etag: '"one"' })
    await connect()
    const { TMPDIR } = process.env
    process.env.TMPDIR = '/proc/nowhere'
    try {
      await expect(sync()).rejects.toThrow(/^the file cannot be kept in \/proc\/nowhere \(ENOENT\)$/)
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    }
    expect(await sync()).toMatchObject({ inserted: 24 })
  })

  it('is reported with the limit that it exceeded if it comes too slowly', async () => {
    answer = (response) => {
      response.writeHead(200, { etag: '"slow"' })
      response.write(csv(PRICES))
    }
    await connect()
    await expect(sync({ downloadLimitMs: 300 })).rejects.toThrow(
      /did not send the whole file in 0.005 minutes$/,
    )
    // On a busy machine, the headers may also be late.
    await expect(sync({ idleTimeoutMs: 400 })).rejects.toThrow(
      /sent nothing more for 0.4 seconds before the end|did not answer in 0.4 seconds$/,
    )
    answer = () => {}
    await expect(sync({ idleTimeoutMs: 400 })).rejects.toThrow(/did not answer in 0.4 seconds$/)
  })

  it('is decompressed if it is gzip, and requested with the token and the query from its variables', async () => {
    serve(gzipSync(csv(PRICES)), { etag: '"packed"' })
    process.env.COUNTY_TOKEN = 'county-secret'
    delete process.env.COUNTY_QUERY
    await connect({ tokenEnv: 'COUNTY_TOKEN', queryEnv: 'COUNTY_QUERY' })
    await expect(sync()).rejects.toThrow(/COUNTY_QUERY.* is not set here/)
    process.env.COUNTY_QUERY = 'sig=county-signature'
    expect(await sync()).toMatchObject({ inserted: 24 })
    expect(asked).toMatchObject([
      { authorization: 'Bearer county-secret', path: '/county.csv?sig=county-signature' },
    ])
    delete process.env.COUNTY_QUERY
  })

  it('is read by the command if the operator trusts the authority with NODE_EXTRA_CA_CERTS, and not otherwise', async () => {
    serve(csv(PRICES), { etag: '"one"' })
    await connect()
    const path = join(await makeTemporaryDirectory(), 'authority.pem')
    await writeFile(path, authority.cert)
    const trusting = lotlineProcess({ DATABASE_URL: test.url, NODE_EXTRA_CA_CERTS: path })
    const doubting = lotlineProcess({ DATABASE_URL: test.url })
    const refused = await doubting('sources', 'sync', 'county')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/the connection to https:\/\/127\.0\.0\.1:\d+ failed \(\w+\)/)
    expect(asked).toEqual([])
    const ran = await trusting('sources', 'sync', 'county', '--json')
    expect(ran.stderr).toBe('')
    expect(ran.json).toMatchObject({ read: 24, inserted: 24 })
  })
})

async function openFiles(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return Promise.all(links)
}

describe('a file that cannot be read to its end', () => {
  const packed = gzipSync(csv(PRICES))
  const status =
    (code: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(code, headers).end('no')
  const send =
    (body: string | Buffer, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(200, { etag: '"broken"', ...headers }).end(body)

  it.each([
    ['with status 404', status(404), /answered with status 404$/],
    ['with status 500', status(500), /answered with status 500$/],
    ['with status 403', status(403), /status 403; no credential is configured$/],
    [
      'with a redirect',
      status(302, { location: 'https://example.com/' }),
      /status 302; redirects are not followed/,
    ],
    [
      'with compressed data that is cut off',
      send(packed.subarray(0, packed.length / 2)),
      /damaged or cut off/,
    ],
    [
      'with compressed data that is damaged',
      send(Buffer.concat([packed.subarray(0, 12), Buffer.alloc(300, 7)])),
      /damaged or cut off/,
    ],
    [
      'with a connection that is lost',
      (response: ServerResponse) => {
        response.writeHead(200, { etag: '"broken"', 'content-length': '1900' })
        response.write(csv(PRICES), () => response.destroy())
      },
      /lost before the end of the file/,
    ],
    [
      'with a stated length above the limit',
      send(csv(PRICES).repeat(10), { 'content-length': String(csv(PRICES).length * 10) }),
      /larger than 2000 bytes/,
    ],
    [
      'with more than the limit',
      (response: ServerResponse) => {
        response.writeHead(200, { etag: '"broken"' })
        response.write(csv(PRICES))
        response.end(' '.repeat(4_000))
      },
      /larger than 2000 bytes/,
    ],
    [
      'with far more data than was sent',
      send(gzipSync(Buffer.alloc(300_000, ' '))),
      /larger than \d+ bytes when it is unpacked/,
    ],
    ['that is a web page', send('<html><h1>Sign in</h1></html>'), /./],
  ])('%s changes nothing, is reported, and is asked for again', async (_name, broken, message) => {
    serve(csv(PRICES), { etag: '"one"' })
    await connect({ complete: true })
    await sync()
    answer = broken
    await expect(sync({ maxFileBytes: 2_000 })).rejects.toThrow(message)
    expect(await prices()).toEqual(PRICES)
    const source = (await findConnected(test.database, 'county'))!
    expect(source).toMatchObject({ failures: 1, fileVersion: 'etag "one"', leaseUntil: null })
    expect(source.lastError).toMatch(message)
    expect(source.lastError).not.toContain('an error of the service')
    serve(csv([7, ...PRICES.slice(1)]), { etag: '"two"' })
    expect(await sync()).toMatchObject({ updated: 1 })
  })
})
