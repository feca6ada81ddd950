import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNdjson } from '../../../src/domain/formats/ndjson.ts'

async function textOf(rows: Iterable<object> | AsyncIterable<object>): Promise<string> {
  let text = ''
  for await (const piece of toNdjson(rows)) text += piece
  return text
}

test('each row is one line with a line feed', async () => {
  expect(await textOf([{ a: 1 }, { b: 'two\nlines' }])).toBe('{"a":1}\n{"b":"two\\nlines"}\n')
  expect(await textOf([])).toBe('')
})

test('every line parses to its row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 50 }),
      async (rows) => {
        const lines = (await textOf(rows)).split('\n').slice(0, -1)
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(rows)))
      },
    ),
  )
})

test('text comes in pieces of whole lines, each made when it is read', async () => {
  let made = 0
  function* rows() {
    for (; made < 100_000; made++) yield { row: made, padding: 'x'.repeat(100) }
  }
  let pieces = 0
  for await (const piece of toNdjson(rows())) {
    expect(piece.endsWith('}\n')).toBe(true)
    expect(piece.length).toBeLessThan(70_000)
    expect(made).toBeLessThan((pieces + 1) * 1000)
    if (++pieces === 10) break
  }
  expect(made).toBeLessThan(10_000)
})

test('a reader that stops early releases the remaining rows', async () => {
  let closed = false
  async function* rows() {
    try {
      for (;;) yield { padding: 'x'.repeat(1000) }
    } finally {
      closed = true
    }
  }
  for await (const _ of toNdjson(rows())) break
  expect(closed).toBe(true)
})
