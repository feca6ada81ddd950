// API calls of the portal's pages: they go through the engine with the key of the session. So a page passes the same checks as a call over
// HTTP, and each operation has a usage row.
// Why: decisions/interfaces/portal-uses-the-engine.md

import { isCharged, type OperationId, operations } from '@lotline/contract'
import type { ApiCallResult, ApiError, ApiInput, FileAnswer, PortalApi, PortalBilling } from '@lotline/portal'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuseFor } from '../../infrastructure/refusals.ts'
import type { PortalSession } from '../../money/accounts.ts'
import type { Billing } from '../../money/billing.ts'
import {
  Call,
  type CallResponse,
  createRequestId,
  type Engine,
  refusalResponse,
  textOfBody,
} from '../../requests/engine.ts'

export interface SessionApi extends PortalApi {
  /** A file as a stream. It contains all pages of its operation. */
  openFile(
    file: FileAnswer,
  ): Promise<{ readonly type: string; readonly pieces: AsyncIterable<Buffer> } | ApiError>
}

/** A HEAD request shows no page, so it must not buy anything. @param address source address of the request */
export function createSessionApi(
  engine: Engine,
  { keyHash }: PortalSession,
  address: string,
  reply: FastifyReply,
): SessionApi {
  /** Ends the running call. A session makes one call at a time, because a key has one slot. */
  let end = () => {}
  reply.raw.on('close', () => end())

  /** The response must be read before `end` is called. */
  async function perform(operation: OperationId, input: ApiInput): Promise<CallResponse> {
    const { method, path: template } = operations[operation]
    const params = input.params ?? {}
    const path = template.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(params[name]!))
    const requestId = createRequestId()
    if (reply.request.method === 'HEAD' && isCharged(operations[operation])) {
      const values = { method: 'HEAD', allowed: [method] }
      return refusalResponse(refuseFor('method_not_allowed', 'method', values), requestId)
    }
    const facts = { address, requestId, method, path, operationId: operation, accept: undefined }
    const call = await engine.admit({ keyHash }, facts)
    if (!(call instanceof Call)) return call
    let isOver = false
    end = () => {
      if (isOver) return
      isOver = true
      if (!reply.raw.writableFinished && reply.raw.destroyed) call.disconnect()
      call.end()
    }
    // The browser disconnected during the key lookup.
    if (reply.raw.closed) end()
    const query = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined)
    return engine.perform(call, {
      params: { ...params },
      query: Object.fromEntries(query),
      headers: { ...input.headers },
      body: { value: input.body },
    })
  }

  return {
    async call<K extends OperationId>(operation: K, input: ApiInput = {}): Promise<ApiCallResult<K>> {
      try {
        const response = await perform(operation, input)
        const text = await textOfBody(response.body)
        if (response.status >= 300) return { ok: false, error: errorOf(response, text) }
        return { ok: true, body: (text === '' ? undefined : JSON.parse(text)) as never }
      } finally {
        end()
      }
    },
    async openFile({ operation, input }) {
      const first = await perform(operation, input)
      if (first.status >= 300) {
        const error = errorOf(first, await textOfBody(first.body))
        end()
        return error
      }
      const pages = allPages(first)
      return { type: first.headers['content-type']!, pieces: pages }

      async function* allPages(page: CallResponse): AsyncGenerator<Buffer, void, undefined> {
        try {
          const hasHeading = page.headers['content-type']!.startsWith('text/csv')
          let response = page
          for (let at = 0; ; at++) {
            yield* piecesOf(response, hasHeading && at > 0)
            end()
            const next = nextQueryOf(response)
            if (!next) return
            response = await perform(operation, { ...input, query: next })
            // The file is incomplete: the connection is destroyed, so the browser reports a failed download.
            if (response.status >= 300)
              throw new Error(`A page of the download was refused with ${response.code}.`)
          }
        } finally {
          end()
        }
      }
    },
  }
}

/** Each page of CSV begins with the same header. */
async function* piecesOf({ body }: CallResponse, withoutHeading: boolean): AsyncGenerator<Buffer> {
  if (body === undefined) return
  let skipping = withoutHeading
  const whole = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body
  for await (const part of whole) {
    const bytes = Buffer.from(part)
    if (!skipping) {
      yield bytes
      continue
    }
    const lineEnd = bytes.indexOf('\n')
    if (lineEnd === -1) continue
    skipping = false
    yield bytes.subarray(lineEnd + 1)
  }
}

/** Plans and packs that the account and the key of a session may order. */
export function createSessionBilling(billing: Billing, asking: PortalSession): PortalBilling {
  return {
    view: () => billing.view(asking),
    order: (order) => billing.order(asking, order),
    openCheckout: (id) => billing.openCheckout(asking, id),
    checkPayment: (id) => billing.checkPayment(asking, id),
    withdraw: (id) => billing.withdraw(asking, id),
    downgrade: (plan) => billing.downgrade(asking, plan),
    withdrawDowngrade: () => billing.withdrawDowngrade(asking),
  }
}

/** The query of the next page, from the Link header. */
function nextQueryOf({ headers }: CallResponse): Record<string, string> | undefined {
  const next = /<[^>?]*\?([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1]
  return next === undefined ? undefined : Object.fromEntries(new URLSearchParams(next))
}

function errorOf({ status, headers }: CallResponse, text: string): ApiError {
  const { error } = text === '' ? { error: {} } : JSON.parse(text)
  const after = headers['retry-after']
  return {
    status,
    code: error.code ?? 'client_disconnected',
    message: error.message ?? '',
    requestId: error.request_id ?? '',
    details: error.details ?? {},
    retryAfterS: after === undefined ? undefined : Number(after),
  }
}

/** A form as a browser sends it. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '')
}
