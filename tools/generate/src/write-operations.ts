import { isSuccess, type OperationEntry } from './read-operations.ts'
import { HEADER, inlineUnion, list, property, quote, union } from './typescript-text.ts'

/** The text of `operations.ts`: the ids as a union, the operation table, and each operation's types. */
export function writeOperations(operations: readonly OperationEntry[]): string {
  return `${HEADER}
import type { Operation } from '../operation.ts'
import type { AnswerOf, BodyOf, HeadersOf, ParamsOf, PatchOf, QueryOf, RefusalOf } from '../wire.ts'

export type OperationId =${union(operations.map(({ id }) => id))}

/** The methods of the SDKs, one for each operation. */
export type SdkMethod =${union(operations.map(({ sdkMethod }) => sdkMethod))}

/** What the contract states about each operation, in the order of the contract. */
export const operations: { readonly [Id in OperationId]: Operation } = {
${operations.map(tableEntry).join('')}}

/** The ids of all operations, in the order of the contract. */
export const operationIds = Object.keys(operations) as readonly OperationId[]

/** What goes into and comes out of each operation, as its handler sees it: validated, with defaults filled in. */
export interface Operations {
${operations.map(interfaceEntry).join('')}}
`
}

function tableEntry(entry: OperationEntry): string {
  const answers = [...entry.statuses]
  const successes = answers.filter(([status]) => isSuccess(status))
  const formats = new Set(successes.flatMap(([, answer]) => answer.formats))
  const stages = entry.stages.map(
    ({ stage, price, per, minimum }) =>
      `{ stage: ${stage === null ? 'null' : quote(stage)}, price: ${price}, per: ${quote(per)}, minimum: ${minimum} }`,
  )
  return `  ${entry.id}: {
    method: ${quote(entry.method)},
    path: ${quote(entry.path)},
    tag: ${quote(entry.tag)},
    actor: ${quote(entry.actor)},
    price: { stages: [${stages.join(', ')}]${entry.chargedFor === undefined ? '' : `, chargedFor: ${quote(entry.chargedFor)}`} },
    statuses: {
${answers
  .map(
    ([status, answer]) =>
      `      ${property(status, `{ errors: ${list(answer.errors)}, formats: ${list(answer.formats)} }`)},\n`,
  )
  .join('')}    },
    acceptsFormats: ${list([...formats])},
    hasBody: ${entry.hasBody},
    queryParameters: ${list(entry.queryParameters)},
    sdk: { method: ${quote(entry.sdkMethod)}, positional: ${list(entry.positional)} },
    sample: { parameters: ${list(entry.sample.parameters)}, rows: ${entry.sample.rows} },
  },
`
}

function interfaceEntry({ id, method, statuses, queryDefaults, bodyDefaults }: OperationEntry): string {
  const name = quote(id)
  const answers = [...statuses].map(([status, { errors }]) =>
    errors.length === 0
      ? `      ${status}: AnswerOf<${name}, ${status}>\n`
      : `      ${status}: RefusalOf<${name}, ${status}, ${inlineUnion(errors)}>\n`,
  )
  return `  ${id}: {
    params: ParamsOf<${name}>
    query: QueryOf<${[name, ...defaulted(queryDefaults)].join(', ')}>
    headers: HeadersOf<${name}>
    body: ${method === 'PATCH' ? 'PatchOf' : 'BodyOf'}<${[name, ...defaulted(bodyDefaults)].join(', ')}>
    responses: {
${answers.join('')}    }
  }
`
}

function defaulted(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [inlineUnion(names)]
}
