// The contract as the documents for clients have it. Most generators give a method one return type. If a call can also return
// an estimate or other field names, a generated method may be typed as those, or throw on a response that was charged. So the
// documents for clients leave out what only calls with an optional parameter get (`x-only-with`: a response, a media type, a
// header), and the parameter with it. Each success status then has one JSON body. Everything else stays as it is.

type Node = Readonly<Record<string, unknown>>

const ONLY_WITH_KEYWORD = 'x-only-with'
const METHODS = ['get', 'put', 'post', 'patch', 'delete']

/** A copy of an OpenAPI document, 3.1 or 3.0, for clients. */
export function clientView<Document extends object>(document: Document): Document {
  const { paths, components = {} } = document as { readonly paths: Node; readonly components?: Node }
  const shown = {
    ...document,
    paths: mapNodes(paths, (item) =>
      mapNodes(item as Node, (node, name) => (METHODS.includes(name) ? operation(node as Node) : node)),
    ),
    components: {
      ...components,
      ...(components.responses !== undefined && {
        responses: mapNodes(components.responses as Node, (node) => response(node as Node)),
      }),
    },
  }
  return withoutOrphans(document, shown) as Document

  function operation(node: Node): Node {
    const { parameters, responses } = node as {
      readonly parameters?: readonly Node[]
      readonly responses: Node
    }
    const asked = new Set(Object.values(responses).flatMap((one) => marksOf(follow(one))))
    const kept = Object.entries(responses).filter(([, one]) => !(ONLY_WITH_KEYWORD in follow(one)))
    return {
      ...node,
      ...(parameters && { parameters: parameters.filter((one) => !asked.has(follow(one).name)) }),
      responses: Object.fromEntries(kept.map(([status, one]) => [status, response(one as Node)])),
    }
  }

  /** Without its marked headers and media types. */
  function response(node: Node): Node {
    const parts = ['headers', 'content'].filter((name) => name in node)
    const without = (part: unknown) =>
      Object.fromEntries(
        Object.entries(part as Node).filter(([, one]) => !(ONLY_WITH_KEYWORD in follow(one))),
      )
    return { ...node, ...Object.fromEntries(parts.map((name) => [name, without(node[name])])) }
  }

  /** The parameters that a response, its media types, and its headers name. */
  function marksOf(node: Node): unknown[] {
    const parts = [node.headers, node.content].flatMap((part) => Object.values((part ?? {}) as Node))
    return [node, ...parts.map(follow)].flatMap((one) =>
      ONLY_WITH_KEYWORD in one ? [one[ONLY_WITH_KEYWORD]] : [],
    )
  }

  function follow(node: unknown): Node {
    const { $ref } = node as { readonly $ref?: string }
    return $ref === undefined ? (node as Node) : follow(at(document, $ref))
  }
}

/** Without the components that only the parts left out referred to. */
function withoutOrphans(before: object, after: object): object {
  const used = referencesFrom(after)
  const orphans = new Set([...referencesFrom(before)].filter((reference) => !used.has(reference)))
  const { components } = after as { readonly components: Node }
  return {
    ...after,
    components: mapNodes(components, (members, group) =>
      Object.fromEntries(
        Object.entries(members as Node).filter(([name]) => !orphans.has(`#/components/${group}/${name}`)),
      ),
    ),
  }
}

/** Every component that the calls and events of a document need. */
function referencesFrom(document: object): Set<string> {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref } = node as { readonly $ref?: unknown }
    if (typeof $ref === 'string' && !found.has($ref)) {
      found.add($ref)
      visit(at(document, $ref))
    }
    for (const child of Object.values(node)) visit(child)
  }
  const { paths, webhooks } = document as { readonly paths: Node; readonly webhooks?: Node }
  visit([paths, webhooks])
  return found
}

function at(document: object, reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>(
      (node, step) => (node as Node)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    )
}

function mapNodes(node: Node, change: (child: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).map(([name, child]) => [name, change(child, name)]))
}
