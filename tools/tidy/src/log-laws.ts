// No line of the log holds a key, a secret, a token, an address, or a body: neither as a field, by whatever name, nor inside its text.

import { folderOf } from './folders.ts'
import { type Breach, lineAt, type Source } from './source.ts'
import { readTokens } from './texts.ts'
import { type Token, tokensOf } from './tokens.ts'
import type { Law, Tree } from './tree.ts'

const RULE = 'no key, secret, address, or body in a line of the log'
const LEVELS = /^(?:trace|debug|info|warn|error|fatal|child|setBindings)$/
const LOG = /^#?(?:\w+L|l)og(?:ger)?$/

/** Words of a name that tell what its value holds. */
const SECRET = new Set(
  'key keys apikey secret secrets token tokens password passphrase cookie cookies authorization bearer credential credentials signature address addresses street email body payload headers header url urls href query params input ip remote'.split(
    ' ',
  ),
)
/** Last words of names whose value tells nothing of it: `keyId`, `bodyBytes`. */
const HARMLESS = new Set(
  'id ids count counts length size bytes kind name at ms limit version state is has'.split(' '),
)
/** Names of objects that contain everything about a call. */
const WHOLE = new Set(
  'request req reply res response call principal config env account connection rows record home listing'.split(
    ' ',
  ),
)

function findLogged({ sources }: Tree): Breach[] {
  return sources
    .filter(({ file }) => folderOf(file) !== undefined && /\.[cm]?ts$/.test(file))
    .flatMap((source) => findIn(source))
}

function findIn(source: Source): Breach[] {
  const code = readTokens(source).filter(({ kind }) => kind !== 'comment')
  return code.flatMap((token, at): Breach[] => {
    if (!isLog(token) || code[at + 1] === undefined) return []
    const open = callAt(code, at + 1)
    if (open === undefined) return []
    const names = leaked(code.slice(open + 1, closeOf(code, open)))
    return names.map(({ index }) => ({
      file: source.file,
      line: lineAt(source.text, index || token.index),
      rule: RULE,
    }))
  })
}

function isLog({ kind, raw }: Token): boolean {
  return kind === 'name' && LOG.test(raw)
}

/** Where the parenthesis opens, if a method of the log is called: `.warn(`, `?.warn(`, `['warn'](`. */
function callAt(code: readonly Token[], at: number): number | undefined {
  const [first, second, third, fourth] = code.slice(at, at + 4)
  if ((first?.raw === '.' || first?.raw === '?.') && LEVELS.test(second?.raw ?? '') && third?.raw === '(')
    return at + 2
  if (
    first?.raw === '[' &&
    second?.kind === 'text' &&
    LEVELS.test(second.raw.slice(1, -1)) &&
    fourth?.raw === '('
  )
    return at + 3
  return undefined
}

function closeOf(code: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at]!.raw)) depth++
    if (')]}'.includes(code[at]!.raw) && --depth === 0) return at
  }
  return code.length
}

/** Names of the arguments whose values would be in the line. */
function leaked(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at): Token[] => {
    // Values in the text. Their positions are those of the template.
    if (token.kind === 'template')
      return token.parts.flatMap(({ kind, raw }) =>
        kind === 'code' && leaked(tokensOf(raw)).length > 0 ? [token] : [],
      )
    // A quoted name of a field.
    if (token.kind === 'text')
      return tokens[at + 1]?.raw === ':' && isSecret(token.raw.slice(1, -1)) ? [token] : []
    if (token.kind !== 'name') return []
    const [before, after] = [tokens[at - 1]?.raw, tokens[at + 1]?.raw]
    // An object on the way to a field, or a function: what it gives has a name of its own, or is judged where it is.
    if (after === '.' || after === '?.' || after === '(') return []
    if (isSecret(token.raw)) return [token]
    const isWhole = before !== '.' && before !== '?.' && after !== ':' && WHOLE.has(token.raw)
    const isField = before === '{' || before === ',' || before === undefined
    // `{ account }` is an identifier of ours; `...request` and `{ request }` hold everything.
    return isWhole && (before === '...' || before === ':' || isField) && token.raw !== 'account'
      ? [token]
      : []
  })
}

function isSecret(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$#-]+/)
    .filter(Boolean)
  return words.some((word) => SECRET.has(word)) && !HARMLESS.has(words.at(-1)!) && !HARMLESS.has(words[0]!)
}

const plant = (what: string, text: string, name: string) => ({
  what,
  file: `apps/api/src/work/jobs/plant-log-${name}.ts`,
  text,
})

export const LOG_LAWS: readonly Law[] = [
  {
    rule: RULE,
    check: findLogged,
    plants: [
      plant('a field', "log.info({ key }, 'called')", 'field'),
      plant('a field with a value', "this.#log.warn({ of: call.apiKey }, 'called')", 'value'),
      plant('a name in quotes', "app.log.error({ 'authorization': of }, 'called')", 'quoted'),
      plant('a value in the text', `log.debug(\`mail to $${'{account.email}'}\`)`, 'text'),
      plant('a header by its name', "log.info({ cookie: request.headers['cookie'] })", 'header'),
      plant('a body', 'request.log.info({ sent: request.body })', 'body'),
      plant('all of a call', "log.warn({ request }, 'refused')", 'whole'),
      plant('a spread', "log.warn({ ...request }, 'refused')", 'spread'),
      plant('an address', 'logger.info({ from: home.streetAddress })', 'address'),
      plant('a URL with its query', "log?.info({ url: request.raw.url }, 'called')", 'url'),
      plant('what all lines have', 'const own = log.child({ token })', 'child'),
      plant('a level in quotes', "log['warn']({ secret }, 'x')", 'level'),
    ],
  },
]
