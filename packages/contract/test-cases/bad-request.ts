// The shape of a wrong request with the answer that it must get, and how to send it. bad-requests.ts has the table.

import type { ErrorCode } from '../src/generated/errors.ts'
import { messageTemplates } from '../src/generated/messages.ts'
import type { OperationId } from '../src/generated/operations.ts'

export interface BadRequest {
  /** What is wrong, in words; different for each request. */
  readonly name: string
  /** The operation that it is meant for; absent where there is none at the path with this method. */
  readonly operation?: OperationId
  readonly method: string
  /** With the query, encoded. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The value of the header Authorization, null for none; absent for a valid key. */
  readonly authorization?: string | null
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
  readonly expect: {
    readonly status: number
    readonly code: ErrorCode
    /** The methods in the header Allow, in any order. */
    readonly allow?: readonly string[]
  }
}

/** Whether a message is a template of its code with values in its places (spec/messages.yaml). */
export function isCatalogueCode(error: { readonly code: ErrorCode; readonly message: string }): boolean {
  return Object.values({ ...messageTemplates[error.code], ...messageTemplates.input }).some(
    (template: string) => {
      const parts = template.split(/\{[^}]+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      return new RegExp(`^${parts.join('.+')}$`).test(error.message)
    },
  )
}

/** Whether a 400 is about one parameter. Those about the whole body or about HTTP are not. */
export function concernsParameter({ code, message }: { readonly code: ErrorCode; readonly message: string }) {
  const isAboutBody = code === 'invalid_json' || message === messageTemplates.missing_input.body
  return !isAboutBody && !message.startsWith('The request is not valid HTTP')
}

/** What to give to `fetch` beside the URL, which is the origin and `row.path`. */
export function toRequestInit(row: BadRequest, key: string): RequestInit {
  const { authorization = `Bearer ${key}`, body } = row
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
  const isTyped = body === undefined || body instanceof Uint8Array
  return {
    method: row.method,
    headers: {
      ...(authorization !== null && { authorization }),
      ...(!isTyped && { 'content-type': 'application/json' }),
      ...row.headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
  }
}

/** What is wrong, the body (undefined sends none), and the code. */
export type Case = readonly [name: string, body: unknown, code: BadRequest['expect']['code']]
