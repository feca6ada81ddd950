// A small sound operation, and its parts that a test puts a fault into.

export interface Example {
  value?: { error: { code: string } }
  $ref?: string
}
export interface MediaType {
  schema: object
  example?: unknown
  examples?: Record<string, Example>
}
export interface Response {
  description: string
  headers?: Record<string, { required?: boolean; schema: object }>
  links?: object
  'x-error-codes'?: string[]
  content?: Record<string, MediaType>
}
export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  'x-credits'?: unknown
  'x-actor'?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, Response | { $ref: string }>
}
export interface Parameter {
  name: string
  in: string
  required?: boolean
  allowEmptyValue?: boolean
  schema: { type: string; minimum?: number; maximum?: number; default?: number; format?: string }
}

export const errorResponse = (...codes: string[]): Response => ({
  description: 'It went wrong.',
  'x-error-codes': codes,
  content: {
    'application/json': {
      schema: { type: 'object', additionalProperties: true },
      examples: Object.fromEntries(codes.map((code) => [code, { value: { error: { code } } }])),
    },
  },
})

export const LIMIT = { type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER }

export const soundOperation = (): Operation => ({
  operationId: 'getHome',
  summary: 'Read a home',
  description: 'Returns a home. It costs 1 credit.',
  tags: ['Homes'],
  'x-credits': { price: 1, per: 'call' },
  'x-actor': 'detail',
  parameters: [
    { name: 'X-Max-Credits', in: 'header', schema: LIMIT },
    { name: 'max_credits', in: 'query', allowEmptyValue: false, schema: LIMIT },
  ],
  responses: {
    '200': {
      description: 'The home.',
      content: {
        'application/json': { schema: { type: 'object', additionalProperties: true }, example: {} },
      },
    },
    ...Object.fromEntries(
      ['402', '403', '406', '414', '429', '431', '500', '503', '504'].map((status) => [
        status,
        errorResponse('failed'),
      ]),
    ),
    '401': { $ref: '../responses/Unauthorized.json' },
  },
})

/** The responses of a broken operation are inline, all but 401, so that a fault can be put into them. */
export const inline = (operation: Operation, status: string) => operation.responses[status] as Response
export const content = (operation: Operation, status: string) =>
  inline(operation, status).content?.['application/json'] as MediaType

export interface PathItem {
  get?: Operation
  post?: Operation
  patch?: Operation
  delete?: Operation
}
