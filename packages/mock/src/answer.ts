// ONE REQUEST to the mock. Read this first. The checks stand in the order of the service, and the first that fails
// answers; what a service decides by its state (credits, rate, stored listings and jobs) is decided by the header
// `Prefer` instead.
//
//   1 key · 2 route and method · 3 an error that was asked for · 4 body · 5 input · 6 the example
//
// An error that was asked for comes before the body is read, so that you can get every error without a valid call.

import type { IncomingMessage } from 'node:http'
import {
  affordableRows,
  cost,
  costOfRows,
  formatMessage,
  type Input as InputOf,
  isCharged,
  type OperationId,
  operationIds,
  operations,
  readMaxCredits,
  shownValue,
} from '@lotline/contract'
import {
  ESTIMATED_BODY,
  inputReader,
  isApiKey,
  MAX_IGNORED,
  prefersReso,
  RESO_TYPE,
  readEstimatedInput,
  refusedTypes,
  shortenFieldName,
  unknownFields,
} from '@lotline/contract/checks'
import type { CheckInput, Input } from '@lotline/contract/input'
import { isSearchJob, type SearchSize } from '@lotline/contract/search-mode'
import { readBody } from './body.ts'
import type { Example, Examples } from './examples.ts'
import { acceptedTypes } from './formats.ts'
import { createId } from './ids.ts'
import { readPreference } from './prefer.ts'
import { isRefusal, type Refusal } from './refusal.ts'
import { exampleReply, type Reply, refusalReply, withTag } from './reply.ts'
import { findRoute, type Route } from './routes.ts'
import {
  countRowsInBody,
  cursorAt,
  pageOfBody,
  pageOfText,
  type RowRequest,
  rowsAsked,
  rowsBefore,
  withinLimit,
} from './rows.ts'
import { judgeByRules } from './rules.ts'
import { unreadOfSearchUrl } from './search-url.ts'

const ESTIMATE_TYPE = 'application/vnd.lotline.estimate+json'

/** Responds to a request. Reads its body and writes nothing. */
export type Answer = (request: IncomingMessage) => Promise<Reply>

/** The chosen example and the page of its rows to return. */
interface ChosenExample {
  readonly operationId: OperationId
  readonly example: Example
  /** The JSON body of `example` if it was converted to a text format. */
  readonly json?: unknown
  readonly name: string | undefined
  readonly asked: RowRequest
  /** Input of the call that the contract does not name. */
  readonly ignored?: readonly string[] | undefined
}

export function createAnswer(examples: Examples, checkInput: CheckInput): Answer {
  return async (request) => {
    const target = request.url ?? '/'
    const [path = '/'] = target.split('?', 1)
    const query = new URLSearchParams(target.slice(path.length))
    const requestId = createId('req')
    const outcome = await decide(request, path, query)
    if (isRefusal(outcome)) return refusalReply(outcome, requestId)
    const reply = replyOf(outcome, path, query, requestId)
    const given = { operationId: outcome.operationId, requestId, target }
    return withTag(reply, given, request.headers)
  }

  async function decide(
    request: IncomingMessage,
    path: string,
    query: URLSearchParams,
  ): Promise<ChosenExample | Refusal> {
    if (!/^\/v1(\/|$)/.test(path)) {
      return { code: 'not_found', message: formatMessage('not_found', 'path', {}), anonymous: true }
    }
    const keyless = judgeKey(request.headers.authorization)
    if (keyless) return keyless
    const route = findRoute(request.method ?? 'GET', path)
    if (isRefusal(route)) return route
    const { operationId } = route
    const preference = readPreference(request.headers.prefer)
    if (isRefusal(preference)) return preference
    const preferred = examples.choose(operationId, preference, lowestSuccess(operationId))
    if (isRefusal(preferred)) return preferred
    if (preferred.status >= 400) {
      const example = await examples.give(operationId, preferred, [])
      const asked = { limit: undefined, offset: undefined }
      return isRefusal(example) ? example : { operationId, example, name: preferred.example, asked }
    }

    const body = route.operation.hasBody ? await readBody(request) : { value: undefined }
    if (isRefusal(body)) return body
    const input: Input = {
      params: route.params,
      query: Object.fromEntries(query),
      headers: { ...request.headers },
      body: body.value,
    }
    // The contract shows the estimate only for dry runs, so that its name is a wish for one.
    const isDry = preference.dryRun || examples.specialType(operationId, preferred) === ESTIMATE_TYPE
    const { accept } = request.headers
    const types = refusedTypes(operationId, { accept, isDryRun: isDry })
    if (types) {
      const message = formatMessage('not_acceptable', 'offered', { types, value: shownValue(accept) })
      return { code: 'not_acceptable', message }
    }
    const hasUnreadBody = !route.operation.hasBody && Number(request.headers['content-length'] ?? 0) > 0
    const unknown = inputReader(operationId)({ ...input, hasUnreadBody })
    if (
      input.query.shape === undefined &&
      input.query.format === undefined &&
      prefersReso(operationId, accept)
    )
      Object.assign(input.query, { shape: 'reso' })
    const fault =
      judgeRepetition(route, query) ?? checkInput(operationId, input) ?? judgeByRules(operationId, input)
    if (fault) return fault
    const estimated = operationId === 'estimateCall' ? judgeEstimated(input) : []
    if (isRefusal(estimated)) return estimated
    if (preference.dryRun && isCharged(operations[operationId])) return dryRun(operationId, unknown)
    const maxCredits = readMaxCredits(input)
    const tooDear = judgeLimit(operationId, input, maxCredits)
    if (tooDear) return tooDear
    const ignored = withNames(unknown, [...estimated, ...unreadIn(operationId, input)])

    const success = startsJob(input) ? 202 : 200
    const usual = success in route.operation.statuses ? success : lowestSuccess(operationId)
    const wanted = examples.choose(operationId, preference, usual)
    if (isRefusal(wanted)) return wanted
    const accepted = acceptedTypes(input.query.format, request.headers.accept)
    const isReso = input.query.shape === 'reso'
    const example = await examples.give(operationId, wanted, isReso ? [RESO_TYPE] : accepted)
    return isRefusal(example)
      ? example
      : {
          operationId,
          ...inFormat(example, input.query.format),
          name: wanted.example,
          ignored,
          asked: { ...rowsAsked(input), ...rowsWithin(operationId, maxCredits) },
        }
  }

  /** The estimated cost, returned instead of the call. */
  async function dryRun(
    operationId: OperationId,
    ignored: readonly string[] | undefined,
  ): Promise<ChosenExample | Refusal> {
    const wanted = { status: 200, example: 'dry_run', dynamic: false }
    const example = await examples.give(operationId, wanted, [ESTIMATE_TYPE])
    if (isRefusal(example)) return example
    const { data } = example.body as { readonly data: object }
    const body = { ...(example.body as object), data: { ...data, operation: operationId } }
    const asked = { limit: undefined, offset: undefined }
    return { operationId, example: { ...example, body }, name: 'dry_run', asked, ignored }
  }

  /** Judges the call that is estimated as it would be judged itself. What of it has no effect. */
  function judgeEstimated({ body, headers }: Input): Refusal | readonly string[] {
    const { operation, input = {} } = body as InputOf<'estimateCall'>['body']
    const estimated = operationIds.find((id) => id === operation)
    if (!estimated) {
      const values = { place: 'operation', value: operation }
      const message = formatMessage('invalid_parameter', 'operation', values)
      return { code: 'invalid_parameter', message, details: { parameter: 'operation' } }
    }
    if (estimated === 'estimateCall') {
      const message = formatMessage('invalid_parameter', 'estimate_of_estimate', { place: 'operation' })
      return { code: 'invalid_parameter', message, details: { parameter: 'operation' } }
    }
    if (operations[estimated].hasBody && (input.body === undefined || input.body === null))
      return { code: 'missing_input', message: formatMessage('missing_input', 'body', {}) }
    const { input: asked, ignored } = readEstimatedInput(estimated, input, { ...headers })
    const fault = checkInput(estimated, asked as Input) ?? judgeByRules(estimated, asked as Input)
    return fault ?? [...ignored, ...unreadIn(estimated, asked as Input).map((name) => ESTIMATED_BODY + name)]
  }

  function replyOf(
    { operationId, example, json, name, asked, ignored }: ChosenExample,
    path: string,
    query: URLSearchParams,
    requestId: string,
  ): Reply {
    const { status, mediaType = '', body } = example
    if (typeof body === 'string') {
      // Text formats have in headers what JSON has in `meta`.
      const page = withinLimit(pageOfBody(json ?? examples.jsonBody(operationId, status, name), asked), asked)
      const facts = { ...countRowsInBody(page), ignored }
      const next = nextPage(operationId, path, query, facts.count)
      return exampleReply(operationId, example, pageOfText(body, mediaType, asked), facts, next, requestId)
    }
    const names = withUnknownFields(ignored, query, body)
    const page =
      body === undefined
        ? undefined
        : withIgnored(withinLimit(pageOfBody(body, asked), asked) as BodyWithMeta, names)
    const facts = { ...countRowsInBody(page), ...(body === undefined && { ignored }) }
    return exampleReply(
      operationId,
      example,
      page,
      facts,
      nextPage(operationId, path, query, facts.count),
      requestId,
    )
  }
}

/** RESO rows as the text that `format` asks for. The contract has them as JSON only; no value of theirs is an object or a list. */
function inFormat(example: Example, format: unknown): Pick<ChosenExample, 'example' | 'json'> {
  const isText = format === 'csv' || format === 'ndjson'
  if (example.mediaType !== RESO_TYPE || !isText) return { example }
  const { value } = example.body as { readonly value: readonly Readonly<Record<string, unknown>>[] }
  const names = [...new Set(value.flatMap(Object.keys))]
  const lines =
    format === 'ndjson'
      ? value.map((row) => JSON.stringify(row))
      : [names.join(','), ...value.map((row) => names.map((name) => csvField(row[name])).join(','))]
  const mediaType = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  return { example: { ...example, mediaType, body: lines.join('\n') }, json: example.body }
}

function csvField(value: unknown): string {
  const text = String(value ?? '')
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type BodyWithMeta = { readonly meta?: object }

function withIgnored(body: BodyWithMeta, ignored: readonly string[] | undefined): BodyWithMeta {
  return ignored ? { ...body, meta: { ...body.meta, ignored } } : body
}

function judgeKey(header: string | undefined): Refusal | undefined {
  const headers = { 'WWW-Authenticate': 'Bearer realm="lotline"' }
  if (header === undefined || header.trim() === '') {
    const message = formatMessage('missing_api_key', 'absent', {})
    return { code: 'missing_api_key', message, headers, anonymous: true }
  }
  const key = /^bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (key !== undefined && isApiKey(key)) return undefined
  const message = formatMessage('invalid_api_key', 'malformed', {})
  return { code: 'invalid_api_key', message, headers, anonymous: true }
}

function judgeRepetition({ operation }: Route, query: URLSearchParams): Refusal | undefined {
  const name = operation.queryParameters.find((candidate) => query.getAll(candidate).length > 1)
  if (name === undefined) return undefined
  const message = formatMessage('invalid_parameter', 'repeated', { place: name })
  return { code: 'invalid_parameter', message, details: { parameter: name } }
}

/** The response if the call costs more than its limit. */
function judgeLimit(
  operationId: OperationId,
  input: Input,
  maxCredits: number | undefined,
): Refusal | undefined {
  if (maxCredits === undefined) return undefined
  const least =
    startsJob(input) || !(200 in operations[operationId].statuses)
      ? costOfRows(operationId, 1)
      : cost(operationId, input as InputOf<OperationId>).min
  if (least <= maxCredits) return undefined
  const values = { required: least, max_credits: maxCredits }
  return {
    code: 'max_credits_exceeded',
    message: formatMessage('max_credits_exceeded', 'call', values),
    details: values,
  }
}

function rowsWithin(operationId: OperationId, maxCredits: number | undefined) {
  const [stage] = operations[operationId].price.stages
  return maxCredits === undefined || stage?.per !== 'row'
    ? {}
    : { affordable: affordableRows([stage], maxCredits) }
}

/** The status filter that an operation forces on every search. */
const FORCED: Partial<Record<OperationId, string>> = {
  searchForSale: 'for_sale',
  searchForRent: 'for_rent',
  searchSold: 'sold',
}

/** The parts of search URLs in a body that have no effect. */
function unreadIn(operationId: OperationId, { body }: Pick<Input, 'body'>): readonly string[] {
  const { searchUrls } = (body ?? {}) as { readonly searchUrls?: readonly { readonly url: string }[] }
  if (!Array.isArray(searchUrls)) return []
  return searchUrls.flatMap(({ url }, index) =>
    unreadOfSearchUrl(url, FORCED[operationId]).map((name) => `searchUrls.${index}.url.${name}`),
  )
}

/** The paths of `fields` that neither the contract nor the example has. */
function withUnknownFields(
  ignored: readonly string[] | undefined,
  query: URLSearchParams,
  body: unknown,
): readonly string[] | undefined {
  const fields = query.get('fields')
  if (fields === null || ignored?.includes('fields')) return ignored
  const { data } = (body ?? {}) as { readonly data?: unknown }
  return withNames(ignored, unknownFields(fields, [data].flat()))
}

function withNames(
  known: readonly string[] | undefined,
  more: readonly string[],
): readonly string[] | undefined {
  if (more.length === 0) return known
  return [...new Set([...(known ?? []), ...more.map(shortenFieldName)])].slice(0, MAX_IGNORED)
}

/** Whether the service would answer with a job, where the operation leaves that open. */
function startsJob({ query, body }: Input): boolean {
  return query.sync === false || isSearchJob((body ?? {}) as SearchSize)
}

function lowestSuccess(operationId: OperationId): number {
  return Math.min(...Object.keys(operations[operationId].statuses).map(Number))
}

function nextPage(operationId: OperationId, path: string, query: URLSearchParams, rows = 0): string {
  const next = new URLSearchParams(query)
  const before = Number(query.get('offset') ?? rowsBefore(query.get('cursor')) ?? 0)
  const byCursor = query.has('cursor') || !operations[operationId].queryParameters.includes('offset')
  if (byCursor) next.set('cursor', cursorAt(before + rows))
  else next.set('offset', String(before + rows))
  return `${path}?${next}`
}
