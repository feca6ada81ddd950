// Every text of `error.message`, made from the templates of spec/messages.yaml: by code and cause, with values in their
// places. What a caller sent is shown cut, with control characters escaped, and never with a key, a webhook secret or the
// user name of a URL in it.

import type { ErrorCode } from './generated/errors.ts'
import { messageTemplates } from './generated/messages.ts'

type Templates = typeof messageTemplates

/** An error code, or `job` for the ends of jobs that have none. */
export type MessageCode = Exclude<keyof Templates, 'input'>

/** Why a code is answered: its own causes, and what can be wrong with any input. */
export type MessageCause<Code extends MessageCode> = keyof (Templates[Code] & Templates['input']) & string

/**
 * A text from outside is shown as `shownValue` cuts it. A list is the product's own words and is shown whole, its entries
 * separated by commas.
 */
export type MessageValue = string | number | readonly string[]

type PlaceholdersOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Number}:${string}` ? Number : Name) | PlaceholdersOf<Rest>
  : never

type TemplateOf<Code extends MessageCode, Cause> = Cause extends keyof Templates[Code]
  ? Templates[Code][Cause]
  : Cause extends keyof Templates['input']
    ? Templates['input'][Cause]
    : never

/** A value for each placeholder of a template, by name. */
export type MessageValues<Code extends MessageCode, Cause> = Readonly<
  Record<PlaceholdersOf<TemplateOf<Code, Cause>>, MessageValue>
>

/** Characters of a value in a message; a longer one is cut. */
export const MAX_SHOWN_LENGTH = 80

const PLACEHOLDER = /\{(\w+)(?::([^}]+))?\}/g

/** The message of a code for a cause. `values` has a value for each placeholder of the template. */
export function formatMessage<Code extends MessageCode, Cause extends MessageCause<Code>>(
  code: Code,
  cause: Cause,
  values: MessageValues<Code, Cause>,
): string {
  const own: Readonly<Record<string, string>> = messageTemplates[code]
  const shared: Readonly<Record<string, string>> = messageTemplates.input
  const template = own[cause] ?? shared[cause]
  if (template === undefined) throw new Error(`the contract has no message ${code}.${cause}`)
  return template.replaceAll(PLACEHOLDER, (_, name: string, noun?: string) => {
    const value = (values as Readonly<Record<string, MessageValue>>)[name]
    if (value === undefined) throw new Error(`the message ${code}.${cause} needs a value for ${name}`)
    const text =
      typeof value === 'number'
        ? String(value)
        : typeof value === 'string'
          ? truncate(value)
          : value.join(', ')
    return noun === undefined ? text : `${text} ${value === 1 ? noun : plural(noun)}`
  })
}

/** What can be wrong with a value, whatever its place and the code that it gets. */
export interface InputFault {
  readonly cause: keyof Templates['input']
  /** For the placeholders of the template, without `place`. */
  readonly values: Readonly<Record<string, MessageValue>>
}

/** A fault with a value for each placeholder of its template but `place`. */
export function inputFault<Cause extends InputFault['cause']>(
  cause: Cause,
  values: Omit<MessageValues<'invalid_parameter', Cause>, 'place'>,
): InputFault {
  return { cause, values: values as InputFault['values'] }
}

/**
 * The message of a fault.
 *
 * @param place where the value was sent: the name of a parameter, or the path of a field of the body with dots
 */
export function faultMessage(code: ErrorCode, place: string, { cause, values }: InputFault): string {
  return formatMessage(code, cause, { ...values, place } as never)
}

/** The templates of a code, as the manual lists them: `{bound} characters`, with the nouns in the plural. */
export function messageForms(code: MessageCode | 'input'): string[] {
  return Object.values<string>(messageTemplates[code]).map((template) =>
    template.replaceAll(PLACEHOLDER, (_, name: string, noun?: string) =>
      noun === undefined ? `{${name}}` : `{${name}} ${plural(noun)}`,
    ),
  )
}

/** What a caller sent, as a message shows it: a text in quotes and cut, and of lists and objects only that they are such. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return `"${truncate(value, MAX_SHOWN_LENGTH - 2)}"`
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return truncate(String(value))
}

function truncate(text: string, length = MAX_SHOWN_LENGTH): string {
  // Cut first, so that a large value costs nothing; escaping can only make it longer.
  const shown = replaceLoneSurrogates(text.slice(0, length + 1))
    .replaceAll(/\b(lot_|whsec_)[\w+/=]+/g, '$1…')
    .replaceAll(/:\/\/[^/?#@]*@/g, '://…@')
    .replaceAll(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
      (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    )
  return shown.length > length ? `${replaceLoneSurrogates(shown.slice(0, length - 1))}…` : shown
}

/** Half of a surrogate pair is no character. (`toWellFormed` is newer than what clients may be compiled for.) */
function replaceLoneSurrogates(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}
