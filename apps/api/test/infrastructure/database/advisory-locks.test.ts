// The advisory locks of the service: one list, one number per purpose, and no purpose that waits for another.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockImports } from '../../../src/data/listings/stage-listings.ts'
import { ADVISORY_LOCKS } from '../../../src/infrastructure/database/advisory-locks.ts'
import { createTestDatabase } from '../../setup/test-database.ts'

const SRC = join(import.meta.dirname, '../../../src')
const LIST = join('infrastructure', 'database', 'advisory-locks.ts')

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(ts|sql|js|mjs)$/.test(path))
  .map((path) => ({
    path,
    text: readFileSync(join(SRC, path), 'utf8').replace(/--.*$|^\s*(\/\/|\*).*$/gm, ''),
  }))

/** The number in each call of an advisory lock function in the sources. */
const calls = files.flatMap(({ path, text }) =>
  [...text.matchAll(/pg_(?:try_)?advisory_(?:xact_)?(?:lock|unlock)(?:_shared|_all)?\s*\(([^)]*)\)/g)].map(
    (match) => ({ path, key: match[1]!.trim() }),
  ),
)

describe('the advisory locks', () => {
  it('have different numbers', () => {
    const numbers = Object.values(ADVISORY_LOCKS)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('are all on the list, each number in the SQL of one function or in one file', () => {
    expect(calls.length).toBeGreaterThanOrEqual(Object.keys(ADVISORY_LOCKS).length)
    const purposes = new Map<string, Set<string>>()
    const use = (purpose: string, by: string) =>
      purposes.set(purpose, (purposes.get(purpose) ?? new Set()).add(by))
    for (const { path, key } of calls) {
      if (path.endsWith('.sql')) {
        const purpose = Object.entries(ADVISORY_LOCKS).find(([, number]) => String(number) === key)?.[0]
        expect(purpose, `${path} takes the advisory lock ${key}, which is not on the list`).toBeDefined()
        use(purpose!, path)
      } else {
        // The statement has a parameter; its value is named after the list in the same file.
        expect(key, `${path} writes the number of an advisory lock into its statement`).toBe('$1')
        const text = files.find((file) => file.path === path)!.text
        const named = [...text.matchAll(/ADVISORY_LOCKS\.(\w+)/g)].map((match) => match[1]!)
        expect(new Set(named).size, `${path} names one lock of the list`).toBe(1)
        use(named[0]!, path)
      }
    }
    expect([...purposes.keys()].sort()).toEqual(Object.keys(ADVISORY_LOCKS).sort())
    for (const [purpose, users] of purposes) expect([...users], purpose).toHaveLength(1)
  })

  it('have numbers that occur nowhere else', () => {
    const others = files.filter(
      ({ path, text }) => path.endsWith('.ts') && path !== LIST && /7_?240_?316_?\d{3}/.test(text),
    )
    expect(others.map((file) => file.path)).toEqual([])
  })

  it('allow ledger partitions to be created while an import runs', async () => {
    const made = await createTestDatabase()
    onTestFinished(() => made.drop())
    const { database } = made
    await database.transaction(async (tx) => {
      await lockImports(tx)
      const { rows } = await database.query<{ made: boolean }>(
        `select make_book_partition('usage_rows', '2187-03-15') as made`,
      )
      expect(rows[0]!.made).toBe(true)
    })
  })
})
