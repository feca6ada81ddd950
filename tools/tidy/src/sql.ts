// Reads the effects of SQL from its text: the tables that it writes and the functions that it calls.

import { UNKNOWN } from './texts.ts'

/** A statement, or part of one, that writes a table. */
export interface Write {
  readonly index: number
  readonly verb: 'insert' | 'update' | 'delete' | 'merge' | 'truncate' | 'copy' | 'alter' | 'drop'
  /** The table name without its schema and quotes. undefined if the text does not contain it. */
  readonly table: string | undefined
  /** Columns that an update sets. Empty for other verbs. */
  readonly columns: readonly string[]
}

/** A function of the schema, as its last definition in the migrations leaves it. */
export interface SqlFunction {
  readonly name: string
  readonly file: string
  readonly index: number
  readonly writes: readonly Write[]
  /** Names followed by a parenthesis, functions of PostgreSQL too. */
  readonly calls: readonly string[]
}

const IDENTIFIER = String.raw`(?:"[^"]+"|[a-z_][\w$]*)`
const WRITE = new RegExp(
  String.raw`\b(insert\s+into|(?<!\b(?:for|key|do|on|or|after|before|grant|select,|insert,)\s+)update|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy|alter\s+table|drop\s+table)\s+(?:only\s+|if\s+exists\s+)*((?:${IDENTIFIER}\s*\.\s*)?(?:${IDENTIFIER}|%[Is]|'|${UNKNOWN}|$)(?:\s*,\s*${IDENTIFIER})*)`,
  'gi',
)
/** Words after `update` that are not a table name. */
const NO_TABLE = /^(?:set|of|on|or|skip|nowait)$/i
const UNNAMED = new RegExp(`^(?:%[is]|'|${UNKNOWN}|)$`, 'i')

export function writesIn(sql: string): Write[] {
  const text = withoutComments(sql)
  return [...text.matchAll(WRITE)].flatMap(({ index, 0: whole, 1: verbs, 2: names }) => {
    const verb = /^[a-z]+/i.exec(verbs!)![0].toLowerCase() as Write['verb']
    if (verb === 'copy' && !/^\s*(?:\([^)]*\)\s*)?from\b/i.test(text.slice(index + whole.length))) return []
    const columns = verb === 'update' ? columnsSet(text.slice(index + whole.length)) : []
    const all = verb === 'truncate' || verb === 'drop' ? names!.split(',') : [names!.split(',')[0]!]
    return all.flatMap((name): Write[] => {
      const last = name.trim().split('.').at(-1)!.trim()
      if (NO_TABLE.test(last)) return []
      const table = UNNAMED.test(last) ? undefined : last.replaceAll('"', '').toLowerCase()
      return [{ index, verb, table, columns }]
    })
  })
}

/** The names before the equals signs of `set`, up to the end of the statement. */
function columnsSet(after: string): string[] {
  const set = /^\s*(?:as\s+)?(?:\w+\s+)?set\b/i.exec(after)
  if (!set) return []
  const clause = splitAtDepth(after.slice(set[0].length))
  return clause.flatMap((part) => {
    const [, list] = /^\s*\(([^)]*)\)\s*=/.exec(part) ?? []
    const [, one] = /^\s*"?(\w+)"?\s*=/.exec(part) ?? []
    return list ? list.split(',').map((name) => name.trim().toLowerCase()) : one ? [one.toLowerCase()] : []
  })
}

/** The assignments of `set`: split at the commas that are in no parenthesis, up to `where`, `from`, `returning`, or the end. */
function splitAtDepth(clause: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [word] of clause.matchAll(/\w+|[\s\S]/g)) {
    if (word === '(') depth++
    if (word === ')' && --depth < 0) break
    if (depth === 0 && /^(?:where|from|returning|;)$/i.test(word)) break
    if (depth === 0 && word === ',') parts.push('')
    else parts[parts.length - 1] += word
  }
  return parts
}

export function callsIn(sql: string): string[] {
  return [...withoutComments(sql).matchAll(/"?\b([a-z_]\w*)\b"?\s*\(/gi)].map(([, name]) =>
    name!.toLowerCase(),
  )
}

const FUNCTION = new RegExp(
  String.raw`\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\s+(?:${IDENTIFIER}\s*\.\s*)?("?)([a-z_]\w*)\1\s*\(`,
  'gi',
)
const DROPPED = /\bdrop\s+(?:function|procedure)\s+(?:if\s+exists\s+)?(?:\w+\.)?"?([a-z_]\w*)"?/gi

/** @param migrations in the order in which they run */
export function readFunctions(
  migrations: readonly { readonly file: string; readonly text: string }[],
): SqlFunction[] {
  const functions = new Map<string, SqlFunction>()
  for (const { file, text } of migrations) {
    const sql = withoutComments(text)
    const found = [...sql.matchAll(FUNCTION)].map((match) => ({
      index: match.index,
      name: match[2]!.toLowerCase(),
      match,
    }))
    const dropped = [...sql.matchAll(DROPPED)].map((match) => ({
      index: match.index,
      name: match[1]!.toLowerCase(),
      match: undefined,
    }))
    for (const { index, name, match } of [...found, ...dropped].toSorted((a, b) => a.index - b.index)) {
      if (!match) functions.delete(name)
      else {
        const body = bodyAt(sql, index + match[0].length)
        functions.set(name, { name, file, index, writes: writesIn(body), calls: callsIn(body) })
      }
    }
  }
  return [...functions.values()]
}

/** What is between the quotes of `as $$ … $$`, between those of `as '…'`, or up to the end of `begin atomic … end` or `return …;`. */
function bodyAt(sql: string, from: number): string {
  const rest = sql.slice(from)
  const dollar = /\bas\s+(\$\w*\$)([\s\S]*?)\1/i.exec(rest)
  const quoted = /\bas\s+'((?:[^']|'')*)'/i.exec(rest)
  const atomic = /\bbegin\s+atomic\b([\s\S]*?)\bend\s*;|\breturn\s([^;]*);/i.exec(rest)
  const first = [dollar, quoted, atomic]
    .filter((one) => one !== null)
    .toSorted((a, b) => a.index - b.index)[0]
  return first ? (first === dollar ? first[2]! : (first[1] ?? first[2] ?? '')) : rest
}

/** Triggers: the table whose changes call the function. */
export function triggersIn(
  sql: string,
): { readonly index: number; readonly table: string; readonly called: string }[] {
  const pattern =
    /\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s+[^;]*?\bon\s+(?:\w+\.)?"?(\w+)"?[^;]*?\bexecute\s+(?:function|procedure)\s+(?:\w+\.)?"?(\w+)/gi
  return [...withoutComments(sql).matchAll(pattern)].map(({ index, 1: table, 2: called }) => ({
    index,
    table: table!.toLowerCase(),
    called: called!.toLowerCase(),
  }))
}

/** Returns the text with its comments blanked out, character for character. */
export function withoutComments(sql: string): string {
  return sql.replace(
    /('(?:[^']|'')*')|--.*|\/\*[\s\S]*?\*\//g,
    (whole, string) => string ?? whole.replace(/[^\n]/g, ' '),
  )
}
