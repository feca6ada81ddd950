// What several tools have in common: arguments, fields of results, and prices.

import { type OperationId, operations } from '../generated/operations.ts'
import { priceInWords } from '../price-in-words.ts'
import { type Arguments, type Content, DEFAULT_MAX_CREDITS, type ToolCall } from './tool.ts'
import { type JsonSchema, resultSchema } from './tool-schemas.ts'

/** The fields of a search row that are always there. */
export const ROW_SCHEMA = [
  'zpid',
  'address',
  'unformattedPrice',
  'beds',
  'baths',
  'area',
  'homeType',
  'statusType',
  'latLong',
  'detailUrl',
  'brokerName',
  'source',
  'withheld',
]
/** The fields of a record that are always there. */
export const RECORD_SCHEMA = [
  'zpid',
  'homeType',
  'homeStatus',
  'address',
  'price',
  'bedrooms',
  'bathrooms',
  'livingArea',
  'lotSize',
  'yearBuilt',
  'description',
  'zestimate',
  'rentZestimate',
  'monthlyHoaFee',
  'taxAssessedValue',
  'lastSoldPrice',
  'dateSold',
  'datePosted',
  'daysOnSite',
  'latitude',
  'longitude',
  'parcelId',
  'brokerageName',
  'photoCount',
]
export const UNIT_SCHEMA = [
  'zpid',
  'unitNumber',
  'price',
  'minPrice',
  'maxPrice',
  'beds',
  'baths',
  'sqft',
  'homeStatus',
  'availableFrom',
  'source',
  'withheld',
]
export const READ_ONLY_HINTS = {
  readOnlyHint: true,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: true,
}

export const zpid = {
  type: 'string',
  pattern: '^[0-9]{1,20}$',
  description: 'The id of the home, digits only.',
}
export const maxCredits = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: DEFAULT_MAX_CREDITS,
  description:
    'The most credits that this call may cost. Rows are cut at it. If not even one row fits, the call is refused with max_credits_exceeded, which names the credits that it needs.',
}
export const fieldsInput = (what: string) => ({
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 100 },
  maxItems: 100,
  description: `Further fields of ${what} by their names in the API, for example in /openapi.json. ["*"] returns all.`,
})
export const countSchema = (description: string) => ({ type: 'integer', minimum: 0, description })
export const limitInput = (most: number, fallback: number) => ({
  type: 'integer',
  minimum: 1,
  maximum: most,
  default: fallback,
  description: 'The most rows to return.',
})
export const offsetInput = {
  type: 'integer',
  minimum: 0,
  maximum: 1_000_000,
  default: 0,
  description: 'How many rows to skip: `next_offset` of the result before.',
}

/** In results that show homes: what must be shown with them. */
export const SOURCE_SCHEMA = { source: resultSchema('DataSource') }

/** Named in every result. */
const CHARGED_SCHEMA = {
  credits_charged: countSchema('The credits that this call has cost.'),
  credits_remaining: countSchema('The credits that the account can spend after this call.'),
  truncated_by: {
    type: 'string',
    description:
      'Why rows were left out: max_credits, credits, key_limit, size (the result would have been too large), or error (the next rows could not be read). Absent if none were.',
  },
  omitted: {
    type: 'array',
    items: { type: 'string' },
    description:
      'Fields that were left out because the result would have been too large. Get them with fields, or with get_property_part, in a further call, which is charged too.',
  },
}

export function inputSchema(properties: Record<string, unknown>, required: readonly string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false } as const
}

/** Of a result with `isError`. Clients of the SDK 1 compare it with the output schema, too. */
const REFUSED_SCHEMA = {
  code: { type: 'string', description: 'Of an error: its code, as in the API.' },
  message: { type: 'string', description: 'Of an error: what was wrong and what to do.' },
}

export function outputSchema(properties: Record<string, JsonSchema>, required: readonly string[]) {
  return {
    type: 'object',
    properties: { ...properties, ...CHARGED_SCHEMA, ...REFUSED_SCHEMA },
    anyOf: [{ required }, { required: ['code', 'message'] }],
  } as const
}

export function describePrice(...ids: readonly OperationId[]): string {
  const prices = [...new Set(ids.map((id) => priceInWords(operations[id])))]
  return `Price in credits: ${prices.join('; or ')}.`
}

export const FREE_PRICE_TEXT = 'Price: free.'

/** A call with the client's limit, where the operation takes it. */
export function call(operation: OperationId, args: Arguments, made: Partial<ToolCall> = {}): ToolCall {
  const { params = {}, query = {}, headers = {}, body } = made
  const { max_credits: limit } = args
  const limited = limit === undefined ? headers : { ...headers, 'x-max-credits': String(limit) }
  return { operation, params, query, headers: limited, ...(body && { body }) }
}

/** Without the entries that are undefined. */
export function given(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

export function choose(row: unknown, names: readonly string[], args: Arguments): Content {
  const more = (args.fields as string[] | undefined) ?? []
  if (more.includes('*')) return row as Content
  const chosen = new Set([...names, ...more])
  return Object.fromEntries(Object.entries(row as Content).filter(([name]) => chosen.has(name)))
}

/** The rest of a list that was cut begins behind the rows that were kept. */
export function continueAt(content: Content, kept: number): Content {
  return { ...content, next_offset: Number(content.offset) + kept }
}

export const fromMeta = (meta: Content | undefined, ...names: readonly string[]): Content =>
  given(Object.fromEntries(names.map((name) => [name, meta?.[name]])))
