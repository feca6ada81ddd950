// The texts of a file as the program sees them: parts that are joined with a plus or set into a template are one text, and the name of a
// constant stands for what it holds. Comments are no texts.

import type { Source } from './source.ts'
import { type Token, tokensOf, unescaped } from './tokens.ts'

/** The placeholder for a value that is known only at run time. No text of the code contains this character. */
export const UNKNOWN = '\ue000'

/** A text, with UNKNOWN for each value that the file does not tell. */
export interface Text {
  readonly index: number
  readonly value: string
  /** For a tagged template, the name before it. */
  readonly tag?: string | undefined
}

/** What constants hold, by name. A name that stands for several texts is as unknown as a variable. */
export type Constants = ReadonlyMap<string, string>

const cache = new WeakMap<Source, Token[]>()

/** The tokens of a source, read once. */
export function readTokens(source: Source): Token[] {
  let tokens = cache.get(source)
  if (!tokens) {
    tokens = tokensOf(source.text)
    cache.set(source, tokens)
  }
  return tokens
}

/**
 * The constants that any file may use: those that are exported, and the fields of objects in capitals, which are known as `.field`.
 * Those of one file are read with it.
 */
export function readConstants(sources: readonly Source[]): Constants {
  return constantsOf(
    sources,
    new Map(),
    (before, name) => before === 'export' || /^[A-Z][A-Z0-9_]+$|^\./.test(name),
  )
}

function constantsOf(
  sources: readonly Source[],
  outer: Constants,
  isKept: (before: string | undefined, name: string) => boolean,
): Constants {
  const values = new Map<string, Set<string>>()
  let known = outer
  // Twice, so that a constant made of constants is known.
  for (let round = 0; round < 2; round++) {
    for (const source of sources) {
      const code = readTokens(source).filter(({ kind }) => kind !== 'comment')
      code.forEach(({ kind, raw }, at) => {
        if (kind !== 'name') return
        const from = valueAt(code, at)
        if (from === undefined) return
        const name = code[at + 1]?.raw === ':' && from === at + 2 ? `.${raw}` : raw
        if (!isKept(code[at - 2]?.raw, name)) return
        const value = foldAt(code, from, known).value ?? UNKNOWN
        values.set(name, (values.get(name) ?? new Set()).add(value))
      })
    }
    known = new Map([
      ...outer,
      ...[...values].map(([name, all]) => [name, all.size === 1 ? [...all][0]! : UNKNOWN] as const),
    ])
    if (round === 0) values.clear()
  }
  return known
}

/** The index at which the value of a declaration begins. */
function valueAt(code: readonly Token[], at: number): number | undefined {
  const before = code[at - 1]?.raw
  if (before === 'const' || before === 'let' || before === 'var' || before === 'readonly') {
    for (let next = at + 1; next < at + 12; next++) {
      if (code[next]?.raw === '=') return next + 1
      if (next > at + 1 && code[at + 1]?.raw !== ':') return undefined
    }
    return undefined
  }
  // A field of an object.
  return (before === '{' || before === ',') && code[at + 1]?.raw === ':' ? at + 2 : undefined
}

export function textsOf(source: Source, constants: Constants = new Map()): Text[] {
  const code = readTokens(source).filter(({ kind }) => kind !== 'comment')
  return textsIn(
    code,
    constantsOf([source], constants, () => true),
  )
}

function textsIn(code: readonly Token[], constants: Constants): Text[] {
  const texts: Text[] = []
  let at = 0
  while (at < code.length) {
    const token = code[at]!
    const isStart =
      token.kind === 'text' ||
      token.kind === 'template' ||
      (token.kind === 'name' && code[at + 1]?.raw === '+')
    const { value, end } = isStart ? foldAt(code, at, constants) : { value: undefined, end: at + 1 }
    if (value !== undefined) {
      const before = code[at - 1]
      const tag = token.kind === 'template' && before?.kind === 'name' ? before.raw : undefined
      texts.push({ index: token.index, value, tag })
    }
    // Texts inside the values of a template.
    for (const one of code.slice(at, end))
      for (const { kind, index, raw } of one.parts)
        if (kind === 'code')
          texts.push(
            ...textsIn(
              tokensOf(raw).filter(({ kind: of }) => of !== 'comment'),
              constants,
            ).map((text) => ({ ...text, index: text.index + index })),
          )
    at = end
  }
  return texts
}

/** The text that begins with a token, up to the last part that a plus joins to it. Undefined where no part is a text. */
function foldAt(
  code: readonly Token[],
  start: number,
  constants: Constants,
): { value: string | undefined; end: number } {
  let value = ''
  let isText = false
  let at = start
  while (true) {
    const token = code[at]
    if (token?.kind === 'text') {
      value += unescaped(token.raw.slice(1, -1))
      isText = true
    } else if (token?.kind === 'template') {
      for (const { kind, raw } of token.parts)
        value += kind === 'text' ? unescaped(raw) : nameValue(raw, constants)
      isText = true
    } else if (token?.kind === 'name') {
      let name = token.raw
      for (; code[at + 1]?.raw === '.' && code[at + 2]?.kind === 'name'; at += 2)
        name += `.${code[at + 2]!.raw}`
      value += nameValue(name, constants)
    } else value += UNKNOWN
    if (code[at + 1]?.raw !== '+') return { value: isText ? value : undefined, end: Math.max(at, start) + 1 }
    at += 2
  }
}

/** A name, the field of a constant object, or a text in the place of a value. */
function nameValue(code: string, constants: Constants): string {
  const written = code.trim()
  if (/^'[^'\\]*'$|^"[^"\\]*"$|^`[^`\\$]*`$/.test(written)) return written.slice(1, -1)
  const [, object, name] = /^(?:(\w+)\s*\.\s*)?([A-Za-z_$][\w$]*)$/.exec(written) ?? []
  if (name === undefined) return UNKNOWN
  if (object === undefined) return constants.get(name) ?? UNKNOWN
  return /^[A-Z]/.test(object) ? (constants.get(`.${name}`) ?? UNKNOWN) : UNKNOWN
}
