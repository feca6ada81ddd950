// THE SEARCHABLE FACTS: each filter on a fact of a home, declared once. From this table follow
//
// - how a body and the query of GET /v1/listings are read (search-filters.ts)
// - the columns of the data set, and how an import fills them (sources/dataset/listing-columns.ts, listings/listing-batch.ts)
// - the SQL of a search (sources/dataset/search-statement.ts)
// - the facts of the change log, and what a watch matches (sources/dataset/change-log.ts, sources/dataset/matches.ts)
// - the check of the rows that a provider sends (sources/resilience/filter-contradiction.ts)
// - the tables of filters in the guides (guides/filter-table.ts, guides/listing-fields-table.ts)
//
// The compiler demands an entry for each filter of the contract. The SQL of the migrations is written by hand, and
// search/searchable-facts.test.ts compares it with the table. CONTRIBUTING.md has the recipe "Add a filter".
// Why: decisions/domain/searchable-facts-are-declared-once.md

import type { Input, Property } from '@lotline/contract'
import { asFlag, number, object, text, type UncheckedFields } from '../record/coerce.ts'
import {
  isComingSoon,
  isPending,
  openUntil,
  readLotSizeSqft,
  readMonthlyHoaFee,
  readSaleType,
  SALE_TYPES,
  statesSaleType,
} from '../record/market-facts.ts'
import { findListedAt } from '../record/times.ts'
import { type DaysOnSite, HOME_TYPES, type NumberRange, SOURCE_HOME_TYPES } from './filter-values.ts'

type FiltersBody = Input<'searchWithDetails'>['body']['filters']
type QueryParameters = Input<'listListings'>['query']

/** Filters on the list and the place of a home, which have code of their own. `location` is only a note. */
type PlaceFilter = 'status' | 'bbox' | 'area' | 'zips' | 'cities' | 'location'
export type FilterName = Exclude<keyof FiltersBody, PlaceFilter>

interface FilterDeclaration {
  /** The column of the data set that has the fact, which is also its name in the change log. */
  readonly column: string
  /** The parameter of GET /v1/listings, for a range without `_min` and `_max`. null: only a body has the filter. */
  readonly query: string | null
  /** The fact that the filter selects by, for the guide. */
  readonly about: string
  /** The indexes of areas contain the column, so that counting an area does not read the table. */
  readonly indexed?: true
  /** Watches of one area mostly differ in this range. A home outside the range is not compared with their other filters. */
  readonly band?: true
}

/** A number within bounds. A search does not find a home without the number. */
interface RangeFilter extends FilterDeclaration {
  readonly kind: 'range'
  readonly read: (record: UncheckedFields) => number | null
}

/** True or false. An unknown value is stored as false. null: the record has no value. */
interface FlagFilter extends FilterDeclaration {
  readonly kind: 'flag'
  readonly says: (record: UncheckedFields) => boolean | null
}

/** True or false: whether the column of another filter has a certain word. */
interface WordFlagFilter extends FilterDeclaration {
  readonly kind: 'word-flag'
  readonly word: string
  readonly says: (record: UncheckedFields) => boolean | null
}

/** One of several words. */
interface WordsFilter<Word extends string> extends FilterDeclaration {
  readonly kind: 'words'
  readonly words: readonly Word[]
  /** The spelling of the words in the column and in the sources. Absent: the same. */
  readonly spelling?: Readonly<Record<Word, string>>
  /** The value of the column. */
  readonly read: (record: UncheckedFields) => string | null
  /** The word of the record, if it is one that a search can name. */
  readonly says: (record: UncheckedFields) => string | null
}

/** An instant that is at most a certain time ago. The result changes with time alone. */
interface AgeFilter extends FilterDeclaration {
  readonly kind: 'age'
  /** ISO 8601. */
  readonly read: (record: UncheckedFields) => string | null
}

/** True or false: whether an instant is in the future. The result changes with time alone. */
interface UntilFilter extends FilterDeclaration {
  readonly kind: 'until'
  /** ISO 8601. null: there is none. */
  readonly read: (record: UncheckedFields) => string | null
  /** Whether the record has any value for it. */
  readonly isSaid: (record: UncheckedFields) => boolean
}

export type Filter = RangeFilter | FlagFilter | WordFlagFilter | WordsFilter<string> | AgeFilter | UntilFilter

/** The filters that fit a value of the contract. */
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

/** The query parameter of a filter in the contract. */
type QueryNameOf<Name extends FilterName> =
  Extract<keyof QueryParameters, Snake<Name> | `${Snake<Name>}_min`> extends never ? null : Snake<Name>

/** The order is that of a search and its SQL: filters that leave few homes come first. */
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
    read: readLotSizeSqft,
  },
  hoa: {
    kind: 'range',
    column: 'hoa',
    query: 'hoa',
    about: "homeowners' association (HOA) fees in dollars a month; 0 if the home has no association",
    read: readMonthlyHoaFee,
  },
  homeTypes: {
    kind: 'words',
    column: 'home_type',
    query: 'home_types',
    indexed: true,
    words: HOME_TYPES,
    spelling: SOURCE_HOME_TYPES,
    about: 'type of home',
    read: readHomeType,
    // Another word may be the source's own name for a type in the search.
    says: (record) => asKnownWord(SOURCE_WORDS, text(record.homeType)),
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
    read: readSaleType,
    says: (record) => (statesSaleType(record) ? readSaleType(record) : null),
  },
  hasPool: {
    kind: 'flag',
    column: 'has_pool',
    query: null,
    indexed: true,
    about: 'a private pool',
    says: (record) => asFlag(record.hasPool) ?? asFlag(readResoFacts(record).hasPrivatePool),
  },
  hasGarage: {
    kind: 'flag',
    column: 'has_garage',
    query: null,
    indexed: true,
    about: 'a garage',
    says(record) {
      const facts = readResoFacts(record)
      return asFlag(record.hasGarage) ?? asFlag(facts.hasGarage) ?? asFlag(facts.hasAttachedGarage)
    },
  },
  isWaterfront: {
    kind: 'flag',
    column: 'is_waterfront',
    query: null,
    indexed: true,
    about: 'homes on the waterfront',
    // Records call RESO's WaterfrontYN by this name. A view of water is another field.
    says: (record) => asFlag(record.isWaterfront) ?? asFlag(readResoFacts(record).hasWaterfrontView),
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
    // A record without a list of open houses does not say that there are none.
    isSaid: ({ openHouseSchedule }) => Array.isArray(openHouseSchedule),
  },
  seniorCommunity: {
    kind: 'flag',
    column: 'is_senior',
    query: 'senior_community',
    about: 'communities with a minimum age',
    says: (record) => asFlag(readResoFacts(record).isSeniorCommunity),
  },
} as const satisfies {
  readonly [Name in FilterName]: FilterOf<NonNullable<FiltersBody[Name]>> & {
    readonly query: QueryNameOf<Name>
  }
}

type FilterTable = typeof FILTERS

/** The value of a filter in a search. */
type ValueOf<Declaration> = Declaration extends { readonly kind: 'range' }
  ? NumberRange
  : Declaration extends { readonly kind: 'words'; readonly words: readonly (infer Word)[] }
    ? readonly Word[]
    : Declaration extends { readonly kind: 'age' }
      ? DaysOnSite
      : boolean

/** The filters of one search. All that are present must hold. */
export type FilterValues = { readonly [Name in FilterName]?: ValueOf<FilterTable[Name]> }

export type FilterEntry = readonly [name: FilterName, filter: Filter]

/** Computed once, because searches and rows are compared by the thousand. */
export const FILTER_ENTRIES = Object.entries(FILTERS) as readonly FilterEntry[]

/** The words of a search in the spelling of the column and the sources. */
export function spelledWords(
  { spelling }: Pick<WordsFilter<string>, 'spelling'>,
  words: readonly string[],
): readonly string[] {
  return spelling ? words.map((word) => spelling[word]!) : words
}

/** The filters whose result changes although no home changes. */
export const TIMED_FILTERS = FILTER_ENTRIES.flatMap(([name, { kind }]) =>
  kind === 'age' || kind === 'until' ? [name] : [],
)

type BandName = { [Name in FilterName]: FilterTable[Name] extends { band: true } ? Name : never }[FilterName]

/** The filter with `band`. */
export const BAND = FILTER_ENTRIES.find(([, { band }]) => band)![0] as BandName

// The facts: a column for each filter but those that share the column of another.

/** The type of a column's value. */
type FactOf<Declaration> = Declaration extends { readonly kind: 'flag' }
  ? boolean
  : Declaration extends { readonly read: (record: UncheckedFields) => infer Fact }
    ? Fact
    : never
type FactName = {
  [Name in FilterName]: FilterTable[Name] extends { kind: 'word-flag' } ? never : Name
}[FilterName]

/** The facts of a home by their columns. */
export type FactsByColumn = {
  readonly [Name in FactName as FilterTable[Name]['column']]: FactOf<FilterTable[Name]>
}
/** The searchable facts in camelCase, the form of the code that derives columns from a record. */
export type SearchableFacts = {
  readonly [Name in FactName as Camel<FilterTable[Name]['column']>]: FactOf<FilterTable[Name]>
}

export interface FactColumn {
  readonly column: keyof FactsByColumn
  readonly field: keyof SearchableFacts
  readonly type: 'double precision' | 'text' | 'timestamptz' | 'boolean'
  readonly indexed: boolean
  readonly read: (record: UncheckedFields) => unknown
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
  const read = kind === 'flag' ? (record: UncheckedFields) => filter.says(record) ?? false : filter.read
  const field = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return [{ column, field, type: TYPES[kind], indexed, read } as FactColumn]
})

/** All facts of a record, as the data set stores them beside it. They contain nothing that the record does not. */
export function readSearchableFacts(record: Property): SearchableFacts {
  const facts: Partial<Record<keyof SearchableFacts, unknown>> = {}
  for (const { field, read } of FACT_COLUMNS) facts[field] = read(record)
  return facts as SearchableFacts
}

const SOURCE_WORDS: ReadonlySet<string> = new Set(Object.values(SOURCE_HOME_TYPES))

function asKnownWord(words: ReadonlySet<string>, word: string | null): string | null {
  return word !== null && words.has(word) ? word : null
}

/** null if the value cannot be one of the source's words: it stays in the record, but the index has no place for it. */
function readHomeType(record: UncheckedFields): string | null {
  const homeType = text(record.homeType)
  return homeType !== null && /^\w{1,60}$/.test(homeType) ? homeType : null
}

function readResoFacts(record: UncheckedFields): UncheckedFields {
  return object(record.resoFacts) ?? {}
}
