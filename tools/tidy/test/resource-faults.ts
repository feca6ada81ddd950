// Faults of a resource: of what is created, read, changed, and deleted on one path.

import { content, inline, type PathItem, type Response, soundOperation } from './sound-operation.ts'

/** A resource that is read, changed, and deleted on its path, and created by the POST, spoiled. */
const resource = (spoil: (item: Required<PathItem>) => void) => (): PathItem => {
  const field = { type: 'string' }
  const returned = () => {
    const operation = { ...soundOperation(), 'x-credits': { price: 0, per: 'call' } }
    const data = { type: 'object', properties: { name: field } }
    content(operation, '200').schema = { type: 'object', properties: { data } }
    return operation
  }
  const body = (properties: object) => ({
    content: { 'application/json': { schema: { type: 'object', properties } } },
  })
  const patch = {
    ...returned(),
    operationId: 'changeHome',
    requestBody: body({ name: field }),
  }
  const deletion = { ...soundOperation(), operationId: 'deleteHome', description: 'Returns 204 again.' }
  const post = { ...returned(), operationId: 'createHome', requestBody: body({ name: field }) }
  post.parameters!.push({ name: 'Idempotency-Key', in: 'header', schema: field })
  const header = { schema: field }
  const { 200: created, ...errors } = post.responses
  post.responses = {
    201: {
      ...(created as Response),
      headers: { Location: header, 'Idempotent-Replayed': header },
      links: { getHome: { operationId: 'getHome' } },
    },
    ...errors,
  }
  const { 200: _, ...refusals } = deletion.responses
  deletion.responses = { 204: { description: 'It is deleted.' }, ...refusals }
  const item = { get: returned(), patch, delete: deletion, post }
  spoil(item)
  return item
}

/** fault → the rule that must report it, and the path of a resource that has it */
export const resourceFaults: Record<string, [rule: string, item: () => PathItem]> = {
  'creation without an idempotency key': [
    'repeated-creations',
    resource(({ post }) => post.parameters?.pop()),
  ],
  'creation that hides a replay': [
    'repeated-creations',
    resource(({ post }) => delete inline(post, '201').headers!['Idempotent-Replayed']),
  ],
  'changed but not read': ['sent-back', resource((item) => deleteOf(item, 'get', 'delete'))],
  'deleted but not read': ['deleted-resources', resource((item) => deleteOf(item, 'get', 'patch'))],
  'deleted with another success': [
    'deleted-resources',
    resource(({ delete: { responses } }) => Object.assign(responses, { 200: responses[204] })),
  ],
  'deleted once only': [
    'deleted-resources',
    resource((item) => Object.assign(item.delete, { description: 'Deletes a home.' })),
  ],
  'changed and returned in another form': [
    'sent-back',
    resource(({ patch }) => {
      const data = { type: 'object', properties: { name: {}, title: {} } }
      content(patch, '200').schema = { type: 'object', properties: { data } }
    }),
  ],
  'changed by a name that nothing returns': [
    'sent-back',
    resource(({ patch }) => {
      const properties = { title: { type: 'string' } }
      patch.requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } }
    }),
  ],
}

function deleteOf(item: PathItem, ...names: (keyof PathItem)[]): void {
  for (const name of names) delete item[name]
}

export const soundResource = resource(() => {})
