// THE SEARCHABLE FACTS: each filter on a fact of a home, declared once. From this table follow
//
// - how a body and the query of GET /v1/listings are read (search-filters.ts)
// - the columns of the data set, and how an import fills them (sources/dataset/listing-columns.ts, ingest/listing-batch.ts)
// - the SQL of a search (sources/dataset/search-statement.ts)
// - the facts of the change log, and what a watch matches (sources/dataset/change-log.ts, sources/dataset/matches.ts)
// - the check of the rows that a provider sends (sources/resilience/filter-contradiction.ts)
// - the tables of filters in the guides (guides/filter-table.ts, guides/listing-fields-table.ts)
//
// The compiler demands an entry for each filter of the contract. The SQL of the migrations is written by hand, and
// search/searchable-facts.test.ts compares it with the table. CONTRIBUTING.md has the recipe "Add a filter".

import type { Input, Property } from '@lotline/contract'
import { flag, number, object, text, type Unchecked } from '../record/coerce.ts'
import {
  hoaOf,
  isComingSoon,
  isPending,
  lotSizeOf,
  openUntil,
  SALE_TYPES,
  saleTypeOf,
  saysSaleType,
} from '../record/market-facts.ts'
import { findListedAt } from '../record/times.ts'
import { type DaysOnSite, HOME_TYPES, type Range, SOURCE_HOME_TYPES } from './filter-values.ts'

export type FilterInput = Input<'searchWithDetails'>['body']['filters']
export type ListingsInput = Input<'listListings'>['query']

/** Filters of the contract that say on which list and where a home is, with code of their own. `location` is only a note. */
type PlaceFilter = 'status' | 'bbox' | 'area' | 'zips' | 'cities' | 'location'
export type FilterName = Exclude<keyof FilterInput, PlaceFilter>

interface FilterDeclaration {
  /** The column of the data set that holds the fact, and its name in the change log. */
  readonly column: string
  /** The parameter of GET /v1/listings, for a range without `_min` and `_max`. null: only a body has the filter. */
  readonly query: string | null
  /** The words of the guide for it. */
  readonly about: string
  /** The indexes of areas hold the column, so that counting an area does not read the table. */
  readonly indexed?: true
  /** Watches of one area mostly differ in this range: a home outside of it is not compared with their other filters. */
  readonly band?: true
}

/** A number within bounds. A home without the number is not found. */
interface RangeFilter extends FilterDeclaration {
  readonly kind: 'range'
  readonly read: (record: Unchecked) => number | null
}

/** True or false. An unknown fact is stored as false; null: the record does not say. */
interface FlagFilter extends FilterDeclaration {
  readonly kind: 'flag'
  readonly says: (record: Unchecked) => boolean | null
}

/** True or false: whether another filter's column has a certain word. */
interface WordFlagFilter extends FilterDeclaration {
  readonly kind: 'word-flag'
  readonly word: string
  readonly says: (record: Unchecked) => boolean | null
}

/** One of some words. */
interface WordsFilter<Word extends string> extends FilterDeclaration {
  readonly kind: 'words'
  readonly words: readonly Word[]
  /** How the column and the sources spell the words. Absent: in the same way. */
  readonly spelling?: Readonly<Record<Word, string>>
  /** The value of the column. */
  readonly read: (record: Unchecked) => string | null
  /** The word that the record says, if it is one of those that can be asked for. */
  readonly says: (record: Unchecked) => string | null
}

/** An instant that is at most some time ago. Time alone changes the result. */
interface AgeFilter extends FilterDeclaration {
  readonly kind: 'age'
  /** ISO 8601. */
  readonly read: (record: Unchecked) => string | null
}

/** True or false: whether an instant is still to come. Time alone changes the result. */
interface UntilFilter extends FilterDeclaration {
  readonly kind: 'until'
  /** ISO 8601; null: there is none. */
  readonly read: (record: Unchecked) => string | null
  /** Whether the record says anything of it. */
  readonly isSaid: (record: Unchecked) => boolean
}

export type Filter = RangeFilter | FlagFilter | WordFlagFilter | WordsFilter<string> | AgeFilter | UntilFilter

/** The filters that can have a value of the contract. */
type FilterOf<Value> = Value extends boolean
  ? FlagFilter | WordFlagFilter | UntilFilter
  : Value extends readonly (infer Word extends string)[]
    ? WordsFilter<Word>
    : Value extends string
      ? AgeFilter
      : RangeFilter

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

/** The parameter that the contract has for a filter. */
type QueryNameOf<Name extends FilterName> =
  Extract<keyof ListingsInput, Snake<Name> | `${Snake<Name>}_min`> extends never ? null : Snake<Name>

/** In the order in which a search and its statement have them: those that leave few homes first. */
export const FILTERS = {
  price: {
    kind: 'range',
    column: 'price',
    query: 'price',
    indexed: true,
    band: true,
    about: 'price in dollars: asking price, monthly rent, or sale price',
    read: ({ price }) => number(price),
  },
  beds: {
    kind: 'range',
    column: 'beds',
    query: 'beds',
    indexed: true,
    about: 'bedrooms; a studio has 0',
    read: ({ bedrooms }) => number(bedrooms),
  },
  baths: {
    kind: 'range',
    column: 'baths',
    query: 'baths',
    indexed: true,
    about: 'bathrooms; a half bath counts as 0.5',
    read: ({ bathrooms }) => number(bathrooms),
  },
  sqft: {
    kind: 'range',
    column: 'sqft',
    query: 'sqft',
    indexed: true,
    about: 'living area in square feet',
    read: ({ livingArea, livingAreaValue }) => number(livingArea) ?? number(livingAreaValue),
  },
  yearBuilt: {
    kind: 'range',
    column: 'year_built',
    query: 'year_built',
    indexed: true,
    about: 'year of construction',
    read: ({ yearBuilt }) => number(yearBuilt),
  },
  lotSize: {
    kind: 'range',
    column: 'lot_size',
    query: 'lot_size',
    about: 'size of the lot in square feet',
    read: lotSizeOf,
  },
  hoa: {
    kind: 'range',
    column: 'hoa',
    query: 'hoa',
    about: "homeowners' association (HOA) fees in dollars a month; 0 if the home has no association",
    read: hoaOf,
  },
  homeTypes: {
    kind: 'words',
    column: 'home_type',
    query: 'home_types',
    indexed: true,
    words: HOME_TYPES,
    spelling: SOURCE_HOME_TYPES,
    about: 'type of home',
    read: homeTypeOf,
    // A word that is none of these may be the source's own for a type that was asked for.
    says: (record) => asWordOf(SOURCE_WORDS, text(record.homeType)),
  },
  daysOnSite: {
    kind: 'age',
    column: 'listed_at',
    query: 'days_on_site',
    indexed: true,
    about: 'time since the home was listed or sold',
    read: (record) => findListedAt(record as Property)?.toISOString() ?? null,
  },
  saleTypes: {
    kind: 'words',
    column: 'sale_type',
    query: 'sale_types',
    indexed: true,
    words: SALE_TYPES,
    about: 'how the home is sold',
    read: saleTypeOf,
    says: (record) => (saysSaleType(record) ? saleTypeOf(record) : null),
  },
  hasPool: {
    kind: 'flag',
    column: 'has_pool',
    query: null,
    indexed: true,
    about: 'a private pool',
    says: (record) => flag(record.hasPool) ?? flag(resoFactsOf(record).hasPrivatePool),
  },
  hasGarage: {
    kind: 'flag',
    column: 'has_garage',
    query: null,
    indexed: true,
    about: 'a garage',
    says(record) {
      const facts = resoFactsOf(record)
      return flag(record.hasGarage) ?? flag(facts.hasGarage) ?? flag(facts.hasAttachedGarage)
    },
  },
  isWaterfront: {
    kind: 'flag',
    column: 'is_waterfront',
    query: null,
    indexed: true,
    about: 'homes on the waterfront',
    // RESO's WaterfrontYN goes by this name in records; a view of water is another field.
    says: (record) => flag(record.isWaterfront) ?? flag(resoFactsOf(record).hasWaterfrontView),
  },
  pending: {
    kind: 'flag',
    column: 'is_pending',
    query: 'pending',
    indexed: true,
    about: 'pending sales (an offer was accepted)',
    says: (record) => (text(record.homeStatus) === null ? null : isPending(record)),
  },
  comingSoon: {
    kind: 'word-flag',
    column: 'sale_type',
    word: 'coming_soon',
    query: 'coming_soon',
    about: 'homes that are announced and not yet on the market',
    says: (record) => (text(record.homeStatus) === null ? null : isComingSoon(record)),
  },
  openHouse: {
    kind: 'until',
    column: 'open_until',
    query: 'open_house',
    about: 'homes with an open house that has not ended',
    read: (record) => openUntil(record as Property),
    // A record without a list of open houses does not say that there is none.
    isSaid: ({ openHouseSchedule }) => Array.isArray(openHouseSchedule),
  },
  seniorCommunity: {
    kind: 'flag',
    column: 'is_senior',
    query: 'senior_community',
    about: 'communities with a minimum age',
    says: (record) => flag(resoFactsOf(record).isSeniorCommunity),
  },
} as const satisfies {
  readonly [Name in FilterName]: FilterOf<NonNullable<FilterInput[Name]>> & {
    readonly query: QueryNameOf<Name>
  }
}

type FilterTable = typeof FILTERS

/** The value of a filter in a search. */
type ValueOf<Declaration> = Declaration extends { readonly kind: 'range' }
  ? Range
  : Declaration extends { readonly kind: 'words'; readonly words: readonly (infer Word)[] }
    ? readonly Word[]
    : Declaration extends { readonly kind: 'age' }
      ? DaysOnSite
      : boolean

/** The filters of one search. All that are present must hold. */
export type FilterValues = { readonly [Name in FilterName]?: ValueOf<FilterTable[Name]> }

export type FilterEntry = readonly [name: FilterName, filter: Filter]

/** Made once: searches and rows are judged by the thousand. */
export const FILTER_ENTRIES = Object.entries(FILTERS) as readonly FilterEntry[]

/** Words of a search as the column and the sources spell them. */
export function spelledWords(
  { spelling }: Pick<WordsFilter<string>, 'spelling'>,
  words: readonly string[],
): readonly string[] {
  return spelling ? words.map((word) => spelling[word]!) : words
}

/** The filters whose result changes without a change of a home. */
export const TIMED_FILTERS = FILTER_ENTRIES.flatMap(([name, { kind }]) =>
  kind === 'age' || kind === 'until' ? [name] : [],
)

type BandName = { [Name in FilterName]: FilterTable[Name] extends { band: true } ? Name : never }[FilterName]

/** The filter with `band`. */
export const BAND = FILTER_ENTRIES.find(([, { band }]) => band)![0] as BandName

// The facts: a column for each filter but those that share the column of another.

/** The value of a column. */
type FactOf<Declaration> = Declaration extends { readonly kind: 'flag' }
  ? boolean
  : Declaration extends { readonly read: (record: Unchecked) => infer Fact }
    ? Fact
    : never
type FactName = {
  [Name in FilterName]: FilterTable[Name] extends { kind: 'word-flag' } ? never : Name
}[FilterName]

/** The facts of a home by their columns. */
export type FactsByColumn = {
  readonly [Name in FactName as FilterTable[Name]['column']]: FactOf<FilterTable[Name]>
}
/** The same in camelCase, as the code that makes columns of a record names them. */
export type SearchableFacts = {
  readonly [Name in FactName as Camel<FilterTable[Name]['column']>]: FactOf<FilterTable[Name]>
}

export interface FactColumn {
  readonly column: keyof FactsByColumn
  readonly field: keyof SearchableFacts
  readonly type: 'double precision' | 'text' | 'timestamptz' | 'boolean'
  readonly indexed: boolean
  readonly read: (record: Unchecked) => unknown
}

const TYPES = {
  range: 'double precision',
  words: 'text',
  age: 'timestamptz',
  until: 'timestamptz',
  flag: 'boolean',
} as const

export const FACT_COLUMNS: readonly FactColumn[] = FILTER_ENTRIES.flatMap(([, filter]) => {
  if (filter.kind === 'word-flag') return []
  const { kind, column, indexed = false } = filter
  const read = kind === 'flag' ? (record: Unchecked) => filter.says(record) ?? false : filter.read
  const field = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return [{ column, field, type: TYPES[kind], indexed, read } as FactColumn]
})

/** All facts of a record, as the data set keeps them beside it. They never say anything that the record does not. */
export function searchableFactsOf(record: Property): SearchableFacts {
  const facts: Partial<Record<keyof SearchableFacts, unknown>> = {}
  for (const { field, read } of FACT_COLUMNS) facts[field] = read(record)
  return facts as SearchableFacts
}

const SOURCE_WORDS: ReadonlySet<string> = new Set(Object.values(SOURCE_HOME_TYPES))

function asWordOf(words: ReadonlySet<string>, word: string | null): string | null {
  return word !== null && words.has(word) ? word : null
}

/** null for what could not be one of the source's words: it has a place in the record, but none in an index. */
function homeTypeOf(record: Unchecked): string | null {
  const homeType = text(record.homeType)
  return homeType !== null && /^\w{1,60}$/.test(homeType) ? homeType : null
}

function resoFactsOf(record: Unchecked): Unchecked {
  return object(record.resoFacts) ?? {}
}
