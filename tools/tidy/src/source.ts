/** A file of the tree with its text. */
export interface Source {
  /** The path from the root of the repository. */
  readonly file: string
  readonly text: string
}

export interface Breach {
  readonly file: string
  readonly line: number
  readonly rule: string
}

/** The line, from 1, that holds the character at `index`. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
