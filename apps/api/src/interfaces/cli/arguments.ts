// Parsers of command-line values. An error says what the option expects.

import { userInfo } from 'node:os'
import { type OperationId, operationIds } from '@lotline/contract'
import { isApiKey } from '@lotline/contract/checks'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isSourceName, NAME_RULE, SAMPLE_SOURCE } from '../../data/listings.ts'
import { readZpid } from '../../domain/record.ts'
import { MAX_REASON_LENGTH } from '../../money/credits.ts'
import type { Operator } from '../../money/operator.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function wholeNumber(least: number, most = 1_000_000_000) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^[0-9]+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`)
    }
    return value
  }
}

/** A whole number other than 0, with or without a sign. */
export function signedNumber(text: string): number {
  const value = Number(text)
  if (!/^[+-]?[0-9]+$/.test(text) || value === 0 || Math.abs(value) > 1_000_000_000) {
    throw new InvalidArgumentError('It takes a whole number from -1000000000 to 1000000000 other than 0.')
  }
  return value
}

/** A line of text. */
export function reasonText(text: string): string {
  const reason = text.trim()
  if (reason === '' || reason.length > MAX_REASON_LENGTH || /\p{Cc}/u.test(reason)) {
    throw new InvalidArgumentError(`It takes one line of 1 to ${MAX_REASON_LENGTH} characters.`)
  }
  return reason
}

/** `req_` and a ULID. */
export function requestIdText(text: string): string {
  if (!/^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)) {
    throw new InvalidArgumentError('It takes the id of a request: req_ and 26 characters.')
  }
  return text
}

export function zpid(text: string): string {
  const read = readZpid(text)
  if (read === undefined) throw new InvalidArgumentError('A zpid has 1 to 20 digits.')
  return read
}

/** The operator's name for a data source. */
export function sourceName(text: string): string {
  if (!isSourceName(text)) throw new InvalidArgumentError(`A source name has ${NAME_RULE}.`)
  return text
}

/** The name of a source to import. The sample's name is reserved. */
export function ownSourceName(text: string): string {
  if (text === SAMPLE_SOURCE)
    throw new InvalidArgumentError(`"${SAMPLE_SOURCE}" is the built-in sample. Choose another name.`)
  return sourceName(text)
}

export function uuid(text: string): string {
  if (!UUID.test(text))
    throw new InvalidArgumentError('It takes an id such as 1f0c9f4e-8a52-4c3e-9d1b-2f6f0a7b6c5d.')
  return text.toLowerCase()
}

const MINUTES = { m: 1, h: 60, d: 24 * 60 } as const

/** A moment in the past: a duration ago (`90m`, `24h`, `7d`), or a time in ISO 8601. */
export function since(text: string): Date {
  const ago = /^(\d{1,6})([mhd])$/.exec(text)
  const time = ago
    ? new Date(Date.now() - Number(ago[1]) * MINUTES[ago[2] as keyof typeof MINUTES] * 60_000)
    : new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : Number.NaN)
  if (Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('It takes 30m, 24h, 7d, or a time such as 2026-11-22T08:00:00Z.')
  }
  return time
}

/** A sequence number of the change log, or a moment in the past. */
export function sinceOrNumber(text: string): Date | number {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : since(text)
}

export function emailAddress(text: string): string {
  if (!EMAIL.test(text)) throw new InvalidArgumentError('It takes an address such as ana@example.com.')
  return text
}

/** Collects operations of the contract; one value can have several, separated by commas. */
export function operationList(text: string, before: readonly OperationId[] = []): OperationId[] {
  const names = text.split(',').filter((name) => name !== '')
  const unknown = names.filter((name) => !(operationIds as readonly string[]).includes(name))
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `The contract has no operation ${unknown.join(', ')}. It has ${operationIds.join(', ')}.`,
    )
  }
  return [...new Set([...before, ...(names as OperationId[])])]
}

/** A key, by its id or its text. Messages never repeat the text of a key. */
export function keyOrId(text: string): { id: string } | { text: string } {
  if (UUID.test(text)) return { id: text.toLowerCase() }
  if (isApiKey(text)) return { text }
  throw new InvalidArgumentError('It takes the id of a key (see `lotline keys list`) or a whole key.')
}

/** For each command that changes something. */
export function operatorOption(): Option {
  return new Option(
    '--operator <name>',
    'your name, for the trail of operator actions (`lotline console trail`)',
  )
    .argParser(reasonText)
    .default(systemUser(), 'the user of the operating system')
}

/** The name of the operator who runs the command. */
export function operatorOf(command: Command): Operator {
  return { name: command.opts<{ operator: string }>().operator, via: 'command' }
}

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    // In a container, the user id may have no name.
    return `uid ${process.getuid?.()}`
  }
}

/** Lets a command take its account as `ACCOUNT` or as `--account ACCOUNT`. */
export function takesAccount(command: Command): Command {
  return command
    .argument('[account]', 'id of the account', uuid)
    .option('--account <id>', 'id of the account, as an option', uuid)
}

/** The given account. Ends the command if none is given, or two. */
export function accountOf(command: Command, argument: string | undefined): string {
  const option = command.opts<{ account?: string }>().account
  const named = option ?? argument
  if (named === undefined || (argument !== undefined && argument !== named)) {
    command.error('error: name one account by its id. To list the ids, run: lotline accounts list', {
      exitCode: 2,
    })
  }
  return named
}
