/**
 * Addresses as listings write them: "1745 T St SE" for the "1745 T Street Southeast" of the public
 * data, and the slugs that listing URLs are made of.
 */
const directions: Record<string, string> = {
  North: 'N',
  South: 'S',
  East: 'E',
  West: 'W',
  Northeast: 'NE',
  Northwest: 'NW',
  Southeast: 'SE',
  Southwest: 'SW',
}

/** Street suffixes and their postal abbreviations (USPS Publication 28). */
const suffixes: Record<string, string> = {
  Alley: 'Aly',
  Avenue: 'Ave',
  Boulevard: 'Blvd',
  Circle: 'Cir',
  Court: 'Ct',
  Cove: 'Cv',
  Crossing: 'Xing',
  Drive: 'Dr',
  Highway: 'Hwy',
  Lane: 'Ln',
  Parkway: 'Pkwy',
  Place: 'Pl',
  Plaza: 'Plz',
  Point: 'Pt',
  Ridge: 'Rdg',
  Road: 'Rd',
  Square: 'Sq',
  Street: 'St',
  Terrace: 'Ter',
  Trail: 'Trl',
  Turnpike: 'Tpke',
}

/** A street's name in postal abbreviations: "South Bell Avenue" → "S Bell Ave". */
export function abbreviateStreet(street: string): string {
  const words = street.split(' ')
  const after: string[] = []
  const trailing = directions[words.at(-1)!]
  // "North Street" and "Avenue East" keep their words: a name must stay before what is shortened.
  if (trailing && words.length > 2) {
    words.pop()
    after.unshift(trailing)
  }
  const suffix = suffixes[words.at(-1)!]
  if (suffix && words.length > 1) {
    words.pop()
    after.unshift(suffix)
  }
  const leading = directions[words[0]!]
  if (leading && words.length > 1) words[0] = leading
  return [...words, ...after].join(' ')
}

/** "2114-Bigelow-Ave-N": what stands between the slashes of a listing's URL. */
export function slug(text: string): string {
  return text
    .replaceAll("'", '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** "seattle-wa". */
export function citySlug(city: string, state: string): string {
  return slug(`${city} ${state}`).toLowerCase()
}
