// The HTTP transport of the API: turns a request into the input of a call, and the engine's result into a response. One hook does all of
// it. Fastify only finds the route; it neither reads nor validates a body.

import type { ServerResponse } from 'node:http'
import type { ErrorCode, OperationId } from '@lotline/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../infrastructure/config.ts'
import { Call, type CallFacts, CLIENT_DISCONNECTED_RESPONSE, type Engine } from '../../requests/engine.ts'
import { type CallLog, createCallLog } from '../http/call-log.ts'
import { compress } from '../http/compress.ts'
import { RequestBody } from '../http/request-body.ts'
import { cutWhenStalled, send } from '../http/send.ts'
import { sourceAddressReader } from '../http/source-address.ts'
import type { AnswerAs } from './operation-routes.ts'

export interface CallsDeps {
  readonly config: Pick<Config, 'trustedProxies'>
  readonly log: Logger
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the call is admitted (calls.ts). */
    call: Call | undefined
    /** Whether the request must be admitted: it is under /v1, or a call of a tool. */
    isCall: boolean | undefined
    /** Set when the response is an error. */
    refusedAs: ErrorCode | undefined
  }
  interface FastifyContextConfig {
    /** The operationId of the route; absent outside /v1. */
    operationId?: OperationId
  }
}

/** Answers the requests of a route: as calls of the operation, or as calls that no operation answers. */
export function createAnswerAs(
  engine: Engine,
  { log, config: { trustedProxies } }: Pick<CallsDeps, 'log' | 'config'>,
): AnswerAs {
  const addressOf = sourceAddressReader(trustedProxies)
  const callLog = createCallLog(log)
  return (operationId) => (request, reply) => {
    request.isCall = true
    return answerCall(engine, callLog, { address: addressOf(request.raw), operationId }, request, reply)
  }
}

/** Every request under /v1 is a call, even if its path is unknown. */
export function answerUnknownPaths(server: FastifyInstance, answerAs: AnswerAs): void {
  const answer = answerAs()
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404 && isV1(request.url)) return answer.call(server, request, reply)
  })
}

async function answerCall(
  engine: Engine,
  callLog: CallLog,
  { address, operationId }: Pick<CallFacts, 'address' | 'operationId'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, raw } = request
  const from = performance.now()
  const call = await engine.admit(headers.authorization, {
    address,
    requestId: request.id,
    method: request.method,
    path: request.url.split('?', 1)[0]!,
    operationId,
    accept: headers.accept,
  })
  if (!(call instanceof Call)) {
    if (call.isGuess) callLog.guess()
    else callLog.whenOver(request, reply, from)
    return send(reply, call)
  }
  request.call = call
  callLog.whenOver(request, reply, from)
  endWhenOut(call, reply.raw)
  const body = new RequestBody(raw)
  const response = await engine.perform(call, {
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    headers,
    body,
  })
  if (response === CLIENT_DISCONNECTED_RESPONSE) return reply.hijack()
  // The client is still sending a body that will not be read.
  if (body.tooLong) reply.header('connection', 'close')
  if (response.headers.etag !== undefined) reply.header('vary', withTagVary(reply.getHeader('vary')))
  const sending = compress(reply, response, headers['accept-encoding'])
  send(reply, response, sending instanceof Promise ? await sending : sending)
  cutWhenStalled(reply.raw)
  return reply
}

/** Ends the call once, when its response is sent or its connection is closed. */
function endWhenOut(call: Call, response: ServerResponse): void {
  const over = () => {
    if (!response.writableFinished) call.disconnect()
    call.end()
  }
  // A client that disconnected during the key lookup is not reported a second time.
  if (response.closed) over()
  // This event follows `finish`, and comes alone when the connection breaks.
  else response.on('close', over)
}

/** Whether a path is under /v1 and therefore needs a key. */
function isV1(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url)
}

/** The value of Vary for a response with an ETag. */
function withTagVary(before: unknown): string {
  const names = 'Authorization, Accept, Accept-Encoding'
  return before === undefined ? names : `${String(before)}, ${names}`
}
