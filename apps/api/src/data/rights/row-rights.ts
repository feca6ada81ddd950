// Reads the rights that a row of a file states, under the names of the RESO Data Dictionary: fields of an NDJSON record, or columns of a
// CSV file, including columns that its mapping does not use. The rules are those of feeds (listing-rights.ts). A value that is neither yes
// nor no counts as no, and its row is rejected, so that the operator sees it.
// Why: decisions/data/unreadable-flags.md

import { isObject, plainName, withoutAddress } from '../../domain/record.ts'
import {
  type PropertyReader,
  readFlag,
  readProperty,
  readText,
  standardDictionary,
} from '../../domain/reso.ts'
import { type ListingRights, rightsOf, type WithheldReason, withoutAddressOf } from './listing-rights.ts'

/** Flags whose value yes permits. */
const FLAGS = ['InternetEntireListingDisplayYN', 'InternetAddressDisplayYN', 'MlgCanView'] as const
const STATUSES = ['StandardStatus', 'MlsStatus'] as const
/** The fields with the street. The texts of a record without address must not repeat it. */
const STREETS = ['UnparsedAddress', 'StreetNumber', 'StreetNumberNumeric', 'StreetName'] as const
const RIGHTS = [...FLAGS, 'MlgCanUse', 'isUndisclosedAddress', ...STATUSES] as const
const NAMES = [...RIGHTS, ...STREETS] as const

export type RightsName = (typeof NAMES)[number]

/** All values of a row for each name: a mapping may read a column in a second way. */
export type StatedRights = Partial<Record<RightsName, readonly unknown[]>>

/** The reason why nothing of a row may be stored. */
export type RowWithheldReason = WithheldReason | 'deleted'

/** For reports: the end of a sentence about the row. */
export const WITHHELD_REASONS: Readonly<Record<RowWithheldReason, string>> = {
  display_forbidden: 'may not be shown: InternetEntireListingDisplayYN is false',
  use_not_permitted: 'may not be shown: MlgCanUse does not list the use of the source (--use)',
  office_missing: 'may not be shown without the name of its listing office',
  incomplete: 'is not finished: StandardStatus is Incomplete',
  deleted: 'is deleted: MlgCanView is false, or the status is Delete',
}

/** The part of a home that a row forbids to show: everything, or its address. */
export type Restriction = 'listing' | 'address'

export interface RowRights {
  /** undefined: the row may be stored. */
  readonly withheld: RowWithheldReason | undefined
  readonly isAddressHidden: boolean
  /** A value that is neither yes nor no: the end of a sentence about the row. */
  readonly fault: string | undefined
  /** The restriction without the values that are not understood. */
  readonly plain: Restriction | undefined
  /** The values of the row, under standard names. */
  readonly property: PropertyReader
}

/** Counts of the rights in the rows of an import. */
export interface RightsCounts {
  readonly withheld: Partial<Record<RowWithheldReason, number>>
  addressesHidden: number
  readonly fields: Set<string>
  /** The first row with a value that is not understood, for a message. */
  firstUnread?: string
}

export function newRightsCounts(): RightsCounts {
  return { withheld: {}, addressesHidden: 0, fields: new Set() }
}

/** The value of a cell that its mapping cannot read. */
export const UNREADABLE = 'a value that the mapping does not know'

const BY_PLAIN_NAME: ReadonlyMap<string, RightsName> = new Map(NAMES.map((name) => [plainName(name), name]))

/** Caches the names of fields: an import reads millions of records with the same names. */
const known = new Map<string, RightsName | null>()
const MAX_KNOWN = 10_000

/** The standard name of a field or column, however it is capitalized or spaced. undefined: it is no right. */
export function rightsNameOf(name: string): RightsName | undefined {
  let found = known.get(name)
  if (found === undefined) {
    found = BY_PLAIN_NAME.get(plainName(name)) ?? null
    if (known.size < MAX_KNOWN) known.set(name, found)
  }
  return found ?? undefined
}

/** Whether yes and no are understood without a rule of the mapping. */
export function isFlagName(name: RightsName): boolean {
  return name === 'isUndisclosedAddress' || (FLAGS as readonly string[]).includes(name)
}

/** The rights in the fields of a record. undefined: none that could restrict it. */
export function statedIn(record: unknown): StatedRights | undefined {
  if (!isObject(record)) return undefined
  let stated: Partial<Record<RightsName, unknown[]>> | undefined
  for (const field in record) {
    const name = rightsNameOf(field)
    if (name === undefined) continue
    const value = record[field]
    // Most records have this field of the contract without a restriction.
    if (name === 'isUndisclosedAddress' && (value === false || value === null)) continue
    stated ??= {}
    const values = stated[name] ?? []
    stated[name] = values
    values.push(value)
  }
  return stated
}

/** The names under which the values state a right. */
export function rightsFieldsIn(stated: StatedRights): readonly RightsName[] {
  return RIGHTS.filter((name) => stated[name] !== undefined)
}

/** Whether an import reads a field or column of this name as a right, whatever its mapping says. */
export function isRightsField(field: string): boolean {
  const name = rightsNameOf(field)
  return name !== undefined && (RIGHTS as readonly string[]).includes(name)
}

/** Removes the fields that only state permissions from a record: they are no facts of the home. */
export function dropRights(record: Record<string, unknown>): void {
  for (const field in record) {
    const name = rightsNameOf(field)
    if (name === 'MlgCanUse' || (name !== undefined && (FLAGS as readonly string[]).includes(name)))
      delete record[field]
  }
}

/**
 * Judges the values. undefined: they restrict nothing.
 *
 * @param use that the source is configured for, such as `IDX`
 */
export function judgeRights(
  stated: StatedRights | undefined,
  use: string | undefined,
): RowRights | undefined {
  if (stated === undefined) return undefined
  const faults: string[] = []
  let isUnderstood = true
  const property = readStated(stated, (name, value) => {
    isUnderstood = false
    if (name !== 'MlgCanUse') faults.push(faultOf(name, value))
    return true
  })
  const rights = rightsOf(property, FILE_PROFILE, use)
  const restriction = restrictionOf(rights)
  if (restriction === undefined && faults.length === 0) return undefined
  const plain = isUnderstood
    ? restriction
    : restrictionOf(
        rightsOf(
          readStated(stated, () => false),
          FILE_PROFILE,
          use,
        ),
      )
  return { ...rights, fault: faults[0], plain, property }
}

/** The terms of a file: its rows state everything that they permit. */
const FILE_PROFILE = { mediaLinks: false }

function restrictionOf({ withheld, isAddressHidden }: ListingRights): Restriction | undefined {
  return withheld !== undefined ? 'listing' : isAddressHidden ? 'address' : undefined
}

/** The record without its address, if the row or the record says that it may not be shown. Otherwise undefined. */
export function withoutHiddenAddress(
  record: Record<string, unknown>,
  rights: RowRights | undefined,
): Record<string, unknown> | undefined {
  if (!rights?.isAddressHidden && record.isUndisclosedAddress !== true) return undefined
  return rights ? withoutAddressOf(record, rights.property) : withoutAddress(record)
}

/**
 * The values of a row, under standard names.
 *
 * @param takesUnread whether a value that is not understood counts as a restriction
 */
function readStated(
  stated: StatedRights,
  takesUnread: (name: RightsName, value: unknown) => boolean,
): PropertyReader {
  const values: Record<string, unknown> = {}
  for (const name of FLAGS) {
    const flag = strictest(stated[name], false)
    if (flag && (flag.isUnderstood || takesUnread(name, flag.value))) values[name] = flag.value
  }
  const undisclosed = strictest(stated.isUndisclosedAddress, true)
  if (
    undisclosed &&
    readFlag(undisclosed.value) !== false &&
    (undisclosed.isUnderstood || takesUnread('isUndisclosedAddress', undisclosed.value))
  )
    values.InternetAddressDisplayYN = false
  const uses = stated.MlgCanUse
  if (uses?.length && (uses.every(isListOfUses) || takesUnread('MlgCanUse', uses)))
    values.MlgCanUse = usesIn(uses)
  for (const name of STATUSES) {
    const texts = (stated[name] ?? []).flatMap((value) => readText(value) ?? [])
    values[name] = texts.find((text) => /^(?:deleted?|incomplete)$/i.test(text)) ?? texts[0]
  }
  for (const name of STREETS) values[name] = stated[name]?.find((value) => readText(value) !== undefined)
  return readProperty(values, standardDictionary())
}

/** The value that restricts most. undefined: the row has no value. */
function strictest(
  values: readonly unknown[] = [],
  restricting: boolean,
): { readonly value: unknown; readonly isUnderstood: boolean } | undefined {
  const stated = values.filter(
    (value) =>
      readText(value) !== undefined ||
      (value !== null && typeof value === 'object') ||
      typeof value === 'boolean',
  )
  if (stated.length === 0) return undefined
  const strict = stated.find((value) => readFlag(value) === restricting)
  if (strict !== undefined) return { value: strict, isUnderstood: true }
  const unread = stated.find((value) => readFlag(value) === undefined)
  return unread === undefined
    ? { value: stated[0], isUnderstood: true }
    : { value: unread, isUnderstood: false }
}

function faultOf(name: RightsName, value: unknown): string {
  const shown = JSON.stringify(value)
  return (
    `has a value in ${name} that is neither yes nor no: ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}. ` +
    'It counts as a restriction until it is corrected'
  )
}

/** Whether a value can be read as uses: a text, a list of texts, or nothing. */
function isListOfUses(value: unknown): boolean {
  return value === null || (value !== UNREADABLE && [value].flat().every((each) => typeof each === 'string'))
}

/** The uses that all values permit, in any form of a list: `IDX,VOW`, `["IDX", "VOW"]`, `IDX; VOW`. */
function usesIn(values: readonly unknown[]): readonly string[] {
  const lists = values.map((value) =>
    [value]
      .flat()
      .flatMap((each) => (typeof each === 'string' ? each.toUpperCase().split(/[^A-Z0-9]+/) : [])),
  )
  return lists[0]!.filter((use) => use !== '' && lists.every((list) => list.includes(use)))
}
