// Words that the project dropped: names that newcomers had to decipher, and phrases that readers of English as a second
// language stumble over. GLOSSARY.md has the words to use instead.

import { isIn } from './folders.ts'
import { type Breach, lineAt, type Source } from './source.ts'

interface DroppedWord {
  readonly pattern: RegExp
  readonly use: string
}

/** Dropped words in identifiers. They are matched as whole identifiers, outside strings. */
const NAMES: readonly DroppedWord[] = [
  { pattern: /\b(House|buildHouse)\b/g, use: 'App, buildApp' },
  { pattern: /\b(Callers?|createCallers|CallerLeft)\b/g, use: 'Principal, ClientDisconnected' },
  { pattern: /\b\w*Traffic\w*\b/g, use: 'Limits' },
  { pattern: /\b(Standing|Presence|Membership)\b/g, use: 'ProcessLease, InstanceRegistry' },
  { pattern: /\b(createGate|Gate)\b/g, use: 'SendLock' },
  {
    pattern: /\b(Flights|Slots|createSlots|Circuit|Patience|Question|Loose)\b/g,
    use: 'the word of GLOSSARY.md',
  },
  { pattern: /\b(?:guard|Guard)(?:[A-Z]\w*)?\b/g, use: 'the resilience of a provider, or what it checks' },
  { pattern: /\b(?:Walk|walk|Door|door)\b/g, use: 'the word of GLOSSARY.md' },
  { pattern: /\b(MOST|LEAST|LONGEST)_[A-Z_]+\b/g, use: 'MAX_ or MIN_' },
]

/** Dropped phrases in texts for customers, integrators, and operators. */
const PHRASES: readonly DroppedWord[] = [
  { pattern: /\bwho(?:so)?ever\b/gi, use: 'a noun: "a client that …", "the operator"' },
  { pattern: /\b(?:hitherto|thereof|therein|whereof|would else|belongs? into)\b/gi, use: 'plain words' },
  { pattern: /\b(?:is|are|was|were|be|being) told (?:of|about|by|that)\b/gi, use: 'an active verb' },
  { pattern: /\bcannot be had\b/gi, use: '"is not available"' },
  { pattern: /\bget on with\b/gi, use: '"make progress"' },
  { pattern: /\bstands? (?:in|below|beside|for itself|alone)\b/gi, use: '"is listed in", "is in"' },
  { pattern: /(?:^|[.:;] )(?:Nobody|Somebody|Whoever|So many|Who has)\b/gm, use: 'a subject: "No client"' },
]

/** In comments, names of tests, texts of the command line, and SQL: what a reader of the code stumbles over. */
const REMARKS: readonly DroppedWord[] = [
  // In double quotes it is the user of a Unix system.
  {
    pattern: /(?<!")\b(?:nobody|who(?:so)?m?ever)\b/gi,
    use: 'the one who does it: "no client", "the worker that …"',
  },
  { pattern: /\b(?:hitherto|thereof|therein|whereof|would else)\b/gi, use: 'plain words' },
  { pattern: /\bcannot be had\b/gi, use: '"is not available"' },
  { pattern: /\bgets? on with\b/gi, use: '"make progress"' },
  {
    pattern: /\b(?:broken off|taken back|given up|told of|unchanging)\b/gi,
    use: '"cancelled", "requeued", "reported", "static"',
  },
  // A program can be told to stop, and two things can be told apart.
  {
    pattern: /\btold\b(?! (?:to|apart|from|otherwise)\b)(?!,? first)/gi,
    use: '"returned", "reported", "listed"',
  },
]

/** Dropped words in names of metrics and their labels. */
const METRICS: readonly DroppedWord[] = [
  { pattern: /\blotline_\w*(?:traffic|gate|standing|presence|caller)\w*/g, use: 'the word of GLOSSARY.md' },
  { pattern: /['"](?:question|given_up|broken_off)['"]/g, use: '"query", "cancelled"' },
]

const CODE = /^apps\/api\/src\/.*\.ts$/
const PROSE =
  /^(?:README|ARCHITECTURE|CONTRIBUTING|GLOSSARY)\.md$|^apps\/api\/guides\/.*\.md$|^spec\/(?!releases|examples).*\.yaml$/
const REMARKED = /^(?:apps|packages|tools)\/.*\.(?:[cm]?[jt]s|sql)$/
const isCli = (file: string) => isIn(file, ['cli'])
const isMetric = (file: string) => isIn(file, ['telemetry']) || file.startsWith('apps/api/deploy/')
/** Files that list the dropped words themselves. */
const LISTS = /dropped-words|GLOSSARY|^tools\/tidy\/test\/rules/

export function findDroppedWords(sources: readonly Source[]): Breach[] {
  return sources.flatMap(({ file, text }) => {
    if (LISTS.test(file)) return []
    return [
      ...(CODE.test(file) ? find(file, withoutStrings(text), NAMES) : []),
      ...(isMetric(file) ? find(file, text, METRICS) : []),
      ...(REMARKED.test(file) ? find(file, isCli(file) ? text : remarksOf(text), REMARKS) : []),
      ...(PROSE.test(file) ? find(file, text, PHRASES) : []),
    ]
  })
}

function find(file: string, text: string, dropped: readonly DroppedWord[]): Breach[] {
  return dropped.flatMap(({ pattern, use }) =>
    [...text.matchAll(pattern)].map((found) => ({
      file,
      line: lineAt(text, found.index),
      rule: `"${found[0]}" is a dropped word: use ${use}`,
    })),
  )
}

const COMMENT = /(?:^|\s)(?:\/\/|--)\s.*$|\/\*[\s\S]*?\*\//gm
/** The name of a test is the first string of the call, or of the call behind its table. */
const TEST_NAME =
  /\b(?:it|test|describe)(?:\.\w+)?\(\s*(['"`])(?:\\.|(?!\1)[^\\])*\1|^\s*\]\)\(\s*(['"`])(?:\\.|(?!\2)[^\\])*\2/gm

/** The same text with all but its comments and the names of its tests blanked out, line for line. */
function remarksOf(text: string): string {
  const kept = new Array<string>(text.length)
  for (let at = 0; at < text.length; at++) kept[at] = text[at] === '\n' ? '\n' : ' '
  for (const pattern of [COMMENT, TEST_NAME])
    for (const { 0: remark, index } of text.matchAll(pattern))
      for (let at = 0; at < remark.length; at++) kept[index + at] = remark[at]!
  return kept.join('')
}

/** Returns the text with the content of its strings blanked out, line for line. */
function withoutStrings(text: string): string {
  return text.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (string) => ' '.repeat(string.length))
}
