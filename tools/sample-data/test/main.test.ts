import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { sampleListings } from '../src/index.ts'

const main = join(import.meta.dirname, '../src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'sample-data-'))
afterAll(() => rmSync(folder, { recursive: true }))

function run(args: string[], env: Record<string, string> = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { stdout, stderr, status }
}

const expected = [...sampleListings({ homes: 30 })].map((record) => `${JSON.stringify(record)}\n`).join('')

test('the command writes one record per line to standard output', () => {
  expect(run(['--count', '30'])).toEqual({ stdout: expected, stderr: '', status: 0 })
})

test('the time zone and language of the machine do not change the output', () => {
  expect(run(['--count', '30'], { TZ: 'Asia/Kathmandu', LANG: 'de_DE.UTF-8' }).stdout).toBe(expected)
})

test('the command compresses output into a .gz file', () => {
  const file = join(folder, 'sample.ndjson.gz')
  expect(run(['--count', '30', '--out', file]).status).toBe(0)
  expect(gunzipSync(readFileSync(file)).toString()).toBe(expected)
})

test('the command dates the sample for the given day', () => {
  const { stdout } = run(['--count', '1', '--as-of', '2027-03-01'])
  expect(JSON.parse(stdout).datePosted).toBe('2027-01-26')
})

test.for([
  [['--count', 'many'], 'homes must be a whole number'],
  [['--as-of', 'tomorrow'], '--as-of must be a date'],
  [['--as-of', '2026-13-45'], 'asOf must be'],
  [['--colour'], '--colour'],
  [['--out', '/nowhere/sample.ndjson'], '/nowhere/sample.ndjson'],
] as [string[], string][])('%j is refused with a line that says why', ([args, reason]) => {
  const { stdout, stderr, status } = run(args)
  expect(stdout).toBe('')
  expect(stderr).toContain(reason)
  expect(stderr.trim().split('\n').length).toBe(1)
  expect(status).toBe(1)
})
