// What a tool of the MCP server is, and how its result is cut to the size that agents can read.

import type { OperationId } from '../generated/operations.ts'
import type { JsonSchema } from './tool-schemas.ts'

/** Bytes of a result, its text and its structured content together. Clients cut or refuse about 25,000 tokens. */
export const MAX_RESULT_BYTES = 60_000
/** Room for what stands around the content: the envelope of JSON-RPC and the headers of the result. */
const ENVELOPE_BYTES = 1_000
/** Credits that a call of a tool may cost unless it says otherwise. */
export const DEFAULT_MAX_CREDITS = 25

export type Arguments = Readonly<Record<string, unknown>>

/** The call of the API that a tool makes. */
export interface ToolCall {
  readonly operation: OperationId
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** undefined: the operation has no body. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** What a call is counted and recorded as before anything else is known of it. */
export interface ToolTarget {
  /** undefined: the arguments name nothing that the tool has an operation for. */
  readonly operation: OperationId | undefined
  /** The parameters of the operation's path as they were sent. They are not checked: one may be missing or have a wrong type. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** The body of a success, without its request id. */
export interface ToolAnswer {
  readonly data: unknown
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}

/** What a tool answers with, under the names of its output schema. */
export type Content = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly title: string
  /** What it does, and what it costs. */
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly outputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly idempotentHint: boolean
    readonly destructiveHint: boolean
    readonly openWorldHint: boolean
  }
  /** Arguments of which only the type is judged here: the API judges them with better messages than a schema gives. */
  readonly judgedByApi: readonly string[]
  /** The call of another tool that the arguments hold. undefined: they hold none. */
  readonly inner?: (args: Arguments) => { readonly name: string; readonly args: Record<string, unknown> }
  /**
   * What a call with these arguments is a call of. The arguments were not judged: a call that is refused for them counts in the rate
   * window and has a usage row, too. For arguments that are right, it is the operation of `toCall`.
   */
  readonly target: (args: Arguments) => ToolTarget
  /** A text says what is wrong with the arguments. They fit the schema, with its defaults. */
  readonly toCall: (args: Arguments) => ToolCall | string
  readonly toContent: (answer: ToolAnswer, args: Arguments) => Content
  /** The list that may be cut, and what then leads to the rest. undefined: there is no list. */
  readonly list?: { readonly name: string; readonly rest: (content: Content, kept: number) => Content }
  /** Where rows are charged one by one: how a client of the API reads them in pages. undefined: they are not. */
  readonly pages?: ToolPages
}

export interface ToolPages {
  /** The list of the rows. */
  readonly list: string
  /** The arguments of the call that reads a page. */
  readonly request: (args: Arguments, page: ToolPage) => Arguments
}

export interface ToolPage {
  /** The most rows of the page. */
  readonly rows: number
  /** What it may cost, in credits. */
  readonly credits: number
  /** undefined: it is the first page. */
  readonly cursor: string | undefined
}

export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
  readonly structuredContent: Content
  readonly isError?: true
}

/** The text is the structured content without spaces, for clients that read nothing else. */
export function toResult(content: Content): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content }
}

/** Whether a result of this content is small enough. */
function fitsResult(content: Content): boolean {
  return resultSize(content) <= MAX_RESULT_BYTES
}

/** Bytes of a result of this content. */
export function resultSize(content: Content): number {
  return Buffer.byteLength(JSON.stringify(toResult(content))) + ENVELOPE_BYTES
}

/**
 * The most rows, at least 1 and at most `rows`, with which the content fits.
 *
 * @param contentOf the content with the given number of rows
 */
export function rowsThatFit(rows: number, contentOf: (rows: number) => Content): number {
  let kept = rows
  while (kept > 1) {
    const size = resultSize(contentOf(kept))
    if (size <= MAX_RESULT_BYTES) break
    kept = Math.max(1, Math.min(kept - 1, Math.floor((kept * MAX_RESULT_BYTES) / size)))
  }
  return kept
}

/**
 * The content, cut where it is too large: first its list, which a cursor continues; then the largest fields, which
 * `omitted` names.
 */
export function cutToSize({ list }: Tool, content: Content): Content {
  if (fitsResult(content)) return content
  const rows = list && content[list.name]
  if (!list || !Array.isArray(rows)) return withoutLargest(content)
  const cut = (kept: number): Content =>
    kept === rows.length
      ? content
      : list.rest({ ...content, [list.name]: rows.slice(0, kept), truncated_by: 'size' }, kept)
  return withoutLargest(cut(rowsThatFit(rows.length, cut)))
}

/** Leaves out the largest field of the objects in the content until it fits. */
function withoutLargest(content: Content): Content {
  let left = content
  const omitted: string[] = []
  while (!fitsResult(left)) {
    const [place, field] = largestField(left)
    const object = left[place]
    left = Array.isArray(object)
      ? { ...left, [place]: object.map((row: Content) => withoutField(row, field)) }
      : { ...left, [place]: withoutField(object as Content, field) }
    omitted.push(field)
    left = { ...left, omitted }
  }
  return left
}

function withoutField(object: Content, field: string): Content {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field))
}

/** The name of the object or list in the content, and of the field that takes the most of it. */
function largestField(content: Content): readonly [string, string] {
  let largest: readonly [string, string] | undefined
  let most = 0
  for (const [place, value] of Object.entries(content)) {
    if (place === 'omitted') continue
    for (const row of Array.isArray(value) ? value : [value]) {
      if (typeof row !== 'object' || row === null) continue
      for (const [field, inner] of Object.entries(row as Content)) {
        const size = JSON.stringify(inner)?.length ?? 0
        if (size > most) [largest, most] = [[place, field], size]
      }
    }
  }
  if (!largest) throw new Error('The result is too large and has no field that could be omitted.')
  return largest
}
