// Which page answers which path. A pattern has names in place of parts, such as `/portal/jobs/:id`.

import type { Answer, Visit } from './answer.ts'

export type Handler = (visit: Visit) => Promise<Answer>

export type Route = readonly [method: 'GET' | 'POST', pattern: string, handler: Handler]

/** undefined: no route has this method and path. */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly handler: Handler; readonly params: Record<string, string> } | undefined {
  const parts = path.replace(/\/$/, '').split('/')
  for (const [routeMethod, pattern, handler] of routes) {
    const names = pattern.split('/')
    if (routeMethod !== method || names.length !== parts.length) continue
    const params: Record<string, string> = {}
    const matches = names.every((name, at) => {
      const part = parts[at]!
      if (!name.startsWith(':')) return name === part
      params[name.slice(1)] = part
      return /^[\w-]+$/.test(part)
    })
    if (matches) return { handler, params }
  }
  return undefined
}

/**
 * Where a browser is led that loads the path of a form, as after a page was bookmarked that a form has answered: the nearest page
 * above it. undefined: no form has this path.
 */
export function pageAbove(routes: readonly Route[], path: string): string | undefined {
  if (!matchRoute(routes, 'POST', path)) return undefined
  let above = path
  do above = above.slice(0, above.lastIndexOf('/'))
  while (above !== '/portal' && !matchRoute(routes, 'GET', above))
  return above
}
