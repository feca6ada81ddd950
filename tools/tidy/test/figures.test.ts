// The figures of ARCHITECTURE.md: those that the code must not exceed, and that the document says what is counted.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFigures } from '../src/figures.ts'
import { readTree } from '../src/rules.ts'
import { trackedFiles } from '../src/tracked-files.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const figures = new Map(
  readFigures(readTree(trackedFiles(root), read)).map(({ name, items }) => [name, items] as const),
)
const architecture = read('ARCHITECTURE.md')

describe('the counted figures of the service', () => {
  it.each([
    ['modules', 8],
    ['timers', 14],
    ['settings', 45],
  ])('include at most this many %s: %i', (name, max) => {
    expect(figures.get(name)!.length).toBeLessThanOrEqual(max)
  })

  it('are found for each name', () => {
    expect([...figures].filter(([, items]) => items.length === 0)).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  it('has at most 250 lines', () => {
    expect(architecture.split('\n').length).toBeLessThanOrEqual(251)
  })

  it('lists at most 15 concepts for a first change and states their number correctly', () => {
    const rows = [...architecture.matchAll(/^\| (an? [a-z]+) \| (.*) \| (\d+) \|$/gm)]
    expect(rows.map(([, change]) => change)).toEqual([
      'a lookup',
      'a filter',
      'a job',
      'a watch',
      'a webhook',
    ])
    for (const [, , concepts, count] of rows) {
      expect(concepts!.replace(/\]\([^)]*\)/g, '').split(',')).toHaveLength(Number(count))
      expect(Number(count)).toBeLessThanOrEqual(15)
    }
  })
})
