/** The first lines of every generated module. */
export const HEADER =
  '// Generated from spec/ by `pnpm generate`. Edits are lost: change the contract instead.\n'

/** A TypeScript string literal. */
export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}

/** `[a, b]` as a literal of strings. */
export function list(texts: readonly string[]): string {
  return `[${texts.map(quote).join(', ')}]`
}

/** `name: value`, the name in quotes only where TypeScript needs them. */
export function property(name: string | number, value: string): string {
  return `${/^([A-Za-z_$][\w$]*|\d+)$/.test(String(name)) ? name : quote(String(name))}: ${value}`
}

/** A union of string literals, one a line. Empty, it is `never`. */
export function union(texts: readonly string[]): string {
  return texts.length === 0 ? ' never' : texts.map((text) => `\n  | ${quote(text)}`).join('')
}

/** A union of string literals on one line. */
export function inlineUnion(texts: readonly string[]): string {
  return texts.length === 0 ? 'never' : texts.map(quote).join(' | ')
}
