import type { JsonObject } from '../src/json.ts'

/**
 * A small contract with a bit of everything: a shared type that contains itself, a type put together from parts,
 * unions, maps, forms of null, error codes, prices, lists as CSV, and a webhook.
 */
export const exampleContract: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Homes', version: '1.0.0', description: 'An example.' },
  servers: [{ url: '/', description: 'This host' }],
  security: [{ bearer: [] }],
  tags: [{ name: 'Homes' }],
  paths: {
    '/v1/homes/{id}': {
      parameters: [{ $ref: '#/components/parameters/HomeId' }],
      get: {
        operationId: 'getHome',
        summary: 'One home',
        tags: ['Homes'],
        'x-credits': { price: 1, per: 'call' },
        parameters: [
          {
            name: 'fields',
            in: 'query',
            style: 'form',
            explode: false,
            schema: { type: 'string', maxLength: 500 },
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'since', in: 'query', required: true, schema: { type: 'string', format: 'date-time' } },
          { name: 'X-Dry-Run', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          '200': {
            description: 'The home.',
            headers: {
              'X-Request-Id': { $ref: '#/components/headers/RequestId' },
              'X-Credits-Charged': { required: true, schema: { type: 'integer', minimum: 0 } },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['data', 'cached'],
                  properties: { data: { $ref: '#/components/schemas/Home' }, cached: { type: 'boolean' } },
                },
                examples: { one: { summary: 'A home', value: { data: { id: '1' }, cached: true } } },
              },
            },
          },
          '203': { description: 'An estimate.', 'x-only-with': 'X-Dry-Run' },
          '400': { $ref: '#/components/responses/BadRequest' },
          '404': {
            description: 'No such home.',
            'x-error-codes': ['not_found'],
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        },
      },
      delete: { operationId: 'deleteHome', responses: { '204': { description: 'Gone.' } } },
    },
    '/v1/search': {
      post: {
        operationId: 'searchHomes',
        'x-ignored-input': ['filters.agentName'],
        'x-credits': {
          stages: { search: { price: 1, per: 'row', minimum: 1 }, detail: { price: 2, per: 'row' } },
        },
        parameters: [
          {
            name: 'format',
            in: 'query',
            schema: {
              type: 'string',
              enum: ['json', 'csv'],
              default: 'json',
              'x-error-code': 'invalid_parameter',
            },
          },
          {
            name: 'types',
            in: 'query',
            allowEmptyValue: true,
            schema: { type: 'array', items: { type: 'string' }, maxItems: 5 },
          },
        ],
        requestBody: {
          required: false,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Search' } },
            'application/x-ndjson': { schema: { type: 'string' } },
          },
        },
        responses: {
          '200': {
            description: 'Homes.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['data'],
                  properties: {
                    data: { type: 'array', maxItems: 100, items: { $ref: '#/components/schemas/Home' } },
                    meta: { type: 'object', properties: { count: { type: 'integer', minimum: 0 } } },
                  },
                },
              },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          '202': {
            description: 'A job.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Job' } } },
          },
          '400': { $ref: '#/components/responses/BadRequest' },
        },
      },
    },
    '/v1/photos': {
      post: {
        operationId: 'addPhoto',
        security: [{ header: [] }],
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { photo: { type: 'string' }, note: { type: 'string' } },
              },
              encoding: { photo: { contentType: 'image/png' } },
            },
          },
        },
        responses: { '204': { description: 'Added.' } },
      },
    },
    '/v1/status': {
      get: {
        operationId: 'getStatus',
        servers: [{ url: '/' }, { url: 'https://b.example.com' }],
        security: [],
        responses: { '200': { description: 'Well.' } },
      },
    },
  },
  webhooks: {
    'job.succeeded': {
      post: {
        operationId: 'onJobSucceeded',
        parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['id', 'job'],
                properties: { id: { type: 'string' }, job: { $ref: '#/components/schemas/Job' } },
              },
            },
          },
        },
        responses: { '200': { description: 'Taken.' } },
      },
    },
    'job.failed': { post: { operationId: 'onJobFailed', responses: { '200': { description: 'Taken.' } } } },
  },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'Your key.' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: {
            tokenUrl: 'https://example.com/token',
            scopes: { read: 'Read homes.', write: 'Change homes.' },
          },
        },
      },
    },
    parameters: {
      HomeId: {
        name: 'id',
        in: 'path',
        required: true,
        schema: {
          type: 'string',
          pattern: '^[0-9]+$',
          minLength: 1,
          maxLength: 20,
          'x-error-code': 'invalid_id',
        },
      },
    },
    headers: { RequestId: { required: true, schema: { type: 'string', pattern: '^req_' } } },
    responses: {
      BadRequest: {
        description: 'Wrong input.',
        'x-error-codes': ['invalid_id', 'invalid_parameter'],
        headers: { 'Retry-After': { schema: { type: 'integer' } } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
    schemas: {
      Home: {
        description: 'A home.',
        allOf: [{ $ref: '#/components/schemas/Located' }],
        type: 'object',
        required: ['id', 'status'],
        additionalProperties: true,
        properties: {
          id: { type: 'string', pattern: '^[0-9]+$' },
          status: { type: 'string', enum: ['for_sale', 'sold'], description: 'Its status.' },
          price: { type: ['integer', 'null'], minimum: 0 },
          area: { type: 'number' },
          title: { type: 'string', maxLength: 80 },
          listedAt: { type: 'string', format: 'date-time', 'x-filled-for': ['house', 'lot'] },
          photos: { type: 'array', items: { type: 'object', properties: { url: { type: 'string' } } } },
          scores: { type: 'object', additionalProperties: { type: 'integer' } },
          agent: { oneOf: [{ $ref: '#/components/schemas/Agent' }, { type: 'null' }] },
          units: { type: 'array', items: { $ref: '#/components/schemas/Home' } },
          secret: { type: 'string', writeOnly: true },
          kind: { const: 'home' },
          extras: { type: 'object', propertyNames: { maxLength: 20 } },
          rooms: { type: 'array', contains: { type: 'string', maxLength: 20 } },
          plot: { type: 'object', dependentRequired: { unit: ['size'] } },
          mark: { not: { type: 'string' } },
          zone: { anyOf: [{ type: 'string', enum: ['urban', 'rural'] }, { type: 'string' }] },
          byYear: {
            type: 'object',
            patternProperties: { '^[0-9]+$': { type: 'integer' } },
            additionalProperties: false,
          },
          event: {
            oneOf: [{ $ref: '#/components/schemas/Sale' }, { $ref: '#/components/schemas/Tour' }],
            discriminator: {
              propertyName: 'kind',
              mapping: { sale: '#/components/schemas/Sale', tour: '#/components/schemas/Tour' },
            },
          },
          contact: {
            oneOf: [{ $ref: '#/components/schemas/Agent' }, { type: 'string' }, { type: 'integer' }],
          },
        },
      },
      Located: {
        type: 'object',
        required: ['city'],
        properties: { city: { type: 'string' }, zip: { type: 'string', minLength: 5 } },
      },
      Agent: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, phone: { type: 'string' } },
      },
      Sale: {
        type: 'object',
        required: ['kind', 'price'],
        properties: { kind: { const: 'sale' }, price: { type: 'integer' } },
      },
      Tour: {
        type: 'object',
        required: ['kind', 'guests'],
        properties: { kind: { const: 'tour' }, guests: { type: 'integer' } },
      },
      Search: {
        type: 'object',
        required: ['filters'],
        properties: {
          filters: {
            type: 'object',
            properties: {
              price: { $ref: '#/components/schemas/Range' },
              beds: { $ref: '#/components/schemas/Range', description: 'Bedrooms.' },
              statuses: { type: 'array', minItems: 1, items: { type: 'string', enum: ['for_sale', 'sold'] } },
              agentName: { type: ['string', 'null'] },
              place: { type: 'string', 'x-ignored': true },
              near: { $ref: '#/components/schemas/Near' },
            },
            'x-needs': { fields: ['price', 'beds', 'near'], none: 'missing_filter' },
          },
          maxItems: { type: 'integer', minimum: 1, maximum: 820, default: 50 },
          ratio: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
          label: { type: 'string' },
          tags: { type: 'object', additionalProperties: { type: 'string', maxLength: 10 } },
          options: { type: 'object', properties: { deep: { type: 'boolean' } } },
          id: { type: 'string', readOnly: true },
          area: { anyOf: [{ type: 'string', format: 'uri' }, { $ref: '#/components/schemas/Box' }] },
          except: { not: { $ref: '#/components/schemas/Excluded' } },
          codes: { type: 'array', uniqueItems: true, items: { type: 'string' } },
          strict: { type: 'object', additionalProperties: false, deprecated: true },
          either: {
            anyOf: [
              { type: 'object', properties: { a: { type: 'string' } } },
              { type: 'object', properties: { b: { type: 'string' } } },
            ],
          },
          sort: {
            anyOf: [
              { type: 'object', required: ['by'], properties: { by: { const: 'price' } } },
              { type: 'object', required: ['by'], properties: { by: { const: 'date' } } },
            ],
          },
          joined: {
            allOf: [
              {
                properties: { a: { type: 'string' }, b: { type: 'string' } },
                additionalProperties: false,
              },
              { properties: { a: { type: 'string' } } },
            ],
          },
          choice: { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
          step: { type: 'integer', multipleOf: 10 },
        },
      },
      Range: { type: 'object', properties: { min: { type: 'integer' }, max: { type: 'integer' } } },
      Near: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['circle', 'box', 'town'] },
          center: { type: 'string' },
          radius: { type: 'number' },
          name: { type: 'string' },
        },
        'x-fields-of': { circle: ['center', 'radius'], town: ['name'] },
        'x-needs': { fields: ['center', 'name'], several: 'several_places' },
      },
      Box: {
        type: 'object',
        required: ['west'],
        properties: { west: { type: 'number' }, east: { type: 'number' } },
      },
      Job: {
        type: 'object',
        required: ['id', 'state'],
        properties: {
          id: { type: 'string' },
          state: { type: 'string', enum: ['queued', 'succeeded'] },
          error: {
            type: ['object', 'null'],
            properties: { code: { $ref: '#/components/schemas/ErrorCode' } },
          },
        },
      },
      Error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { $ref: '#/components/schemas/ErrorCode' }, message: { type: 'string' } },
      },
      ErrorCode: { type: 'string', enum: ['invalid_id', 'invalid_parameter', 'not_found', 'job_failed'] },
      Excluded: {
        description: 'What is not wanted.',
        type: 'object',
        properties: { title: { type: 'string' } },
      },
      Unused: { type: 'string' },
    },
  },
}
