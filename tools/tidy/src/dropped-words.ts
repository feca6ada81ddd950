// Words that the project dropped: names that newcomers had to decipher, and phrases that readers of English as a second
// language stumble over. GLOSSARY.md has the words to use instead.

import { type Breach, lineAt, type Source } from './source.ts'

interface Dropped {
  readonly pattern: RegExp
  readonly use: string
}

/** In names of code. Matched as whole identifiers, outside of strings. */
const NAMES: readonly Dropped[] = [
  { pattern: /\b(House|buildHouse)\b/g, use: 'App, buildApp' },
  { pattern: /\b(Callers?|createCallers|CallerLeft)\b/g, use: 'Principal, ClientDisconnected' },
  { pattern: /\b\w*Traffic\w*\b/g, use: 'Limits' },
  { pattern: /\b(Standing|Presence|Membership)\b/g, use: 'ProcessLease, InstanceRegistry' },
  { pattern: /\b(createGate|Gate)\b/g, use: 'SendLock' },
  {
    pattern: /\b(Flights|Slots|createSlots|Circuit|Patience|Question|Loose)\b/g,
    use: 'the word of GLOSSARY.md',
  },
  { pattern: /\b(MOST|LEAST|LONGEST)_[A-Z_]+\b/g, use: 'MAX_ or MIN_' },
]

/** In sentences that customers, integrators, and operators read. */
const PHRASES: readonly Dropped[] = [
  { pattern: /\bwho(?:so)?ever\b/gi, use: 'a noun: "a client that …", "the operator"' },
  { pattern: /\b(?:hitherto|thereof|therein|whereof|would else|belongs? into)\b/gi, use: 'plain words' },
  { pattern: /\b(?:is|are|was|were|be|being) told (?:of|about|by|that)\b/gi, use: 'an active verb' },
  { pattern: /\bcannot be had\b/gi, use: '"is not available"' },
  { pattern: /\bget on with\b/gi, use: '"make progress"' },
  { pattern: /\bstands? (?:in|below|beside|for itself|alone)\b/gi, use: '"is listed in", "is in"' },
  { pattern: /(?:^|[.:;] )(?:Nobody|Somebody|Whoever|So many|Who has)\b/gm, use: 'a subject: "No client"' },
]

const CODE = /^apps\/api\/src\/.*\.ts$/
const PROSE =
  /^(?:README|ARCHITECTURE|CONTRIBUTING|GLOSSARY)\.md$|^apps\/api\/guides\/.*\.md$|^spec\/(?!releases|examples).*\.yaml$/
/** Where the words are listed. */
const LISTS = /dropped-words|GLOSSARY/

export function findDroppedWords(sources: readonly Source[]): Breach[] {
  return sources.flatMap(({ file, text }) => {
    if (LISTS.test(file)) return []
    if (CODE.test(file)) return find(file, withoutStrings(text), NAMES)
    return PROSE.test(file) ? find(file, text, PHRASES) : []
  })
}

function find(file: string, text: string, dropped: readonly Dropped[]): Breach[] {
  return dropped.flatMap(({ pattern, use }) =>
    [...text.matchAll(pattern)].map((found) => ({
      file,
      line: lineAt(text, found.index),
      rule: `"${found[0]}" is a dropped word: use ${use}`,
    })),
  )
}

/** The same text with the content of its strings blanked out, line for line. */
function withoutStrings(text: string): string {
  return text.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (string) => ' '.repeat(string.length))
}
