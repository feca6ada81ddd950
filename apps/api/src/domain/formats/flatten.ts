// Rows as flat lists of dotted columns: `latLong.latitude`, `hdpData.homeInfo.daysOnSite`. Lists stay whole, as JSON
// text in one column, because a column for each element would make the header depend on the longest list.

/** A dotted name and the steps to its value. */
export interface FlatColumn {
  readonly name: string
  readonly steps: readonly string[]
}

type FlatRow = Readonly<Record<string, unknown>>

const MAX_DEPTH = 8

export function parseColumnName(name: string): FlatColumn {
  return { name, steps: name.split('.') }
}

/** Every column that a row fills, in the order of first appearance. Columns of one object stay together. */
export function findColumns(rows: readonly object[]): readonly FlatColumn[] {
  const root: ColumnTree = { whole: false, parts: new Map() }
  for (const row of rows) addRowToTree(root, row as FlatRow, 0)
  return [...listColumns(root, [])]
}

export function valueAt(row: object, { steps }: FlatColumn): unknown {
  let value: unknown = row
  for (const step of steps) {
    if (!isScalar(value) || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value
}

interface ColumnTree {
  /** Whether a row has a value here that is no object. */
  whole: boolean
  readonly parts: Map<string, ColumnTree>
}

function addRowToTree(shape: ColumnTree, row: FlatRow, depth: number): void {
  // Rows have only their own properties. Object.entries would double the time.
  for (const name in row) {
    const value = row[name]
    const known = shape.parts.get(name)
    const part = known ?? { whole: false, parts: new Map() }
    if (!known) shape.parts.set(name, part)
    if (isScalar(value) && depth < MAX_DEPTH) addRowToTree(part, value, depth + 1)
    else if (value !== null && value !== undefined) part.whole = true
  }
}

function* listColumns(shape: ColumnTree, steps: readonly string[]): Generator<FlatColumn> {
  for (const [name, part] of shape.parts) {
    const inside = [...steps, name]
    // A value that is a text in one row and an object in another keeps one column, or the text would be lost.
    if (part.whole || part.parts.size === 0) yield { name: inside.join('.'), steps: inside }
    else yield* listColumns(part, inside)
  }
}

function isScalar(value: unknown): value is FlatRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
