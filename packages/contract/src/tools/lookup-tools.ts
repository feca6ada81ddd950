// Tools that find homes and read their records. They are charged at once.

import type { OperationId } from '../generated/operations.ts'
import type { Tool } from './tool.ts'
import {
  call,
  choose,
  continueAt,
  count,
  fieldsOf,
  fromMeta,
  given,
  input,
  limitOf,
  maxCredits,
  offset,
  output,
  priceOf,
  READS,
  RECORD,
  ROW,
  SOURCE,
  UNIT,
  zpid,
} from './tool-parts.ts'
import { pick, propertyOf, schemaOf } from './tool-schemas.ts'

/** The parts of a record by the name that the tool has for them. */
const PARTS: Readonly<Record<string, OperationId>> = {
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
  description: `Finds homes for sale, for rent, or sold in an area. filters needs zips, cities, bbox, or area. Rows have the main facts; fields adds more. next_cursor leads to the next page. ${priceOf('searchListings')}`,
  inputSchema: input(
    {
      filters: schemaOf('SearchFilters'),
      sort: { ...propertyOf('SearchRequest', 'sort'), default: 'newest' },
      cursor: {
        type: 'string',
        maxLength: 500,
        description: 'next_cursor of the page before. Repeat the other arguments.',
      },
      limit: limitOf(50, 25),
      fields: fieldsOf('a search row'),
      max_credits: maxCredits,
    },
    ['filters'],
  ),
  outputSchema: output(
    {
      rows: { type: 'array', items: pick('SearchRow', ROW) },
      count: count('The number of rows here.'),
      total: count('The number of listings that match. Absent if it is not known.'),
      next_cursor: { type: 'string', description: 'cursor of the next page. Absent on the last one.' },
      ...SOURCE,
    },
    ['rows', 'count', 'credits_charged'],
  ),
  annotations: { ...READS },
  judgedByApi: ['filters', 'sort', 'cursor'],
  target: () => ({ operation: 'searchListings' }),
  toCall: (args) =>
    call('searchListings', args, {
      body: given({ filters: args.filters, sort: args.sort, cursor: args.cursor, maxItems: args.limit }),
    }),
  toContent: ({ data, meta }, args) => ({
    rows: (data as unknown[]).map((row) => choose(row, ROW, args)),
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
  description: `Returns the record of one home by exactly one of zpid, url, or address. The main facts by default; fields adds more, and get_property_part returns photos, histories, schools and other parts. The price is the same for records of any size. By zpid: ${priceOf('getProperty')} By url: ${priceOf('getPropertyByUrl')} By address: ${priceOf('getPropertyByAddress')}`,
  inputSchema: input({
    zpid,
    url: { type: 'string', maxLength: 2048, description: 'The URL of the listing.' },
    address: {
      type: 'string',
      maxLength: 300,
      description: 'The address in one line, with the city or ZIP code.',
    },
    fields: fieldsOf('the record'),
    max_credits: maxCredits,
  }),
  outputSchema: output({ property: pick('Property', RECORD), ...SOURCE }, ['property', 'credits_charged']),
  annotations: { ...READS },
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
      : { fields: [...new Set([...RECORD, ...more])].join(',') }
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
  description: `Returns one part of the record of a home: ${Object.keys(PARTS).join(', ')}. Lists are in items, and next_offset leads to the rest; every call is charged. ${priceOf(...Object.values(PARTS))}`,
  inputSchema: input(
    {
      zpid,
      part: { type: 'string', enum: Object.keys(PARTS), description: 'The part to return.' },
      limit: limitOf(200, 50),
      offset,
      max_credits: maxCredits,
    },
    ['zpid', 'part'],
  ),
  outputSchema: output(
    {
      part: { type: 'string', enum: Object.keys(PARTS) },
      items: {
        type: 'array',
        items: { type: 'object' },
        description: 'The entries of a part that is a list.',
      },
      item: { type: ['object', 'null'], description: 'The part, if it is not a list.' },
      total: count('The number of entries of the whole list.'),
      offset: count('The offset of the entries here.'),
      next_offset: count('offset of the next entries. Absent if there are none.'),
      ...SOURCE,
    },
    ['part', 'credits_charged'],
  ),
  annotations: { ...READS },
  judgedByApi: ['zpid'],
  target: ({ zpid: id, part }) => ({
    operation: typeof part === 'string' && Object.hasOwn(PARTS, part) ? PARTS[part] : undefined,
    params: { zpid: id },
  }),
  toCall: (args) => call(PARTS[String(args.part)]!, args, { params: { zpid: String(args.zpid) } }),
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
  description: `Returns the units of a building by its URL. If not all of them are here, next_cursor leads to the others; start_job with the URL in urls and extract_units returns all at once. ${priceOf('getBuildingUnits')}`,
  inputSchema: input(
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
      fields: fieldsOf('a unit'),
      max_credits: maxCredits,
    },
    ['url'],
  ),
  outputSchema: output(
    {
      units: { type: 'array', items: pick('BuildingUnit', UNIT) },
      count: count('The number of units here, without the record of the building itself.'),
      next_cursor: { type: 'string', description: 'cursor of the next units. Absent if there are none.' },
      ...SOURCE,
    },
    ['units', 'count', 'credits_charged'],
  ),
  annotations: { ...READS },
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
    units: (data as { units: unknown[] }).units.map((unit) => choose(unit, UNIT, args)),
    ...fromMeta(meta, 'count', 'next_cursor', 'truncated_by', 'source'),
  }),
  pages: {
    list: 'units',
    // A unit costs 1 credit, so the limit of the credits is one of the rows.
    request: (args, { rows, credits, cursor }) => ({ ...args, max_credits: Math.min(rows, credits), cursor }),
  },
}
