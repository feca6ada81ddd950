import { describe, expect, it, vi } from 'vitest'
import { bundleSpec, ContractError, generate } from '../src/index.ts'
import { copyContract } from './contract-copy.ts'

// Each test starts the bundler, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** File, text in it, what replaces it, and the fault that this must give. */
const FAULTS: readonly (readonly [file: string, from: string, to: string, fault: string])[] = [
  [
    'paths/homes.yaml',
    'operationId: listHomes',
    'operationId: getHome',
    'getHome: the operationId is used twice',
  ],
  [
    'paths/homes.yaml',
    '  operationId: listHomes\n',
    '',
    'GET /v1/homes: the operationId must be a camelCase name',
  ],
  ['paths/homes.yaml', 'tags: [Homes]', 'tags: [Homes, More]', 'listHomes: exactly one tag is needed'],
  [
    'paths/homes.yaml',
    'x-actor: search',
    'x-actor: robot',
    'listHomes: x-actor must be one of detail, search, account',
  ],
  [
    'paths/homes.yaml',
    '  x-sdk: homes.list\n',
    '',
    'listHomes: x-sdk must be a method of the SDKs, like jobs.list',
  ],
  [
    'paths/homes.yaml',
    'x-sdk: homes.list',
    'x-sdk: homes.get',
    'listHomes: x-sdk names homes.get, the method of another operation',
  ],
  [
    'paths/homes.yaml',
    'x-sdk: homes.list',
    'x-sdk: homes.list\n  x-sample: { parameters: [color] }',
    'listHomes: x-sample.parameters has color, which is no query parameter of the operation',
  ],
  [
    'paths/homes.yaml',
    'x-sdk: homes.list',
    'x-sdk: homes.list\n  x-sample: { row: true }',
    'listHomes: x-sample.row is unknown',
  ],
  [
    'paths/homes.yaml',
    '  x-credits: { price: 1, per: row, minimum: 1 }\n',
    '',
    'listHomes: x-credits is missing',
  ],
  [
    'paths/homes.yaml',
    'price: 1, per: row',
    'price: 0.5, per: row',
    'listHomes: x-credits.price must be a whole number of at least 0',
  ],
  ['paths/homes.yaml', 'per: row', 'per: month', 'listHomes: x-credits.per must be call or row'],
  [
    'paths/homes.yaml',
    'minimum: 1 }',
    'minimum: -1 }',
    'listHomes: x-credits.minimum must be a whole number of at least 0',
  ],
  ['paths/homes.yaml', 'minimum: 1 }', 'minimun: 1 }', 'listHomes: x-credits.minimun is unknown'],
  [
    'paths/homes.yaml',
    'per: row, minimum: 1',
    'per: call, minimum: 1',
    'listHomes: x-credits.minimum has a meaning per row only',
  ],
  [
    'paths/homes.yaml',
    'x-actor: search',
    "x-actor: search\n  x-charged-for: ''",
    'listHomes: x-charged-for must be the name of what is charged',
  ],
  [
    'paths/homes.yaml',
    'x-actor: search',
    'x-actor: search\n  x-charged-for: visit',
    'listHomes: x-charged-for needs a price per row without a minimum',
  ],
  [
    'paths/homes.search.yaml',
    'detail: { price',
    'extra: { price',
    'searchHomes: x-credits has the unknown stage extra; known are search and detail',
  ],
  [
    'paths/homes.yaml',
    '[missing_input, invalid_limit]',
    '[missing_input, invalid_limits]',
    'listHomes 400: invalid_limits is not in schemas/ErrorCode',
  ],
  [
    'paths/homes.yaml',
    '[missing_input, invalid_limit]',
    '[missing_input, not_found]',
    'listHomes 400: not_found goes with 404, says the table of schemas/ErrorCode',
  ],
  [
    'paths/homes.yaml',
    '      x-error-codes: [missing_input, invalid_limit]\n',
    '',
    'listHomes 400: x-error-codes must list the codes that the operation gives with this status',
  ],
  [
    'paths/homes.yaml',
    '"401":',
    'default:',
    'listHomes: the response "default" is not a status; every status is listed by its number',
  ],
  [
    'paths/homes.{id}.yaml',
    '"204": { description: Forgotten. }',
    '"204": { description: Forgotten., x-error-codes: [not_found] }',
    'deleteHome 204: x-error-codes belongs to a refusal only',
  ],
  [
    'paths/homes.{id}.yaml',
    '    "204": { description: Forgotten. }\n',
    '',
    'deleteHome: a success status is missing',
  ],
  [
    'schemas/ErrorCode.yaml',
    '  | `not_found` | 404 | There is no such home. | Check the id. | |\n',
    '',
    'schemas/ErrorCode: not_found has no row in the table of the description',
  ],
  [
    'schemas/ErrorCode.yaml',
    ', method_not_allowed]',
    ']',
    'schemas/ErrorCode: the table has method_not_allowed, the list has not',
  ],
  [
    'schemas/ErrorCode.yaml',
    '| 405 |',
    '| - |',
    'schemas/ErrorCode: method_not_allowed has no status of three digits',
  ],
  [
    'schemas/ErrorCode.yaml',
    '| Code | Status |',
    '| Name | Status |',
    'schemas/ErrorCode: the description needs a table with the columns Code, Status, Meaning, What to do, `details`',
  ],
  [
    'schemas/Error.yaml',
    ', x-details-of: [invalid_limit]',
    '',
    'schemas/Error: details.maximum needs x-details-of, its error codes',
  ],
  [
    'schemas/Error.yaml',
    'x-details-of: [invalid_limit]',
    'x-details-of: [invalid_limit, not_found]',
    'schemas/Error: details.maximum has not_found, whose row in schemas/ErrorCode has no maximum',
  ],
  [
    'schemas/ErrorCode.yaml',
    '`parameter`, `maximum` |',
    '`parameter`, `maximum`, `minimum` |',
    'schemas/ErrorCode: invalid_limit has minimum, whose x-details-of in schemas/Error has no invalid_limit',
  ],
]

describe('an invalid contract is refused, and the error names the fault', () => {
  it.each(FAULTS)('%s: "%s" made "%s"', async (file, from, to, fault) => {
    await using copy = await copyContract()
    await copy.edit(file, from, to)
    const failure = await generate(copy.specFile).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ContractError)
    expect((failure as ContractError).faults).toContain(fault)
  })

  it('reports a constraint beside a reference', async () => {
    await using copy = await copyContract()
    await copy.edit(
      'paths/homes.yaml',
      '$ref: ../schemas/Format.yaml',
      '$ref: ../schemas/Format.yaml, minLength: 1',
    )
    await expect(generate(copy.specFile)).rejects.toThrow(
      /minLength stands beside a reference; put the reference into allOf/,
    )
  })

  it('names every fault in one run', async () => {
    await using copy = await copyContract()
    await copy.edit('paths/homes.yaml', 'per: row', 'per: month')
    await copy.edit('paths/homes.search.yaml', 'x-actor: search', 'x-actor: robot')
    await expect(generate(copy.specFile)).rejects.toThrow(/listHomes: .*\n.*searchHomes: /)
  })
})

describe('a contract that cannot be bundled is refused with the error of the bundler', () => {
  it('for a reference to an absent file', async () => {
    await using copy = await copyContract()
    await copy.edit('paths/homes.yaml', '../schemas/Home.yaml', '../schemas/House.yaml')
    await expect(generate(copy.specFile)).rejects.toThrow(
      /openapi\.yaml could not be bundled[\s\S]*House\.yaml/,
    )
  })

  it('for an absent contract', async () => {
    await expect(generate('/nowhere/openapi.yaml')).rejects.toThrow(
      '/nowhere/openapi.yaml could not be bundled',
    )
  })
})

describe('two files with the same name', () => {
  it('are refused if the name is that of a type', async () => {
    await using copy = await copyContract()
    await copy.edit(
      'paths/homes.yaml',
      'schema: { type: string }',
      'schema: { $ref: ../parameters/Home.yaml }',
    )
    await copy.add('parameters/Home.yaml', 'type: string\n')
    await expect(generate(copy.specFile)).rejects.toThrow(
      'schemas/Home: two files share this name; rename one',
    )
  })

  it('are refused if one is a schema and the other a parameter', async () => {
    await using copy = await copyContract()
    await copy.edit('paths/homes.{id}.yaml', 'parameters/HomeId.yaml', 'parameters/Home.yaml')
    await copy.add('parameters/Home.yaml', 'name: id\nin: path\nrequired: true\nschema: { type: string }\n')
    await expect(generate(copy.specFile)).rejects.toThrow(
      'parameters/Home: a schema has this name too; rename one',
    )
  })

  it('are both kept if they are examples', async () => {
    await using copy = await copyContract()
    await copy.edit('paths/homes.yaml', '../examples/errors/missing_input.yaml', '../examples/not_found.yaml')
    await copy.add('examples/not_found.yaml', 'summary: Another\nvalue: 1\n')
    const { components } = await bundleSpec(copy.specFile)
    expect(Object.keys(components?.examples ?? {})).toEqual(['missing_api_key', 'not_found', 'not_found-2'])
  })
})
