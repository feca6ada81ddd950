// README.md is run as it is printed. What differs is said here: the addresses are those of this test's own service and
// mock, and `npx -y pnpm@… --silent lotline` is the command that it would run.

import { existsSync, readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sampleListings } from '@lotline/sample-data'
import { expect, it } from 'vitest'
import { loadSample } from '../../../src/data/ingest/load-sample.ts'
import { SETTINGS, type SettingName } from '../../../src/infrastructure/config/config.ts'
import { startProcess } from '../../setup/child-process.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { needProgram } from './find-program.ts'
import { README, ROOT, runBlocks, shellBlocks } from './readme.ts'
import { COMMAND, startServer } from './server-process.ts'

const testDatabase = withTestDatabase()

const NPX = `npx() {
  case "$*" in '-y pnpm@12.21.0 --silent lotline '*) shift 4 ;; *) echo "not in README.md: npx $*"; return 1 ;; esac
  node '${COMMAND}' "$@"
}`

const SALES = `id,date,price,bedrooms,bathrooms,sqft_living,sqft_lot,floors,waterfront,view,condition,grade,sqft_above,sqft_basement,yr_built,yr_renovated,zipcode,lat,long,sqft_living15,sqft_lot15
7129300520,20141013T000000,221900,3,1,1180,5650,1,0,0,3,7,1180,0,1955,0,98178,47.5112,-122.257,1340,5650
no-number,20141209T000000,538000,3,2.25,2570,7242,2,0,0,3,7,2170,400,1951,1991,98125,47.721,-122.319,1690,7639
`

/** A folder such as README.md's reader works in, with the files that it speaks of. */
async function makeFolder(): Promise<string> {
  const folder = await makeTemporaryDirectory()
  const records = [...sampleListings({ homes: 3, asOf: Date.now() })]
  const lines = records.map((record, at) => `${JSON.stringify({ ...record, zpid: `99${at}` })}\n`)
  await writeFile(join(folder, 'my-listings.ndjson.gz'), gzipSync(lines.join('')))
  await writeFile(join(folder, 'sales.csv'), SALES)
  await symlink(join(ROOT, 'apps'), join(folder, 'apps'))
  return folder
}

it('its commands, run as printed, have the documented results', async (context) => {
  needProgram(context, ['curl'], 'the commands of README.md run as printed')
  await loadSample(testDatabase.database)
  const server = await startServer({ DATABASE_URL: testDatabase.url })
  const mock = startProcess(join(ROOT, 'packages/mock/src/main.ts'), ['--port', '0'])
  const [mockUrl] = await mock.line(/http:\/\/127[\d.:]+/)

  const blocks = shellBlocks().map(({ section, code }) => ({
    section,
    code: code
      .replaceAll('http://127.0.0.1:8080', server.url)
      .replaceAll('http://127.0.0.1:4010', mockUrl)
      // Its progress meter.
      .replaceAll('curl -i', 'curl -s -i'),
  }))
  const outcomes = await runBlocks(blocks, {
    prelude: NPX,
    cwd: await makeFolder(),
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, DATABASE_URL: testDatabase.url },
  })
  for (const { code, status, output } of outcomes) {
    expect(status, `${code}\n${output}`).toBe(0)
    expect(output).not.toMatch(/undefined|not in README|Error:|"internal_error"/)
  }

  const walk = outcomes.filter(({ section }) => section === 'Tutorial')
  expect(walk).toHaveLength(7)
  const [setUp, list, zestimate, csv, batch, usageAndMe, wrong] = walk.map(({ output }) => output)
  expect(setUp).toBe('')
  expect(README).toContain(`\n\`\`\`text\n${list}\`\`\`\n`)
  expect(list!.split('\n')).toHaveLength(4)
  expect(JSON.parse(zestimate!).data).toMatchObject({ zestimate: expect.any(Number), currency: 'USD' })
  const [heading, ...homes] = csv!.trim().split('\r\n')
  expect(heading).toMatch(/^zpid,detailUrl,latLong\.latitude,/)
  expect(homes).toHaveLength(10)
  const found = batch!
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row).zpid)
  expect(found).toEqual(['48749425', '48749425'])
  const [usage, me] = usageAndMe!
    .trim()
    .split(/(?<=\})\n?(?=\{"data")/)
    .map((answer) => JSON.parse(answer))
  const charges = usage.data.map((kept: { credits_charged: number }) => kept.credits_charged)
  // Asking whether the job is done is free, however often.
  expect(charges.filter((charge: number) => charge > 0)).toEqual([2, 10, 1, 3, 3])
  expect(me.data.credits).toMatchObject({ balance: 981, granted_this_cycle: 1000 })
  expect(JSON.parse(wrong!).error).toMatchObject({ code: 'invalid_filters', details: { parameter: 'bbox' } })

  const [own] = outcomes.filter(({ section }) => section === 'Importing listings')
  expect(own!.output).toMatch(
    /Imported my-listings.*inserted +3.*Nothing was written.*rejected +1.*line 3.*listings +\d{4}/s,
  )
  const [mocked] = outcomes.filter(({ section }) => section === 'Mock server')
  expect(mocked!.output).toMatch(/^HTTP\/1\.1 402 .*"code":"out_of_credits"/s)
})

it('its settings exist, with the documented defaults', () => {
  const rows = [...README.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \| ([^|]*) \|/gm)]
  expect(rows.length).toBeGreaterThan(4)
  for (const [, names, defaults] of rows) {
    const given = defaults!
      .replaceAll('`', '')
      .trim()
      .split(', ')
      .filter((text) => text !== '')
    for (const [at, name] of names!.replaceAll('`', '').split(', ').entries()) {
      expect(Object.keys(SETTINGS)).toContain(name)
      const { kind, fallback } = SETTINGS[name as SettingName]
      const text = given[at]
      expect(fallback, name).toEqual(text === undefined ? undefined : kind.read(text))
    }
  }
})

it('its links have targets', () => {
  for (const [, target] of README.matchAll(/\]\(([^)]+)\)/g)) {
    const [path = '', heading] = target!.split('#')
    expect(existsSync(join(ROOT, path)), target).toBe(true)
    if (heading !== undefined) expect(headingsOf(path || 'README.md'), target).toContain(heading)
  }
})

function headingsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [...text.matchAll(/^##+ (.*)$/gm)].map(([, heading]) => slugOf(heading!))
}

/** As GitHub makes it of a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
