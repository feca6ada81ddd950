/**
 * The request target as the router and the usage rows see it: a path with its query, in whatever form it was sent. An
 * absolute URL (a proxy's way) loses its origin. A path that cannot be decoded, such as `/v1/properties/%zz`, is taken
 * as it stands, so that it meets the same checks and gets the same kind of answer as any other wrong path.
 */
export function readTarget(target: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const rooted = local.startsWith('/') ? local : `/${local}`
  const pathEnd = rooted.search(/[?#]/)
  const path = pathEnd === -1 ? rooted : rooted.slice(0, pathEnd)
  return path.includes('%') && !isDecodable(path)
    ? path.replaceAll('%', '%25') + rooted.slice(path.length)
    : rooted
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
