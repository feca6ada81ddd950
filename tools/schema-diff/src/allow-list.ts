import type { Change } from './comparison.ts'
import { isArray, isObject, type JsonValue } from './json.ts'
import { readJsonOrYaml } from './read-file.ts'
import { isRuleName } from './rules.ts'
import { UsageError } from './usage-error.ts'

/** A breaking change that is meant. `*` in the location stands for any text, as a type occurs in many places. */
export interface Allowance {
  readonly rule: string
  readonly location: string
  readonly reason: string
}

export interface AllowedChange extends Change {
  readonly reason: string
}

/** Breaking changes after the allow-list has spoken. */
export interface Sifted {
  readonly breaking: readonly Change[]
  readonly allowed: readonly AllowedChange[]
  /** Entries that match no change: the change was undone, or the entry is misspelt. */
  readonly unmatched: readonly Allowance[]
}

/**
 * Reads an allow-list.
 * @throws UsageError when the file cannot be read, or holds anything but a list of entries with a known rule, a
 *   location and a reason; an empty file is an empty list
 */
export async function readAllowList(file: string): Promise<readonly Allowance[]> {
  const entries = (await readJsonOrYaml(file)) ?? []
  if (!isArray(entries))
    throw new UsageError(`${file} must be a list of entries with rule, location and reason.`)
  return entries.map((entry, index) => toAllowance(`${file}, entry ${index + 1}`, entry))
}

/** Takes the changes that an entry matches out of the breaking ones. One entry may match many. */
export function applyAllowList(changes: readonly Change[], entries: readonly Allowance[]): Sifted {
  const breaking: Change[] = []
  const allowed: AllowedChange[] = []
  for (const change of changes) {
    const entry = entries.find((candidate) => matches(candidate, change))
    if (entry) allowed.push({ ...change, reason: entry.reason })
    else breaking.push(change)
  }
  const unmatched = entries.filter((entry) => !changes.some((change) => matches(entry, change)))
  return { breaking, allowed, unmatched }
}

function matches(entry: Allowance, change: Change): boolean {
  return entry.rule === change.rule && patternOf(entry.location).test(change.location)
}

function patternOf(location: string): RegExp {
  const literal = location.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('*', '.*')}$`)
}

function toAllowance(where: string, entry: JsonValue): Allowance {
  const { rule, location, reason, ...rest } = isObject(entry) ? entry : {}
  if (!isText(rule) || !isText(location) || !isText(reason) || Object.keys(rest).length > 0) {
    throw new UsageError(`${where} must have a rule, a location and a reason, each a text, and nothing else.`)
  }
  if (!isRuleName(rule)) throw new UsageError(`${where} names the rule ${rule}, which does not exist.`)
  return { rule, location, reason }
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
