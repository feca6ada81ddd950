import type { Shape } from './shape.ts'

/** A shape in a few words, for a report: `string | null`, `"a" | "b"`, `array`. */
export function describeShape(shape: Shape): string {
  const { values, nullable } = shape
  const kinds = values ? values.map((value) => JSON.stringify(value)) : describeTypes(shape)
  return [...kinds, ...(nullable && kinds[0] !== 'anything' ? ['null'] : [])].join(' | ') || 'nothing'
}

function describeTypes({ types, nullable, atoms, alternatives }: Shape): readonly string[] {
  if (types.size === 5 && types.has('number')) {
    if (alternatives.length > 0) return [`one of ${alternatives.length} alternatives`]
    return [nullable ? 'anything' : 'anything but null']
  }
  const formats = atoms.flatMap((atom) => (typeof atom.format === 'string' ? [` (${atom.format})`] : []))
  return [...types].sort().map((type) => (types.size === 1 ? `${type}${formats.join('')}` : type))
}
