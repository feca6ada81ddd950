// The output of the command: tables for people, JSON for programs, one line for a failure.

import type { Command } from 'commander'
import {
  DatabaseUnavailable,
  DISK_FULL_ADVICE,
  isDiskFull,
  StartError,
  shortReason,
} from '../../infrastructure/database.ts'

/** The command cannot do what the operator asked, for the given reason. Not an error of the program. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  /** 1: it failed. 2: the command line is invalid. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export function printFailure(error: unknown): void {
  process.stderr.write(`lotline: ${failureText(error)}\n`)
}

function failureText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // Their authors have chosen the text.
  if (error instanceof CommandFailure || error instanceof StartError || !isDiskFull(error)) return text
  return `The command failed: ${DISK_FULL_ADVICE} (${shortReason(error instanceof DatabaseUnavailable ? error.cause : error)})`
}

/** Whether --json was given, before or after the verb. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true
}

/** Prints a result: as JSON with --json, otherwise as `lines`. */
export function print(command: Command, result: unknown, lines: readonly string[]): void {
  process.stdout.write(wantsJson(command) ? `${JSON.stringify(result, null, 2)}\n` : `${lines.join('\n')}\n`)
}

/** Columns aligned for a terminal, numbers to the right. The first row is the heading. */
export function table(heading: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const cells = [heading, ...rows.map((row) => row.map(text))]
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const isNumeric = heading.map((_, column) => rows.some((row) => typeof row[column] === 'number'))
  return cells.map((row) =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** One name and value on each line. */
export function facts(entries: readonly (readonly [name: string, value: unknown])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`)
}

/** A value as text. */
export function text(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (value instanceof Date) return `${value.toISOString().slice(0, 16).replace('T', ' ')}Z`
  return String(value)
}
