// Places: named areas that searches can use.

import type { PlaceKind } from '@lotline/contract/checks'

/** The facts of a place without its boundary. */
export interface PlaceEntry {
  readonly kind: PlaceKind
  /** The source's id, unique within the kind: a ZIP code, a GEOID. */
  readonly id: string
  readonly name: string
  readonly county: string | null
  /** Two letters. */
  readonly state: string | null
  /** The source of the boundary. */
  readonly source: string
  /** The year or version of the boundary. */
  readonly vintage: string
}

/** A place as responses name it. */
export type PlaceInfo = Pick<PlaceEntry, 'kind' | 'id' | 'name' | 'source' | 'vintage'>

export function infoOf({ kind, id, name, source, vintage }: PlaceInfo): PlaceInfo {
  return { kind, id, name, source, vintage }
}

/** Names of kinds that a name may end with, as in "King County". */
const KIND_NAMES =
  / (county|parish|borough|census area|municipality|city and borough|municipio|planning region)$/

/** The form in which names are compared: without case, accents, and punctuation, and without the name of its kind at the end. */
export function nameKey(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^saint /, 'st ')
  return plain.replace(KIND_NAMES, '') || plain
}

/** A name as a client writes it: "King County, WA" and "King County, Washington" also name the state. */
export interface AskedName {
  readonly key: string
  /** Two letters. Absent: any state. */
  readonly state?: string
}

/** The possible readings of a name. With a comma there are two: the text after it may be a state, or a part of the name. */
export function readName(text: string): AskedName[] {
  const whole = { key: nameKey(text) }
  const comma = text.lastIndexOf(',')
  const state = comma < 0 ? undefined : stateCode(text.slice(comma + 1))
  return state === undefined ? [whole] : [{ key: nameKey(text.slice(0, comma)), state }, whole]
}

/** The two letters of a state, from these or from its name. undefined: there is no such state. */
export function stateCode(text: string): string | undefined {
  const letters = text.trim().toUpperCase()
  return Object.hasOwn(STATE_NAMES, letters) ? letters : CODES.get(nameKey(text))
}

/** States and territories by their two letters, in the names of us-atlas. */
const STATE_NAMES = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  AS: 'American Samoa',
  GU: 'Guam',
  PR: 'Puerto Rico',
  VI: 'United States Virgin Islands',
  MP: 'Commonwealth of the Northern Mariana Islands',
}
const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(STATE_NAMES).map(([code, name]) => [nameKey(name), code]),
)
