// Reading the bundle as it stands: following its references, and pointing at its nodes.

import { openapi } from '@lotline/contract'

export type Node = Readonly<Record<string, unknown>>

/** What a node stands for: itself, or what its `$ref` leads to. */
export function resolve(node: unknown): Node {
  let found = node as Node
  while (typeof found.$ref === 'string') {
    found = found.$ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>(
        (at, step) => (at as Node)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
        openapi,
      ) as Node
  }
  return found
}

/** A JSON pointer as a URI fragment. */
export function pointer(...steps: readonly (string | number)[]): string {
  const escaped = steps.map((step) =>
    encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  return `#/${escaped.join('/')}`
}
