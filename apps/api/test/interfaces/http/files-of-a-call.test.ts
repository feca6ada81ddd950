// The amount of code behind a call: the folders and files of apps/api/src with a function that runs between the request and the end of its
// response. V8 counts the functions during one call. Fewer folders matter more than fewer files: splitting a file for its readers may raise
// the second number.

import { Session } from 'node:inspector/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { SAMPLE } from '../../domain/record/sample-records.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

const CALLS = 8

const profiler = new Session()
let key = ''
beforeAll(async () => {
  const rows = SAMPLE.map((record, at) => ({ line: at + 1, record }))
  await importListings(testDatabase.database, rows)
  key = (await server.openAccount()).key
  profiler.connect()
  await profiler.post('Debugger.enable')
  await profiler.post('Profiler.enable')
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
})
afterAll(() => profiler.disconnect())

/** Of several calls, the one with the fewest: the others also read what is kept for a moment, or met a timer. */
async function filesOf(call: () => Promise<TestResponse>): Promise<string[]> {
  const found: string[][] = []
  for (let at = 0; at < CALLS; at++) {
    // Reading the counts sets them to zero.
    await profiler.post('Profiler.takePreciseCoverage')
    const answer = await call()
    expect(answer.status, answer.text).toBe(200)
    found.push(await filesThatRan())
  }
  return found.toSorted((one, other) => one.length - other.length)[0]!
}

async function filesThatRan(): Promise<string[]> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage')
  const files = new Set<string>()
  for (const { url, scriptId, functions } of result) {
    const file = /apps\/api\/src\/([^?]+\.ts)/.exec(url)?.[1]
    const called = functions.map(({ ranges }) => ranges[0]!).filter(({ count }) => count > 0)
    if (file === undefined || called.length === 0) continue
    const { scriptSource } = await profiler.post('Debugger.getScriptSource', { scriptId })
    if (called.some(({ startOffset }) => !isExport(scriptSource, startOffset))) files.add(file)
  }
  return [...files].sort()
}

/** Vitest makes a function of each export, which is called where another file reads a constant or a class. */
function isExport(source: string, startOffset: number): boolean {
  return /__vi\w*export\w*__\("[^"]*", $/i.test(source.slice(Math.max(0, startOffset - 120), startOffset))
}

function modulesOf(files: readonly string[]): string[] {
  return [...new Set(files.map((file) => file.split('/')[0]!))]
}

/** Such as `requests/engine`; the files at the root of a module are one more. */
function foldersOf(files: readonly string[]): string[] {
  return [...new Set(files.map((file) => /^[^/]+\/(?:[^/]+\/)?/.exec(file)![0]))]
}

it('a lookup runs code of 6 modules, at most 13 folders, and at most 41 files', async () => {
  const files = await filesOf(() => server.get(`/v1/properties/${SAMPLE[0]!.zpid}`, { key }))
  expect(files).toContain('requests/engine/engine.ts')
  expect(modulesOf(files)).toEqual(['data', 'infrastructure', 'interfaces', 'money', 'process', 'requests'])
  expect(foldersOf(files).length).toBeLessThanOrEqual(13)
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(41)
})

it('a search runs code of 7 modules, at most 18 folders, and at most 64 files', async () => {
  const filters = { status: 'for_sale', bbox: { west: -125, south: 24, east: -66, north: 50 } }
  const files = await filesOf(() => server.post('/v1/search', { filters, maxItems: 10 }, { key }))
  expect(files).toContain('domain/search/search-row.ts')
  expect(modulesOf(files)).toEqual([
    'data',
    'domain',
    'infrastructure',
    'interfaces',
    'money',
    'process',
    'requests',
  ])
  expect(foldersOf(files).length).toBeLessThanOrEqual(18)
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(64)
})
