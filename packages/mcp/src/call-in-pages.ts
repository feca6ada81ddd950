// Calls of tools whose rows are charged one by one. The service charges what it sends, and a result has a largest size. So rows
// are read in pages that are sure to fit: no row is charged that the result has no room for.

import { LotlineError } from '@lotline/client'
import {
  type Content,
  cutToSize,
  isChargeUnknown,
  MAX_RESULT_BYTES,
  resultSize,
  type Tool,
  type ToolCall,
  type ToolResult,
  toResult,
} from '@lotline/contract/tools'
import type { ApiAnswer } from './api-calls.ts'

/** Rows of the first page: with the main facts, and with fields of which nothing is known. */
const FIRST_ROWS = 25
const FIRST_ROWS_WITH_FIELDS = 5
/** How much larger than the largest row so far the next rows may be. */
const PAGE_GROWTH_MARGIN = 1.3

const MAYBE_CHARGED_MESSAGE =
  'The request for the next rows failed, and the service may have charged them. So credits_charged is left out.'

/**
 * Reads pages until there are as many rows as the arguments ask for, as the credits cover, or as fit into a result.
 * `next_cursor` of the result leads to the first row that is not in it.
 *
 * @throws as `ask`, for the first page. A later page that fails ends the result. If the service refused it, its rows were not charged.
 *   If there was no response, or it says that the charge is unknown, they may have been, and the result does not say what was charged.
 */
export async function callInPages(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  ask: (call: ToolCall) => Promise<ApiAnswer>,
): Promise<ToolResult> {
  const { list, request } = tool.pages!
  const limit = Number(args.limit ?? Number.POSITIVE_INFINITY)
  const allowed = Number(args.max_credits)
  let rows = Math.min(limit, args.fields === undefined ? FIRST_ROWS : FIRST_ROWS_WITH_FIELDS)
  let content: Content | undefined
  let charged = 0
  let remaining = 0
  let cursor = args.cursor as string | undefined

  for (;;) {
    let answer: ApiAnswer
    try {
      answer = await ask(tool.toCall(request(args, { rows, credits: allowed - charged, cursor })) as ToolCall)
    } catch (error) {
      if (!content || !(error instanceof LotlineError)) throw error
      content = { ...content, truncated_by: 'error' }
      if (error.status !== undefined && !isChargeUnknown(error.details)) break
      const { code, requestId } = error
      // GET /v1/usage has the call under its id, if it was charged.
      const facts = {
        code,
        message: MAYBE_CHARGED_MESSAGE,
        ...(requestId !== undefined && { request_id: requestId }),
      }
      return toResult(cutToSize(tool, { ...content, ...facts }))
    }
    charged += answer.credits.charged
    remaining = answer.credits.remaining
    const page = tool.toContent(answer, args)
    content = joinPages(list, content, page)
    cursor = content.next_cursor as string | undefined
    const have = (content[list] as unknown[]).length
    const isShort = content.truncated_by !== undefined && content.truncated_by !== 'max_credits'
    if (cursor === undefined || isShort || (page[list] as unknown[]).length === 0) break
    const { truncated_by: _, ...open } = content
    content = open
    if (have >= limit) break
    if (charged >= allowed) {
      content = { ...content, truncated_by: 'max_credits' }
      break
    }
    rows = Math.min(limit - have, allowed - charged, rowsThatMayFit(content, list))
    if (rows < 1) {
      content = { ...content, truncated_by: 'size' }
      break
    }
  }
  const credits = { credits_charged: charged, credits_remaining: remaining }
  return toResult({ ...cutToSize(tool, content), ...credits })
}

/** The content with the rows of the next page behind its own. What the API says of the rest is that of the next page. */
function joinPages(list: string, before: Content | undefined, next: Content): Content {
  if (!before) return next
  const rows = [...(before[list] as unknown[]), ...(next[list] as unknown[])]
  const { next_cursor: _, ...kept } = before
  return { ...kept, ...next, [list]: rows, count: Number(before.count) + Number(next.count) }
}

/** How many more rows fit, if none is much larger than the largest so far. */
function rowsThatMayFit(content: Content, list: string): number {
  const sizes = (content[list] as unknown[]).map((row) => resultSize({ row }) - resultSize({}))
  return Math.floor((MAX_RESULT_BYTES - resultSize(content)) / (Math.max(1, ...sizes) * PAGE_GROWTH_MARGIN))
}
