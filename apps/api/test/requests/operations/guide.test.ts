// The operations guide is run as it is printed. What differs is said here: `lotline` is the file of apps/api/deploy, as in
// the image; psql and openssl are stand-ins with the few options that the guide uses.

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { isUpToDate as areFiltersUpToDate } from '../../../guides/filter-table.ts'
import { isUpToDate as areFieldsUpToDate } from '../../../guides/listing-fields-table.ts'
import { isUpToDate } from '../../../guides/settings-table.ts'
import { loadSample } from '../../../src/data/ingest/load-sample.ts'
import { connectDatabase } from '../../../src/infrastructure/database/database.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { orderPurchase } from '../../../src/money/billing/order.ts'
import { parsePriceList } from '../../../src/money/billing/price-list.ts'
import { needProgram } from '../../process/start/find-program.ts'
import { type Block, ROOT, runBlocks } from '../../process/start/readme.ts'
import { startServer } from '../../process/start/server-process.ts'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { createTestDatabase, withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const GUIDE = join(import.meta.dirname, '../../../guides/operations')
const METRICS_TOKEN = 'a-token-of-the-operator'
const testDatabase = withTestDatabase()
const guarded = withTestServer(testDatabase, { env: { METRICS_TOKEN } })

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(GUIDE, page), 'utf8')
  return text.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'))
    return [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => ({ section, code: code! }))
  })
}

/** A folder to work in, with the programs that the guide calls. */
async function makeFolder(): Promise<{ readonly cwd: string; readonly path: string }> {
  const cwd = await makeTemporaryDirectory()
  const bin = join(cwd, 'bin')
  await mkdir(bin)
  await symlink(join(ROOT, 'apps/api/deploy/lotline'), join(bin, 'lotline'))
  const runSql = join(import.meta.dirname, 'run-sql.ts')
  await writeFile(join(bin, 'psql'), `#!/bin/sh\nexec node '${runSql}' "$@"\n`, { mode: 0o755 })
  const random = `process.stdout.write(require('node:crypto').randomBytes(+process.argv[2]).toString(process.argv[1].slice(1)) + '\\n')`
  await writeFile(
    join(bin, 'openssl'),
    `#!/bin/sh\n[ "$1" = rand ] || exit 1\nexec node -e "${random}" -- "$2" "$3"\n`,
    { mode: 0o755 },
  )
  return { cwd, path: `${bin}:${dirname(process.execPath)}:${process.env.PATH}` }
}

async function run(
  page: string,
  folder: Awaited<ReturnType<typeof makeFolder>>,
  env: Record<string, string>,
) {
  const outcomes = await runBlocks(await blocksOf(page), {
    // The first command that fails ends it all.
    prelude: `set -e\ntrap 'printf "\\n@@ exit code %s\\n" "$?"' EXIT`,
    cwd: folder.cwd,
    env: { PATH: folder.path, ...env },
  })
  for (const { code, status, output } of outcomes) {
    expect(status, `${page}: ${code}\n${output}`).toBe(0)
    expect(output).not.toMatch(/Error:|undefined/)
  }
  return outcomes.map(({ output }) => output)
}

it('listings.md: a CSV file becomes listings, and the sample and a source are removed', {
  timeout: 120_000,
}, async () => {
  const folder = await makeFolder()
  const header = 'Parcel ID,Sale Date,Sale Price,Address,City,State,Zip,Latitude,Longitude'
  await writeFile(
    join(folder.cwd, 'sales.csv'),
    `${header}\n41,11/2/2026,500000,1 Elm St,Austin,TX,78701,30.2,-97.7\n42,11/3/2026,-1,2 Elm St,Austin,TX,78701,30.2,-97.7\n`,
  )
  const database = await createTestDatabase()
  try {
    await loadSample(database.database, { homes: 20 })
    const outputs = await run('listings.md', folder, { DATABASE_URL: database.url })
    expect(outputs).toHaveLength(5)
    expect(outputs[0]).toMatch(/^Wrote sales\.yaml \(guessed/)
    expect(outputs[2]).toMatch(/\ninserted +2\n[\s\S]*negative_price \(1\)[\s\S]*\ncounty-sales +2\n/)
    expect(outputs[4]).toMatch(/^Nothing was written\.[\s\S]*\nremoved +2\n/)
    const { rows } = await database.database.query('select zpid from listings order by zpid')
    const assigned = { zpid: expect.stringMatching(/^\d{16}$/) }
    expect(rows).toEqual([assigned, assigned])
    expect(await readFile(join(folder.cwd, 'rows.csv'), 'utf8')).toMatch(/,3,\d{16},warning,negative_price,/)
  } finally {
    await database.drop()
  }
})

it('boundaries.md: a file of neighborhoods is imported, listed, and removed', {
  timeout: 120_000,
}, async () => {
  const folder = await makeFolder()
  const ring = [
    [-122.37, 47.62],
    [-122.34, 47.62],
    [-122.355, 47.65],
    [-122.37, 47.62],
  ]
  const neighborhood = (code: string, name: string) => ({
    type: 'Feature',
    properties: { code, name },
    geometry: { type: 'Polygon', coordinates: [ring] },
  })
  const features = [neighborhood('QA', 'Queen Anne'), neighborhood('LQA', 'Lower Queen Anne')]
  await writeFile(
    join(folder.cwd, 'seattle-neighborhoods.geojson'),
    JSON.stringify({ type: 'FeatureCollection', features }),
  )
  const outputs = await run('boundaries.md', folder, { DATABASE_URL: testDatabase.url })
  expect(outputs).toHaveLength(2)
  expect(outputs[0]).toMatch(/^Nothing was written\.[\s\S]*\nImported\.[\s\S]*\nneighborhood +2 +8 +2026 /)
  expect(outputs[1]).toMatch(/^removed +1\nremoved +1\n/)
})

it('the field list of listings.md is up to date', () => {
  expect(areFieldsUpToDate()).toBe(true)
})

it('data.md: a backup is restored, and an embedded database moves to a server', {
  timeout: 120_000,
}, async () => {
  const folder = await makeFolder()
  const DATA_DIR = await makePreparedDataDirectory()
  await startServer({ DATA_DIR, SAMPLE_DATA: 'off' })
  await runBlocks([{ section: '', code: 'lotline accounts create --plan monthly --json\n' }], {
    prelude: '',
    cwd: folder.cwd,
    env: { PATH: folder.path, DATA_DIR },
  })
  // No webhook was ever created: the first start has made the key that data.md copies.
  const { host, user } = testDatabase.target
  const SERVER = `postgresql://${user}@${encodeURIComponent(host)}`
  const moved = connectDatabase({ target: { host, user, database: 'lotline_live', ssl: false }, poolSize: 1 })
  try {
    const outputs = await run('data.md', folder, { DATA_DIR, SERVER })
    const kept = await readFile(join(DATA_DIR, 'secrets.key'), 'utf8')
    expect(await readFile(join(folder.cwd, 'lotline.secrets.key'), 'utf8')).toBe(kept)
    expect(outputs.join('\n').match(/Every credit is accounted for/g)).toHaveLength(2)
    expect(existsSync(join(folder.cwd, 'restored'))).toBe(true)
    const { rows } = await moved.query('select balance from accounts')
    expect(rows).toEqual([{ balance: 1000 }])
  } finally {
    await moved.close()
    await testDatabase.database.query('drop database if exists lotline_live with (force)')
  }
})

it('keys.md, sign-up.md, console.md, and monitoring.md have the documented results beside a running server', {
  timeout: 120_000,
}, async (context) => {
  needProgram(context, ['curl'], 'the commands of the operations guide run as printed')
  const folder = await makeFolder()
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
  const env = { DATABASE_URL: testDatabase.url, SECRETS_KEY, SAMPLE_DATA: 'off' }
  const server = await startServer(env)
  const { key, keyId, accountId } = await openAccount(testDatabase.database, { plan: 'monthly' })
  const made = await fetch(`${server.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"url": "https://hooks.example.com/lotline"}',
  })
  const WEBHOOK_ID = ((await made.json()) as { data: { id: string } }).data.id

  const [info] = await run('monitoring.md', folder, {
    ...env,
    METRICS_TOKEN,
    API: server.url,
    GUARDED_API: guarded.url,
  })
  expect(info).toMatch(/^lotline_info\{role="all",/)
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('\nlotline_ledger_drift 0\n')

  const [rotated, revoked, link, secrets] = await run('keys.md', folder, {
    ...env,
    KEY_ID: keyId,
    ACCOUNT: accountId,
    WEBHOOK_ID,
  })
  expect(rotated).toContain('works until')
  expect(revoked).toContain('Revoked')
  expect(link).toMatch(/^link +http:\/\/127\.0\.0\.1:8080\/portal\/link\/[\w-]{43}$/m)
  expect(secrets!.match(/whsec_/g)).toHaveLength(2)

  const [signIn, , , , , , trail] = await run('console.md', folder, { ...env, ADMIN_PORT: '9910' })
  expect(signIn).toMatch(/^link +http:\/\/127\.0\.0\.1:9910\/link\/[\w-]{43}$/m)
  expect(trail).toMatch(/console\.link .*Ana Lopez[\s\S]*portal\.link[\s\S]*keys\.revoke/)
  const [invited] = await run('sign-up.md', folder, env)
  expect(invited).toMatch(/^link +http:\/\/127\.0\.0\.1:8080\/portal\/sign-up\/[\w-]{43}$/m)
})

it('payment.md: an order is listed and approved, and its prices are valid', {
  timeout: 120_000,
}, async () => {
  const text = await readFile(join(GUIDE, 'payment.md'), 'utf8')
  const prices = parsePriceList(/^```yaml\n(.*?)^```$/ms.exec(text)![1]!, 'payment.md')
  const { accountId, keyId } = await openAccount(testDatabase.database, { plan: 'monthly' })
  const { credits, price, id: item } = prices.packs[0]!
  const ordered = await orderPurchase(
    testDatabase.database,
    ...([prices, 'manual', { accountId, keyId }] as const),
    { kind: 'pack', item, price },
  )
  if (!ordered.ok) throw new Error(ordered.because)
  const folder = await makeFolder()
  const [printed] = await run('payment.md', folder, {
    DATABASE_URL: testDatabase.url,
    PURCHASE: ordered.id,
  })
  expect(printed).toContain(`${ordered.id}  ${accountId}`)
  expect(printed).toContain(`The account ${accountId} has its ${credits} credits.`)
})

it('the commands of deployment.md create the secrets that compose.yaml requires', async () => {
  const folder = await makeFolder()
  await run('deployment.md', folder, {})
  const env = await readFile(join(folder.cwd, '.env'), 'utf8')
  const set = env
    .trim()
    .split('\n')
    .map((line) => /^([A-Z_]+)=\S{40,}$/.exec(line)?.[1])
  const compose = await readFile(join(ROOT, 'compose.yaml'), 'utf8')
  const asked = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name)
  expect(new Set(set)).toEqual(new Set(asked))
})

it('the guide on searches lists the filters that the service reads', () => {
  expect(areFiltersUpToDate(), 'run: node apps/api/guides/filter-table.ts').toBe(true)
})

it("the operators' guide lists the settings that the service reads", () => {
  expect(isUpToDate(), 'run: node apps/api/guides/settings-table.ts').toBe(true)
})

it("the links of the operators' guide have targets, and its index has every page", async () => {
  const pages = (await readdir(GUIDE)).filter((name) => name.endsWith('.md'))
  for (const page of pages) {
    const text = await readFile(join(GUIDE, page), 'utf8')
    for (const [, target] of text.matchAll(/\]\((?!https:)([^)#]+)\)/g)) {
      expect(existsSync(join(GUIDE, target!)), `${page}: ${target}`).toBe(true)
    }
    if (page !== 'index.md') expect(await readFile(join(GUIDE, 'index.md'), 'utf8')).toContain(`(${page})`)
  }
})
