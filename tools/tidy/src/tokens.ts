// The tokens of TypeScript: enough to tell code from comments and texts, and to read a text that is put together from parts.

export interface Token {
  /** `template` is the whole of one, up to its last backtick. */
  readonly kind: 'name' | 'mark' | 'text' | 'template' | 'number' | 'pattern' | 'comment'
  readonly index: number
  /** The token as written. */
  readonly raw: string
  /** For a template, the parts between `${` and `}`. */
  readonly parts: readonly TemplatePart[]
}

/** A piece of a template: literal text, or the code of a value. */
export interface TemplatePart {
  readonly kind: 'text' | 'code'
  readonly index: number
  readonly raw: string
}

const NAME = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /\d[\w.]*/y
const TEXT = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y
const COMMENT = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y
const PATTERN = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const MARK = /\?\.|\?\?=?|=>|\.\.\.|[!=]==?|&&=?|\|\|=?|[\s\S]/y
/** Behind these names a slash begins a pattern. Behind all others it divides. */
const BEFORE_PATTERN = new Set(
  'return case typeof void in of do else yield await delete throw new'.split(' '),
)

/** All tokens of a file in order, comments too. What is no TypeScript gives some tokens and never fails. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let last: Token | undefined
  let at = 0
  const add = (kind: Token['kind'], raw: string, parts: readonly TemplatePart[] = []) => {
    const token = { kind, index: at, raw, parts }
    tokens.push(token)
    if (kind !== 'comment') last = token
    at += raw.length
  }
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  while (at < text.length) {
    const first = text[at]!
    if (/\s/.test(first)) {
      at++
      continue
    }
    const comment = first === '/' ? match(COMMENT) : undefined
    if (comment) {
      add('comment', comment)
      continue
    }
    if (first === '`') {
      const { end, parts } = templateAt(text, at)
      add('template', text.slice(at, end), parts)
      continue
    }
    const pattern = first === '/' && mayBePattern(last) ? match(PATTERN) : undefined
    if (pattern) add('pattern', pattern)
    else {
      const string = first === "'" || first === '"' ? match(TEXT) : undefined
      if (string) add('text', string)
      else {
        const name = match(NAME)
        if (name) add('name', name)
        else {
          const number = match(NUMBER)
          if (number) add('number', number)
          else add('mark', match(MARK) ?? first)
        }
      }
    }
  }
  return tokens
}

function mayBePattern(last: Token | undefined): boolean {
  if (last === undefined) return true
  if (last.kind === 'name') return BEFORE_PATTERN.has(last.raw)
  return last.kind === 'mark' && ![')', ']', '}'].includes(last.raw)
}

/** The template that begins at a backtick. Values may hold templates themselves. */
function templateAt(text: string, start: number): { end: number; parts: TemplatePart[] } {
  const parts: TemplatePart[] = []
  let from = start + 1
  let at = from
  while (at < text.length) {
    if (text[at] === '\\') at += 2
    else if (text[at] === '`') {
      parts.push({ kind: 'text', index: from, raw: text.slice(from, at) })
      return { end: at + 1, parts }
    } else if (text.startsWith('${', at)) {
      parts.push({ kind: 'text', index: from, raw: text.slice(from, at) })
      const end = codeEnd(text, at + 2)
      parts.push({ kind: 'code', index: at + 2, raw: text.slice(at + 2, end) })
      at = end + 1
      from = at
    } else at++
  }
  parts.push({ kind: 'text', index: from, raw: text.slice(from) })
  return { end: text.length, parts }
}

/** The index of the closing brace that belongs to the opening one before `start`. */
function codeEnd(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const character = text[at]!
    if (character === '`') {
      at = templateAt(text, at).end
      continue
    }
    TEXT.lastIndex = at
    COMMENT.lastIndex = at
    const whole = TEXT.exec(text)?.[0] ?? COMMENT.exec(text)?.[0]
    if (whole) {
      at += whole.length
      continue
    }
    if (character === '{') depth++
    if (character === '}' && depth-- === 0) return at
    at++
  }
  return text.length
}

/** Decodes the escapes of a string or of a piece of a template. */
export function unescaped(raw: string): string {
  return raw.replace(
    /\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(\r?\n)|([\s\S]))/gi,
    (_, a, b, c, newline, one) => {
      const hex: string | undefined = a ?? b ?? c
      if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (newline) return ''
      return ({ n: '\n', t: '\t', r: '\r' } as Record<string, string>)[one] ?? one
    },
  )
}
