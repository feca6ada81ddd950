import { type Comparison, note, type Place } from './comparison.ts'
import type { Contract, OperationInPath } from './document.ts'
import { elementsOf, isObject, type JsonObject, type JsonValue, membersOf } from './json.ts'

/**
 * Compares the base URLs. Each way to fill variables that have an `enum` is a URL of its own; any other variable is
 * compared by its default. Descriptions, the order beyond the first URL, and a slash at the end mean nothing.
 */
export function compareServers(
  comparison: Comparison,
  place: Place,
  base: JsonValue | undefined,
  head: JsonValue | undefined,
): void {
  const before = urlsOf(base)
  const after = urlsOf(head)
  for (const url of before.filter((known) => !after.includes(known))) {
    note(comparison, 'server-removed', place, { before: url, message: 'The base URL is gone.' })
  }
  for (const url of after.filter((listed) => !before.includes(listed))) {
    note(comparison, 'server-added', place, { after: url, message: 'The base URL is new.' })
  }
  if (before[0] !== after[0] && after.includes(before[0]!) && before.includes(after[0]!)) {
    const message = 'Another base URL is the first one, which generated clients use by default.'
    note(comparison, 'default-server-changed', place, { before: before[0], after: after[0], message })
  }
}

/** Compares the base URLs of an operation where one of the two has its own; else those of the document apply. */
export function compareOwnServers(
  comparison: Comparison,
  place: Place,
  base: OperationInPath,
  head: OperationInPath,
): void {
  if (ownServers(base) === undefined && ownServers(head) === undefined) return
  const effective = (contract: Contract, operation: OperationInPath) =>
    ownServers(operation) ?? contract.root.servers
  compareServers(comparison, place, effective(comparison.base, base), effective(comparison.head, head))
}

function ownServers({ item, operation }: OperationInPath): JsonValue | undefined {
  return [operation.servers, item.servers].find((servers) => elementsOf(servers).length > 0)
}

/** The first one is the default. Without servers it is `/`, as OpenAPI says. */
function urlsOf(servers: JsonValue | undefined): readonly string[] {
  const urls = elementsOf(servers).filter(isObject).flatMap(expand)
  return urls.length === 0 ? ['/'] : [...new Set(urls)]
}

function expand(server: JsonObject): readonly string[] {
  let urls = [String(server.url)]
  for (const [name, variable] of membersOf(server.variables)) {
    const settings = membersOf(variable)
    const fallback = String(settings.get('default'))
    const values = elementsOf(settings.get('enum')).map(String)
    const fillings = values.length > 0 ? [...new Set([fallback, ...values])] : [`{${name}=${fallback}}`]
    urls = urls.flatMap((url) => fillings.map((filling) => url.replaceAll(`{${name}}`, filling)))
  }
  return urls.map((url) => (url.length > 1 ? url.replace(/\/$/, '') : url))
}
