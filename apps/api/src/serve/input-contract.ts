// The contract as the routes need it: what may come in. Answers are left out, since nothing here judges or writes them,
// and the plugin that makes the routes would work its way through every schema of theirs at each start.

import { openapi } from '@lotline/contract'

type Json = Record<string, unknown>

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** A copy: the plugin edits what it is given. */
export function inputContract(): object {
  const document = structuredClone(openapi) as unknown as Json & {
    paths: Record<string, Json>
    webhooks?: unknown
  }
  delete document.webhooks
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method] as Json | undefined
      if (operation) operation.responses = { 200: { description: 'Not judged here.' } }
    }
  }
  return document
}
