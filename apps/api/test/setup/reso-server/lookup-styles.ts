// The spellings of lookup values that servers use.

const LOOKUPS = new Set([
  'StandardStatus',
  'PropertyType',
  'PropertySubType',
  'ArchitecturalStyle',
  'Cooling',
  'Heating',
])

/** A lookup in the spelling of enumerations. */
export function styled(field: string, value: unknown, style: 'lookup' | 'enum' | undefined): unknown {
  if (style !== 'enum' || !LOOKUPS.has(field)) return value
  const one = (text: unknown) => (typeof text === 'string' ? text.replace(/[^A-Za-z0-9]/g, '') : text)
  return Array.isArray(value) ? value.map(one).join(',') : one(value)
}
