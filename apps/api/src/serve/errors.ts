// Everything Fastify itself would answer, in our envelope: unknown routes, wrong methods, bodies it cannot take. Under /v1
// each of these is an admitted call and gets its usage row.

import { operations } from '@lotline/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../refusal.ts'
import type { Pipeline } from '../request/pipeline.ts'
import { BODY_LIMIT_BYTES } from './http-limits.ts'
import { isV1 } from './server.ts'

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function answerUnknownRoutes(pipeline: Pipeline): Answer {
  return (request, reply) => {
    const allowed = isV1(request.url) ? methodsOf(request.url) : []
    if (allowed.length === 0) {
      return pipeline.refuseCall(request, reply, refuse('not_found', 'There is nothing at this path.'))
    }
    reply.header('allow', allowed.join(', '))
    return pipeline.refuseCall(
      request,
      reply,
      refuse('method_not_allowed', `This path answers ${allowed.join(' and ')}, not ${request.method}.`),
    )
  }
}

export function answerErrors(pipeline: Pipeline) {
  return async (error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const refusal = refusalOf(error)
    if (!refusal) return pipeline.fail(request, reply, error)
    try {
      return await pipeline.refuseCall(request, reply, refusal)
    } catch (failure) {
      // Its usage row could not be written. Nobody answers what is thrown here but Fastify, in words of its own.
      return pipeline.fail(request, reply, failure)
    }
  }
}

function refusalOf(error: FastifyError): Refusal | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('payload_too_large', `The body may be ${BODY_LIMIT_BYTES} bytes at most.`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse('unsupported_media_type', 'Send the body as application/json, without Content-Encoding.')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return refuse('missing_input', 'Send a JSON object as the body of the request.')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse('invalid_json', 'The body cannot be parsed as JSON.')
    default:
      return error instanceof SyntaxError
        ? refuse('invalid_json', 'The body cannot be parsed as JSON.')
        : undefined
  }
}

/** The methods that the contract has for a path. */
function methodsOf(url: string): string[] {
  const path = url.split('?', 1)[0]!
  const fitting = Object.values(operations).filter((operation) => patternOf(operation.path).test(path))
  return [...new Set(fitting.map((operation) => operation.method))]
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
