import { all, append, drop, put } from '../mutate.ts'
import { payload, webhook } from '../paths-in-example.ts'
import type { VerdictRow } from './row.ts'

export const breaking: readonly VerdictRow[] = [
  [
    'an event is no longer announced',
    'webhook-removed',
    'none',
    'webhook job.failed',
    drop('webhooks', 'job.failed'),
  ],
  [
    'a field of an event is removed',
    'field-removed',
    'response',
    'webhook job.succeeded → payload → application/json → id',
    all(drop(...payload, 'properties', 'id'), put(['job'], ...payload, 'required')),
  ],
  [
    'a field of an event may be absent',
    'field-became-optional',
    'response',
    'webhook job.succeeded → payload',
    put(['job'], ...payload, 'required'),
  ],
  [
    'a header of an event is removed',
    'parameter-removed',
    'response',
    'webhook job.succeeded → header webhook-id',
    drop(...webhook, 'parameters', 0),
  ],
  [
    'a header of an event may be absent',
    'parameter-became-optional',
    'response',
    'webhook job.succeeded → header webhook-id',
    put(false, ...webhook, 'parameters', 0, 'required'),
  ],
  [
    'an answer to an event is no longer accepted',
    'response-removed',
    'request',
    'webhook job.succeeded → answer → 200',
    drop(...webhook, 'responses', '200'),
  ],
  [
    'the payload of an event may be absent',
    'body-became-optional',
    'response',
    'webhook job.succeeded → payload',
    put(false, ...webhook, 'requestBody', 'required'),
  ],
]

export const harmless: readonly VerdictRow[] = [
  [
    'an event is added',
    'webhook-added',
    'none',
    'webhook job.aborted',
    put({ post: { responses: {} } }, 'webhooks', 'job.aborted'),
  ],
  [
    'a field of an event is added',
    'field-added',
    'response',
    'webhook job.succeeded → payload → application/json → attempt',
    put({ type: 'integer' }, ...payload, 'properties', 'attempt'),
  ],
  [
    'an event gets a required header',
    'parameter-added',
    'response',
    'webhook job.succeeded → header webhook-attempt',
    append(
      { name: 'webhook-attempt', in: 'header', required: true, schema: { type: 'integer' } },
      ...webhook,
      'parameters',
    ),
  ],
  [
    'a further answer to an event is accepted',
    'response-added',
    'request',
    'webhook job.succeeded → answer → 202',
    put({ description: 'Taken.' }, ...webhook, 'responses', '202'),
  ],
]
