// What happens around the call of a tool, wherever it runs: its arguments become a call of the API, and the answer becomes
// a result. `POST /mcp` of the service and the stdio server (packages/mcp) share it.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  type Arguments,
  type Content,
  cutToSize,
  type Tool,
  type ToolAnswer,
  type ToolCall,
  type ToolResult,
  toResult,
} from './tool.ts'
import { TOOLS } from './tools.ts'

/** In credits; undefined where it is not known. */
export interface ToolCredits {
  readonly credits_charged?: number
  readonly credits_remaining?: number
}

/** What a refusal of the API says. */
export interface ToolError {
  readonly code: string
  readonly message: string
  readonly details?: unknown
  readonly request_id?: string | undefined
  /** Seconds to wait before the call is repeated. */
  readonly retry_after?: number | undefined
}

/** The call that the arguments ask for, or what is wrong with them. It sets the defaults in `args`. */
export type ToolJudge = (tool: Tool, args: Record<string, unknown>) => ToolCall | string

export function createToolJudge(): ToolJudge {
  const validators = new Map(TOOLS.map((tool) => [tool.name, compileValidator(tool)]))
  return (tool, args) => {
    const validate = validators.get(tool.name)!
    if (!validate(args)) return describeFault(validate)
    const inner = tool.inner?.(args)
    const validateInner = inner && validators.get(inner.name)!
    if (validateInner && !validateInner(inner.args)) return describeFault(validateInner)
    return tool.toCall(args)
  }
}

/** @param cutTo the rows that were left because of the size of the result; 0: all */
export function toToolResult(
  tool: Tool,
  args: Arguments,
  answer: ToolAnswer,
  credits: ToolCredits,
  cutTo = 0,
): ToolResult {
  const content = tool.toContent(answer, args)
  const rows =
    cutTo > 0 && content.truncated_by === 'max_credits' ? { ...content, truncated_by: 'size' } : content
  return toResult({ ...cutToSize(tool, rows), ...credits } as Content)
}

/**
 * A call that the API refused. What it has charged is 0, unless `credits` says that this is not known, or the API says so:
 * then the result has no `credits_charged`.
 */
export function toToolError(
  { code, message, details, request_id, retry_after }: ToolError,
  credits: ToolCredits = {},
): ToolResult {
  const content = {
    code,
    message,
    ...(!isChargeUnknown(details) && { credits_charged: 0, ...credits }),
    request_id,
    ...(details !== undefined && { details }),
    ...(retry_after !== undefined && { retry_after }),
  }
  return { ...toResult(content), isError: true }
}

/** Whether the `details` of an error say that the call may have been charged: the database was lost meanwhile. */
export function isChargeUnknown(details: unknown): boolean {
  return (details as { readonly charge?: unknown } | null | undefined)?.charge === 'unknown'
}

/** What the API judges itself is left to it: its messages say more, and its refusals have usage rows. */
function compileValidator({ inputSchema, judgedByApi }: Tool): ValidateFunction {
  const properties = inputSchema.properties as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const shallow = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      judgedByApi.includes(name) ? soleType(schema) : schema,
    ]),
  )
  const ajv = new Ajv2020({ strict: false, useDefaults: true, allErrors: false })
  return ajv.compile({ ...inputSchema, properties: shallow })
}

function soleType({ type, default: fallback }: Readonly<Record<string, unknown>>): object {
  return { type, ...(fallback !== undefined && { default: fallback }) }
}

function describeFault({ errors }: ValidateFunction): string {
  const [fault] = errors ?? []
  const name = fault?.params.additionalProperty ?? fault?.params.missingProperty
  const place = fault?.instancePath ? fault.instancePath.slice(1).replaceAll('/', '.') : 'arguments'
  return `${place} ${fault?.message ?? 'is not valid'}${typeof name === 'string' ? `: ${name.slice(0, 100)}` : ''}.`
}
