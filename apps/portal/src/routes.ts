// Matches paths with pages. A pattern has names in place of parts, such as `/portal/jobs/:id`.

import type { PortalAnswer, Visit } from './answer.ts'

export type PageHandler<V = Visit> = (visit: V) => Promise<PortalAnswer>

export type PageRoute<V = Visit> = readonly [method: 'GET' | 'POST', pattern: string, handler: PageHandler<V>]

/** A route to a handler, or to whatever a set of pages has in its place. */
type PatternRoute<H> = readonly [method: 'GET' | 'POST', pattern: string, handler: H]

/** undefined: no route has this method and path. */
export function matchRoute<H>(
  routes: readonly PatternRoute<H>[],
  method: string,
  path: string,
): { readonly handler: H; readonly params: Record<string, string> } | undefined {
  const parts = path.replace(/\/$/, '').split('/')
  for (const [routeMethod, pattern, handler] of routes) {
    const names = pattern.replace(/\/$/, '').split('/')
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
 * The redirect for a GET of a form's path, for example from a bookmark of the response to a form: the nearest page above it. undefined: no
 * form has this path. @param home the top-level page
 */
export function pageAbove<H>(
  routes: readonly PatternRoute<H>[],
  path: string,
  home = '/portal',
): string | undefined {
  if (!matchRoute(routes, 'POST', path)) return undefined
  let above = path
  do above = above.slice(0, above.lastIndexOf('/'))
  while (above !== '' && above !== home && !matchRoute(routes, 'GET', above))
  return above || home
}
