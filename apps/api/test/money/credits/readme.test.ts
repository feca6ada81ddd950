// Checks that the tests that the ledger's README names exist.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checks } from '../../../src/money/credits/audit-checks.ts'

const HERE = import.meta.dirname
const readme = await readFile(join(HERE, '../../../src/money/credits/README.md'), 'utf8')
const invariants = readme
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('"'))
  .map((line) => line.split(' | '))

const files = (await readdir(HERE)).filter((name) => name.endsWith('.test.ts') && name !== 'readme.test.ts')
const tests = (await Promise.all(files.map((name) => readFile(join(HERE, name), 'utf8')))).join('\n')

describe('the ledger’s README', () => {
  it.each(invariants)('names the tests that prove "%s"', (_invariant, guards) => {
    const names = [...guards!.matchAll(/"([^"]+)"/g)].map((match) => match[1]!)
    expect(names).not.toEqual([])
    for (const name of names) expect(tests, name).toContain(name)
  })

  it('lists every check of the audit as an invariant', () => {
    for (const name of [...checks.map(({ check }) => check), 'charge is price']) {
      expect(readme).toContain(`| **${name}**`)
    }
  })
})
