// The RESO Data Dictionary as Lotline uses it: dictionary.yaml (the standard field of each field of a record) and lookups.yaml (the
// standard values), with the operator's overrides for the local names of one feed.

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The forms in which a record stores a value. */
const FIELD_KINDS = [
  'text',
  'list',
  'list_as_text',
  'number',
  'number_as_text',
  'area_as_text',
  'flag',
  'date',
] as const
export type FieldKind = (typeof FIELD_KINDS)[number]

export interface MappedField {
  readonly name: string
  readonly kind: FieldKind
  /** Paths of the record, each as its steps. Never empty. */
  readonly paths: readonly (readonly string[])[]
}

export interface Dictionary {
  /** The fields that are copied, by name. */
  readonly fields: ReadonlyMap<string, MappedField>
  /** A text about the use of each other field. */
  readonly computed: ReadonlyMap<string, string>
  /** `homeStatus` by StandardStatus. */
  readonly status: Meanings<string>
  /** `homeType` by PropertySubType or PropertyType. */
  readonly homeType: Meanings<string>
  readonly paymentsAYear: Meanings<number>
  /** By the name of the field. A field without an entry has no standard lookups. */
  readonly lookups: ReadonlyMap<string, LookupValues>
}

/** The standard values of one field, by `lookupKey`. The operator's own values map to standard ones. */
export type LookupValues = ReadonlyMap<string, string>

/** The meanings of values, by `lookupKey`, in the order of the file. */
export type Meanings<Value> = ReadonlyMap<string, { readonly name: string; readonly means: Value }>

/** The sections that a file of overrides, or the dictionary itself, may have. */
type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const SECTIONS: ReadonlySet<string> = new Set([
  ...FIELD_KINDS,
  'computed',
  'status',
  'home_type',
  'payments_a_year',
  'lookups',
])

/** Equal for both spellings of a lookup: `ActiveUnderContract` of an enumeration and `Active Under Contract` of the Lookup resource. */
export function lookupKey(value: string): string {
  return value.toLowerCase().replace(/[^a-z0-9]+/g, '')
}

let standard: Dictionary | undefined

/** The dictionary without overrides. Read on first use. */
export function standardDictionary(): Dictionary {
  standard ??= compile(readSections('dictionary.yaml'), readSections('lookups.yaml'))
  return standard
}

function readSections(file: string): Sections {
  return parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Sections
}

/** A file of overrides that cannot be used. The message names the place and the allowed values. */
export class OverridesFault extends Error {
  override readonly name = 'OverridesFault'
}

/**
 * The standard dictionary with an operator's overrides: YAML of the form of dictionary.yaml.
 *
 * @param name of the file, for messages
 * @param isKnownPath whether the contract knows a path of a record
 * @throws {OverridesFault}
 */
export function readOverrides(
  yaml: string,
  name: string,
  isKnownPath: (path: readonly string[]) => boolean,
): Dictionary {
  const refuse = (reason: string): never => {
    throw new OverridesFault(`${name} cannot be used: ${reason}.`)
  }
  let sections: unknown
  try {
    sections = parse(yaml)
  } catch (error) {
    return refuse(`the file is not valid YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  if (!isMap(sections)) return refuse('it must be a map of sections, such as `text:`')
  for (const [section, entries] of Object.entries(sections)) {
    if (!SECTIONS.has(section) || section === 'computed')
      return refuse(`the section "${section}" is unknown. Use one of ${allowedSections()}`)
    if (!isMap(entries)) return refuse(`${section} must be a map`)
    for (const [field, value] of Object.entries(entries)) {
      const fault = findMeaningFault(section, value, isKnownPath)
      if (fault !== undefined) return refuse(`${section}.${field} ${fault}`)
    }
  }
  return merge(standardDictionary(), compile(sections as Sections, {}), sections as Sections)
}

function allowedSections(): string {
  return [...SECTIONS].filter((section) => section !== 'computed').join(', ')
}

function findMeaningFault(
  section: string,
  value: unknown,
  isKnownPath: (path: readonly string[]) => boolean,
): string | undefined {
  switch (section) {
    case 'lookups':
      return isMap(value) && Object.values(value).every((to) => typeof to === 'string')
        ? undefined
        : 'must be a map of local values to standard ones'
    case 'status':
    case 'home_type':
      return typeof value === 'string' ? undefined : 'must be a text'
    case 'payments_a_year':
      return typeof value === 'number' && value > 0 ? undefined : 'must be a number above 0'
    default: {
      if (value === null) return undefined
      const paths = [value].flat()
      if (paths.length === 0 || !paths.every((path) => typeof path === 'string'))
        return 'must be a path of a record, several of them, or null'
      // Lotline assigns the zpid.
      const unknown = paths.find((path) => path === 'zpid' || !isKnownPath(path.split('.')))
      return unknown === undefined
        ? undefined
        : `names "${unknown}", which is not a field of a record that a feed may fill`
    }
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function compile(sections: Sections, lookups: Sections): Dictionary {
  const fields = new Map<string, MappedField>()
  for (const kind of FIELD_KINDS) {
    for (const [name, value] of Object.entries(sections[kind] ?? {})) {
      if (value === null) continue
      const paths = [value as string | string[]].flat().map((path) => path.split('.'))
      fields.set(name, { name, kind, paths })
    }
  }
  const meanings = <Value>(section: string): Meanings<Value> =>
    new Map(
      Object.entries(sections[section] ?? {}).map(([name, means]) => [
        lookupKey(name),
        { name, means: means as Value },
      ]),
    )
  const values = new Map<string, LookupValues>()
  for (const [name, standardValues] of Object.entries(lookups)) {
    const texts = standardValues as unknown as readonly string[]
    values.set(name, new Map(texts.map((text) => [lookupKey(text), text])))
  }
  for (const [name, local] of Object.entries(sections.lookups ?? {})) {
    const pairs = Object.entries(local as Readonly<Record<string, string>>)
    const more = pairs.map(([from, to]) => [lookupKey(from), to] as const)
    values.set(name, new Map([...(values.get(name) ?? []), ...more]))
  }
  return {
    fields,
    computed: new Map(Object.entries(sections.computed ?? {})) as Map<string, string>,
    status: meanings('status'),
    homeType: meanings('home_type'),
    paymentsAYear: meanings('payments_a_year'),
    lookups: values,
  }
}

/** @param sections of the overrides, for the names that they leave out */
function merge(one: Dictionary, other: Dictionary, sections: Sections): Dictionary {
  const both = <Value>(of: (from: Dictionary) => ReadonlyMap<string, Value>) =>
    new Map([...of(one), ...of(other)])
  const fields = both(({ fields }) => fields)
  for (const kind of FIELD_KINDS) {
    for (const [name, value] of Object.entries(sections[kind] ?? {})) if (value === null) fields.delete(name)
  }
  const lookups = new Map(one.lookups)
  for (const [name, local] of other.lookups)
    lookups.set(name, new Map([...(lookups.get(name) ?? []), ...local]))
  return {
    fields,
    computed: one.computed,
    status: both(({ status }) => status),
    homeType: both(({ homeType }) => homeType),
    paymentsAYear: both(({ paymentsAYear }) => paymentsAYear),
    lookups,
  }
}
