import { readFileSync } from 'node:fs'
import type { Property } from '@lotline/contract'

/** The records of a file that has one on each line. */
export function readRecords(file: string): Property[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Property)
}
