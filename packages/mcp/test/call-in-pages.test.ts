// Rows of a result are read in pages that fit into it, so that no row is charged that the result has no room for.

import { LotlineError } from '@lotline/client'
import { type Content, MAX_RESULT_BYTES, TOOLS, type ToolCall } from '@lotline/contract/tools'
import { expect, it } from 'vitest'
import type { ApiAnswer } from '../src/api-calls.ts'
import { callInPages } from '../src/call-in-pages.ts'

const search = TOOLS.find(({ name }) => name === 'search_listings')!
const units = TOOLS.find(({ name }) => name === 'get_building_units')!

/** A search with this many rows, the cursor of which is the place of the next row. */
function searchThatReturns(texts: readonly string[], fails: (call: number) => boolean = () => false) {
  const calls: ToolCall[] = []
  async function ask(call: ToolCall): Promise<ApiAnswer> {
    calls.push(call)
    if (fails(calls.length)) throw new LotlineError({ code: 'upstream_error', message: 'x', status: 502 })
    const { body, headers, query } = call
    const begin = Number(body?.cursor ?? query.cursor ?? 0)
    const allowed = Number(headers['x-max-credits'])
    const wanted = Number(body?.maxItems ?? texts.length)
    const count = Math.min(wanted, allowed, texts.length - begin)
    const rows = texts
      .slice(begin, begin + count)
      .map((text, at) => ({ zpid: String(begin + at), address: text, text }))
    const next = begin + count < texts.length && { next_cursor: String(begin + count) }
    const cut = count < Math.min(wanted, texts.length - begin) && { truncated_by: 'max_credits' }
    return {
      data: body ? rows : { units: rows },
      meta: { count, ...next, ...cut },
      credits: { charged: Math.max(1, count), remaining: 1_000 },
    }
  }
  return { ask, calls }
}

/** Reads to the end as an agent would, and returns the places of the rows and what was charged. */
async function readAll(tool: typeof search, args: Content, ask: (call: ToolCall) => Promise<ApiAnswer>) {
  const seen: string[] = []
  const whys: unknown[] = []
  let charged = 0
  let cursor: string | undefined
  do {
    const { structuredContent, isError } = await callInPages(tool, { ...args, cursor }, ask)
    expect(isError).toBeUndefined()
    expect(Buffer.byteLength(JSON.stringify(structuredContent)) * 2).toBeLessThan(MAX_RESULT_BYTES)
    const rows = structuredContent[tool.pages!.list] as { zpid: string }[]
    expect(structuredContent.count).toBe(rows.length)
    seen.push(...rows.map(({ zpid }) => zpid))
    whys.push(structuredContent.truncated_by)
    charged += Number(structuredContent.credits_charged)
    cursor = structuredContent.next_cursor as string | undefined
  } while (cursor !== undefined)
  return { seen, charged, whys }
}

const places = (count: number) => Array.from({ length: count }, (_, at) => String(at))

it('each row is charged once, and only rows in a result are charged', async () => {
  const texts = places(200).map((at) => 'x'.repeat(200 + 13 * Number(at)))
  for (const [tool, fields] of [
    [search, ['*']],
    [search, undefined],
    [units, ['*']],
  ] as const) {
    const { ask } = searchThatReturns(texts)
    const args = { filters: {}, url: 'u', limit: tool === search ? 50 : undefined, max_credits: 50, fields }
    const { seen, charged, whys } = await readAll(tool, args, ask)
    expect(seen).toEqual(places(200))
    expect(charged).toBe(200)
    if (fields) expect(whys).toContain('size')
  }
})

it('a small result needs one call, and paging stops at max_credits', async () => {
  const { ask, calls } = searchThatReturns(places(200))
  const args = { filters: {}, limit: 25, max_credits: 25 }
  expect((await callInPages(search, args, ask)).structuredContent).toMatchObject({
    count: 25,
    next_cursor: '25',
    credits_charged: 25,
  })
  expect(calls).toHaveLength(1)
  const cut = await callInPages(search, { ...args, limit: 50, max_credits: 30 }, ask)
  expect(cut.structuredContent).toMatchObject({
    count: 30,
    truncated_by: 'max_credits',
    next_cursor: '30',
    credits_charged: 30,
  })
  const whole = await callInPages(search, { ...args, limit: 50, max_credits: 50 }, ask)
  expect(whole.structuredContent.count).toBe(50)
  expect(whole.structuredContent).not.toHaveProperty('truncated_by')
})

it('rows that were charged are kept if a later page fails, and a failed first page throws', async () => {
  const later = searchThatReturns(places(200), (call) => call === 2)
  const args = { filters: {}, limit: 50, max_credits: 50 }
  expect((await callInPages(search, args, later.ask)).structuredContent).toMatchObject({
    count: 25,
    truncated_by: 'error',
    next_cursor: '25',
    credits_charged: 25,
  })
  await expect(callInPages(search, args, searchThatReturns(places(9), () => true).ask)).rejects.toThrow(
    LotlineError,
  )
})

it.each([
  ['has no response', { code: 'connection_lost', message: 'x' }],
  [
    'loses the database while it is charged',
    {
      code: 'service_unavailable',
      message: 'x',
      status: 503,
      requestId: 'req_1',
      details: { charge: 'unknown' },
    },
  ],
] as const)(
  'does not say what was charged when a later page %s, as it may have been charged',
  async (_, facts) => {
    const { ask } = searchThatReturns(places(200))
    let charged = 0
    async function lose(call: ToolCall): Promise<ApiAnswer> {
      const answer = await ask(call)
      charged += answer.credits.charged
      if (charged > 25) throw new LotlineError(facts)
      return answer
    }
    const args = { filters: {}, limit: 50, max_credits: 50 }
    const { structuredContent, isError } = await callInPages(search, args, lose)
    expect(charged).toBe(50)
    expect(isError).toBeUndefined()
    expect(structuredContent).toMatchObject({ count: 25, truncated_by: 'error', next_cursor: '25' })
    expect(structuredContent).toMatchObject({
      code: facts.code,
      message: expect.stringContaining('may have charged'),
      ...('requestId' in facts && { request_id: facts.requestId }),
    })
    expect(structuredContent).not.toHaveProperty('credits_charged')
    expect(structuredContent).not.toHaveProperty('credits_remaining')
  },
)

it('paging ends with an empty page, and its charge is counted', async () => {
  const { ask, calls } = searchThatReturns(places(200))
  async function skip(call: ToolCall): Promise<ApiAnswer> {
    const answer = await ask(call)
    if (calls.length === 1) return answer
    return { ...answer, data: [], meta: { ...answer.meta, count: 0 }, credits: { charged: 1, remaining: 9 } }
  }
  const args = { filters: {}, limit: 50, max_credits: 50 }
  expect((await callInPages(search, args, skip)).structuredContent).toMatchObject({
    count: 25,
    next_cursor: '50',
    credits_charged: 26,
    credits_remaining: 9,
  })
  expect(calls).toHaveLength(2)
})

it('fields of rows that are too large on their own are omitted and named', async () => {
  const { ask } = searchThatReturns(places(20).map(() => 'x'.repeat(10_000)))
  const args = { filters: {}, limit: 20, max_credits: 20, fields: ['*'] }
  const { structuredContent } = await callInPages(search, args, ask)
  expect(structuredContent).toMatchObject({ count: 5, truncated_by: 'size', credits_charged: 5 })
  expect(structuredContent.omitted).toHaveLength(2)
})
