import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAY_SKIP } from '../src/closing-line.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const REPORTER = join(ROOT, 'tools/check/src/closing-line.ts')
const TESTS = `
it('proves something', () => {})
it('has no browser', ({ skip }) => skip('chromium is not installed'))
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lotline-closing-'))
  const reporters = JSON.stringify([[REPORTER, { skippedFile: join(folder, 'skipped.txt') }]])
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { test: { globals: true, reporters: ${reporters} } }`,
  )
  writeFileSync(join(folder, 'some.test.js'), TESTS)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function runVitest(env: Readonly<Record<string, string>>, ...args: string[]) {
  const { PATH = '' } = process.env
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, 'run', '--root', folder, ...args],
    {
      env: { PATH, ...env },
      encoding: 'utf8',
    },
  )
  const skippedFile = join(folder, 'skipped.txt')
  const noted = existsSync(skippedFile) ? readFileSync(skippedFile, 'utf8') : ''
  return { status, stdout, stderr, noted }
}

describe('a skipped test', () => {
  it('is listed with its reason, counted, and recorded for the last line of the whole run', () => {
    const { status, stdout, noted } = runVitest({})
    expect(status).toBe(0)
    expect(stdout).toMatch(/skipped: .*some\.test\.js > has no browser \(chromium is not installed\)\n/)
    expect(stdout).toMatch(/1 passed, 0 failed, 1 skipped\n$/)
    expect(noted.split('\n')).toEqual([expect.stringContaining('has no browser'), ''])
  })

  it('fails the run if skips are forbidden', () => {
    const { status, stderr } = runVitest({ LOTLINE_NO_SKIP: '1' })
    expect(status).toBe(1)
    expect(stderr).toContain('1 tests were skipped')
  })

  it('does not include tests that a name filter excludes', () => {
    const { status, noted } = runVitest({ LOTLINE_NO_SKIP: '1' }, '-t', 'proves')
    expect([status, noted]).toEqual([0, ''])
  })
})

it('the list of files that may skip tests names only existing files', () => {
  for (const file of Object.keys(MAY_SKIP)) expect(existsSync(join(ROOT, file)), file).toBe(true)
})
