const WIDTH = 80

/** How names and texts are quoted, and whether a comma ends the last line. */
interface Style {
  readonly name: (text: string) => string
  readonly text: (text: string) => string
  readonly lastComma: string
}

const TYPESCRIPT: Style = {
  name: (text) => (/^[A-Za-z_$][\w$]*$/.test(text) ? text : singleQuoted(text)),
  text: singleQuoted,
  lastComma: ',',
}
const JSON_STYLE: Style = { name: JSON.stringify, text: JSON.stringify, lastComma: '' }

/** A value of JSON as TypeScript is written by hand: no needless quotes, on one line where it fits. */
export function typescriptOf(value: unknown): string {
  return print(value, '', TYPESCRIPT)
}

/** A value as JSON, each part of it on one line where it fits. */
export function jsonOf(value: unknown): string {
  return print(value, '', JSON_STYLE)
}

function print(value: unknown, indent: string, style: Style): string {
  if (typeof value === 'string') return style.text(value)
  if (value === null || typeof value !== 'object') return String(value)
  const parts = (at: string) =>
    Array.isArray(value)
      ? value.map((one) => print(one, at, style))
      : Object.entries(value).map(([name, one]) => `${style.name(name)}: ${print(one, at, style)}`)
  const flat = parts('').join(', ')
  const line = Array.isArray(value) ? `[${flat}]` : flat === '' ? '{}' : `{ ${flat} }`
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${inner}${parts(inner).join(`,\n${inner}`)}${style.lastComma}\n${indent}${close}`
}

function singleQuoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
