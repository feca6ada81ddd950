// The tools of the MCP server: their names, their order, their schemas and prices are what clients of agents have read.

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { operations, priceInWords } from '../src/index.ts'
import { cutToSize, MAX_RESULT_BYTES, rowsThatFit, TOOLS, toResult } from '../src/tools/index.ts'

const tool = (name: string) => TOOLS.find((one) => one.name === name)!
const resultBytes = (content: object) => Buffer.byteLength(JSON.stringify(toResult({ ...content })))

describe('the MCP tools', () => {
  it('keep the names, order, descriptions, annotations, and arguments that clients have seen', () => {
    const seen = TOOLS.map(({ name, description, annotations, inputSchema, outputSchema }) => ({
      name,
      description,
      annotations,
      arguments: Object.keys(inputSchema.properties as object),
      required: inputSchema.required,
      result: Object.keys(outputSchema.properties as object),
    }))
    expect(seen).toMatchSnapshot()
  })

  it('are at most 12, and their list is small enough for a model', () => {
    expect(TOOLS.length).toBeLessThanOrEqual(12)
    const listed = TOOLS.map(({ name, description, inputSchema, outputSchema }) => [
      name,
      description,
      inputSchema,
      outputSchema,
    ])
    expect(JSON.stringify(listed).length).toBeLessThan(60_000)
  })

  it('have schemas that are valid and self-contained', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    for (const { inputSchema, outputSchema } of TOOLS) {
      for (const schema of [inputSchema, outputSchema]) {
        expect(JSON.stringify(schema)).not.toMatch(/"(?:\$ref|x-[a-z-]+|example)":/)
        expect(() => ajv.compile(schema)).not.toThrow()
      }
    }
  })

  it('state the price of their call in the contract', () => {
    for (const name of [
      'search_listings',
      'get_property',
      'get_property_part',
      'get_building_units',
      'create_watch',
    ])
      expect(tool(name).description).toMatch(/Price in credits: /)
    expect(tool('get_property').description).toContain(priceInWords(operations.getPropertyByAddress))
    expect(tool('start_job').description).toContain(priceInWords(operations.searchWithDetails))
    for (const name of ['estimate_cost', 'get_job', 'read_results', 'get_account', 'read_watch_events'])
      expect(tool(name).description).toContain('Price: free.')
  })

  it('reference only tools marked as read-only', () => {
    const changing = TOOLS.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name)
    expect(changing).toEqual(['start_job', 'create_watch'])
    expect(TOOLS.filter(({ annotations }) => annotations.destructiveHint)).toEqual([])
  })

  it.each([
    ['search_listings', { filters: {}, limit: 5 }],
    ['get_property', { zpid: '1' }],
    ['get_property', { url: 'https://www.zillow.com/homedetails/1_zpid/' }],
    ['get_property', { address: '1 Main St, Seattle, WA 98109' }],
    ...[
      'photos',
      'price_history',
      'tax_history',
      'schools',
      'nearby',
      'agent',
      'zestimate',
      'open_houses',
      'facts',
    ].map((part) => ['get_property_part', { zpid: '1', part }] as const),
    ['get_building_units', { url: 'https://www.zillow.com/b/x-5XkR7n/', include_units: 'all' }],
    ['estimate_cost', { tool: 'get_property', arguments: { zpid: '1' } }],
    ['start_job', { type: 'search', filters: {} }],
    ['start_job', { type: 'search_with_details', filters: {} }],
    ['start_job', { type: 'lookups', urls: [] }],
    ['get_job', { job_id: 'x' }],
    ['read_results', { job_id: 'x', limit: 1, offset: 0 }],
    ['get_account', {}],
    ['create_watch', { name: 'x', filters: {} }],
    ['read_watch_events', { watch_id: 'x', after: 0, limit: 1 }],
  ] as const)('are recorded as the operation that they call: %s %j', (name, args) => {
    const made = tool(name).toCall(args)
    if (typeof made === 'string') throw new Error(made)
    const { operation, params = {} } = tool(name).target(args)
    expect([operation, params]).toEqual([made.operation, made.params])
  })

  it('map any arguments to a call', () => {
    const odd: unknown[] = [null, 0, '', 'x', [], {}, true, { toString: 1 }, '__proto__']
    for (const { target, inputSchema } of TOOLS)
      for (const name of Object.keys(inputSchema.properties as object))
        for (const value of odd) {
          const { operation } = target({ [name]: value })
          if (operation !== undefined) expect(operations).toHaveProperty(operation)
        }
  })

  it('start the same job for the same arguments, and another one for another key', () => {
    const keyOf = (args: object) => {
      const made = tool('start_job').toCall({ type: 'search', filters: { zips: ['98109'] }, ...args })
      return typeof made === 'string' ? made : made.headers['idempotency-key']
    }
    expect(keyOf({})).toBe(keyOf({}))
    expect(keyOf({ limit: 60 })).not.toBe(keyOf({}))
    const filters = { price: { min: 1, max: 2 }, zips: ['98109'] }
    const reordered = { zips: ['98109'], price: { max: 2, min: 1 } }
    expect(keyOf({ limit: 60, filters: reordered })).toBe(keyOf({ filters, limit: 60 }))
    expect(keyOf({ all_listings: false, max_credits: 25 })).toBe(keyOf({}))
    for (const other of [{ all_listings: true }, { max_credits: 26 }, { filters }])
      expect(keyOf(other)).not.toBe(keyOf({}))
    expect(keyOf({ filters: { zips: ['2', '1'] } })).not.toBe(keyOf({ filters: { zips: ['1', '2'] } }))
    expect(keyOf({ idempotency_key: 'mine' })).toBe('mine')
  })
})

describe('a tool result that is too large', () => {
  const events = Array.from({ length: 200 }, (_, at) => ({ seq: at + 1, text: '"é"'.repeat(100) }))

  it('is cut at its list, and its cursor continues with the first omitted entry', () => {
    const cut = cutToSize(tool('read_watch_events'), { events, has_more: false, next_after: 200 })
    const kept = cut.events as { seq: number }[]
    expect(kept.length).toBeGreaterThan(10)
    expect(cut).toMatchObject({ has_more: true, next_after: kept.at(-1)!.seq, truncated_by: 'size' })
    expect(resultBytes(cut)).toBeLessThan(MAX_RESULT_BYTES)
  })

  it('continues a list that has offsets after the last entry it kept', () => {
    const cut = cutToSize(tool('get_property_part'), {
      part: 'photos',
      items: events,
      total: 500,
      offset: 40,
      next_offset: 240,
    })
    expect(cut.next_offset).toBe(40 + (cut.items as unknown[]).length)
  })

  it('omits the largest fields of a single record and names them', () => {
    const property = { zpid: '1', price: 1, photos: events, description: 'x'.repeat(100) }
    const cut = cutToSize(tool('get_property'), { property })
    expect(cut).toEqual({
      property: { zpid: '1', price: 1, description: 'x'.repeat(100) },
      omitted: ['photos'],
    })
  })

  it('keeps as many rows as fit, and at least one', () => {
    const contentOf = (rows: number) => ({ rows: events.slice(0, rows) })
    const kept = rowsThatFit(200, contentOf)
    expect(resultBytes(contentOf(kept))).toBeLessThan(MAX_RESULT_BYTES)
    expect(kept).toBeGreaterThan(30)
    expect(rowsThatFit(3, () => ({ rows: ['x'.repeat(MAX_RESULT_BYTES)] }))).toBe(1)
    expect(rowsThatFit(2, contentOf)).toBe(2)
  })
})
