// Tools that find homes and read their records. They are charged at once.

import type { OperationId } from '../generated/operations.ts'
import type { Tool } from './tool.ts'
import {
  call,
  choose,
  continueAt,
  countSchema,
  describePrice,
  fieldsInput,
  fromMeta,
  given,
  inputSchema,
  limitInput,
  maxCredits,
  offsetInput,
  outputSchema,
  READ_ONLY_HINTS,
  RECORD_SCHEMA,
  ROW_SCHEMA,
  SOURCE_SCHEMA,
  UNIT_SCHEMA,
  zpid,
} from './tool-parts.ts'
import { contractSchema, pickProperties, propertySchema } from './tool-schemas.ts'

/** The parts of a record by the name that the tool has for them. */
const PART_OPERATIONS: Readonly<Record<string, OperationId>> = {
  photos: 'getPropertyPhotos',
  price_history: 'getPropertyPriceHistory',
  tax_history: 'getPropertyTaxHistory',
  schools: 'getPropertySchools',
  nearby: 'getPropertyNearby',
  agent: 'getPropertyAgent',
  zestimate: 'getPropertyZestimate',
  open_houses: 'getPropertyOpenHouses',
  facts: 'getPropertyFacts',
}

export const searchListings: Tool = {
  name: 'search_listings',
  title: 'Search listings',
  description: `Finds homes for sale, for rent, or sold in an area. filters needs zips, cities, bbox, or area. Rows have the main facts; fields adds more. next_cursor leads to the next page. ${describePrice('searchListings')}`,
  inputSchema: inputSchema(
    {
      filters: contractSchema('SearchFilters'),
      sort: { ...propertySchema('SearchRequest', 'sort'), default: 'newest' },
      cursor: {
        type: 'string',
        maxLength: 500,
        description: 'next_cursor of the page before. Repeat the other arguments.',
      },
      limit: limitInput(50, 25),
      fields: fieldsInput('a search row'),
      max_credits: maxCredits,
    },
    ['filters'],
  ),
  outputSchema: outputSchema(
    {
      rows: { type: 'array', items: pickProperties('SearchRow', ROW_SCHEMA) },
      count: countSchema('The number of rows here.'),
      total: countSchema('The number of listings that match. Absent if it is not known.'),
      next_cursor: { type: 'string', description: 'cursor of the next page. Absent on the last one.' },
      ...SOURCE_SCHEMA,
    },
    ['rows', 'count', 'credits_charged'],
  ),
  annotations: { ...READ_ONLY_HINTS },
  judgedByApi: ['filters', 'sort', 'cursor'],
  target: () => ({ operation: 'searchListings' }),
  toCall: (args) =>
    call('searchListings', args, {
      body: given({ filters: args.filters, sort: args.sort, cursor: args.cursor, maxItems: args.limit }),
    }),
  toContent: ({ data, meta }, args) => ({
    rows: (data as unknown[]).map((row) => choose(row, ROW_SCHEMA, args)),
    ...fromMeta(meta, 'count', 'total', 'next_cursor', 'truncated_by', 'source'),
  }),
  pages: {
    list: 'rows',
    request: (args, { rows, credits, cursor }) => ({ ...args, limit: rows, max_credits: credits, cursor }),
  },
}

export const getProperty: Tool = {
  name: 'get_property',
  title: 'Get a property',
  description: `Returns the record of one home by exactly one of zpid, url, or address. The main facts by default; fields adds more, and get_property_part returns photos, histories, schools and other parts. The price is the same for records of any size. By zpid: ${describePrice('getProperty')} By url: ${describePrice('getPropertyByUrl')} By address: ${describePrice('getPropertyByAddress')}`,
  inputSchema: inputSchema({
    zpid,
    url: { type: 'string', maxLength: 2048, description: 'The URL of the listing.' },
    address: {
      type: 'string',
      maxLength: 300,
      description: 'The address in one line, with the city or ZIP code.',
    },
    fields: fieldsInput('the record'),
    max_credits: maxCredits,
  }),
  outputSchema: outputSchema({ property: pickProperties('Property', RECORD_SCHEMA), ...SOURCE_SCHEMA }, [
    'property',
    'credits_charged',
  ]),
  annotations: { ...READ_ONLY_HINTS },
  judgedByApi: ['zpid', 'url', 'address'],
  target({ zpid: id, url, address }) {
    if (id === undefined && url !== undefined) return { operation: 'getPropertyByUrl' }
    if (id === undefined && address !== undefined) return { operation: 'getPropertyByAddress' }
    return { operation: 'getProperty', params: { zpid: id } }
  },
  toCall(args) {
    const ways = ['zpid', 'url', 'address'].filter((name) => args[name] !== undefined)
    if (ways.length !== 1) return 'Send exactly one of zpid, url, and address.'
    const more = (args.fields as string[] | undefined) ?? []
    const query: Record<string, string> = more.includes('*')
      ? {}
      : { fields: [...new Set([...RECORD_SCHEMA, ...more])].join(',') }
    if (args.zpid !== undefined)
      return call('getProperty', args, { params: { zpid: String(args.zpid) }, query })
    return args.url !== undefined
      ? call('getPropertyByUrl', args, { query: { url: String(args.url), ...query } })
      : call('getPropertyByAddress', args, { query: { address: String(args.address), ...query } })
  },
  toContent: ({ data, meta }) => ({ property: data, ...fromMeta(meta, 'source') }),
}

export const getPropertyPart: Tool = {
  name: 'get_property_part',
  title: 'Get a part of a property',
  description: `Returns one part of the record of a home: ${Object.keys(PART_OPERATIONS).join(', ')}. Lists are in items, and next_offset leads to the rest; every call is charged. ${describePrice(...Object.values(PART_OPERATIONS))}`,
  inputSchema: inputSchema(
    {
      zpid,
      part: { type: 'string', enum: Object.keys(PART_OPERATIONS), description: 'The part to return.' },
      limit: limitInput(200, 50),
      offset: offsetInput,
      max_credits: maxCredits,
    },
    ['zpid', 'part'],
  ),
  outputSchema: outputSchema(
    {
      part: { type: 'string', enum: Object.keys(PART_OPERATIONS) },
      items: {
        type: 'array',
        items: { type: 'object' },
        description: 'The entries of a part that is a list.',
      },
      item: { type: ['object', 'null'], description: 'The part, if it is not a list.' },
      total: countSchema('The number of entries of the whole list.'),
      offset: countSchema('The offset of the entries here.'),
      next_offset: countSchema('offset of the next entries. Absent if there are none.'),
      ...SOURCE_SCHEMA,
    },
    ['part', 'credits_charged'],
  ),
  annotations: { ...READ_ONLY_HINTS },
  judgedByApi: ['zpid'],
  target: ({ zpid: id, part }) => ({
    operation:
      typeof part === 'string' && Object.hasOwn(PART_OPERATIONS, part) ? PART_OPERATIONS[part] : undefined,
    params: { zpid: id },
  }),
  toCall: (args) => call(PART_OPERATIONS[String(args.part)]!, args, { params: { zpid: String(args.zpid) } }),
  toContent({ data, meta }, { part, offset: from, limit }) {
    const source = fromMeta(meta, 'source')
    if (!Array.isArray(data)) return { part, item: data, ...source }
    const items = data.slice(Number(from), Number(from) + Number(limit))
    const next = Number(from) + items.length
    return {
      part,
      items,
      total: data.length,
      offset: from,
      ...(next < data.length && items.length > 0 && { next_offset: next }),
      ...source,
    }
  },
  list: { name: 'items', rest: continueAt },
}

export const getBuildingUnits: Tool = {
  name: 'get_building_units',
  title: 'Get the units of a building',
  description: `Returns the units of a building by its URL. If not all of them are here, next_cursor leads to the others; start_job with the URL in urls and extract_units returns all at once. ${describePrice('getBuildingUnits')}`,
  inputSchema: inputSchema(
    {
      url: { type: 'string', maxLength: 2048, description: 'The URL of the building.' },
      include_units: {
        type: 'string',
        default: 'all',
        description: 'all, for_sale, for_rent, recently_sold, or off_market.',
      },
      cursor: {
        type: 'string',
        maxLength: 500,
        description: 'next_cursor of the result before. Repeat the other arguments.',
      },
      fields: fieldsInput('a unit'),
      max_credits: maxCredits,
    },
    ['url'],
  ),
  outputSchema: outputSchema(
    {
      units: { type: 'array', items: pickProperties('BuildingUnit', UNIT_SCHEMA) },
      count: countSchema('The number of units here, without the record of the building itself.'),
      next_cursor: { type: 'string', description: 'cursor of the next units. Absent if there are none.' },
      ...SOURCE_SCHEMA,
    },
    ['units', 'count', 'credits_charged'],
  ),
  annotations: { ...READ_ONLY_HINTS },
  judgedByApi: ['url', 'include_units', 'cursor'],
  target: () => ({ operation: 'getBuildingUnits' }),
  toCall: ({ url, include_units, cursor, ...args }) =>
    call('getBuildingUnits', args, {
      query: {
        url: String(url),
        include_units: String(include_units),
        sync: 'true',
        ...(cursor !== undefined && { cursor: String(cursor) }),
      },
    }),
  toContent: ({ data, meta }, args) => ({
    units: (data as { units: unknown[] }).units.map((unit) => choose(unit, UNIT_SCHEMA, args)),
    ...fromMeta(meta, 'count', 'next_cursor', 'truncated_by', 'source'),
  }),
  pages: {
    list: 'units',
    // A unit costs 1 credit, so the limit of the credits is one of the rows.
    request: (args, { rows, credits, cursor }) => ({ ...args, max_credits: Math.min(rows, credits), cursor }),
  },
}
