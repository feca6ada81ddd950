// A browser without script, as far as HTTP goes: it keeps cookies, sends the Origin of its page, and follows no redirects.

import { expect } from 'vitest'
import type { TestServer } from '../../setup/test-server.ts'

export interface PageVisit {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where a redirect leads. */
  readonly to: string | null
}

export interface Visitor {
  cookie: string
  get(path: string): Promise<PageVisit>
  /** Sends a form of a page, with its token. `changed` replaces what a browser would send; undefined leaves it out. */
  post(
    path: string,
    fields?: Readonly<Record<string, string>>,
    changed?: { readonly origin?: string | undefined; readonly csrf?: string | undefined },
  ): Promise<PageVisit>
  signIn(key: string): Promise<PageVisit>
  /** The token of the forms of the session. */
  token(): Promise<string>
}

/**
 * @param anyPage a page that shows the token of the session's forms
 * @param more headers that it sends with each request, such as those of a proxy
 */
export function createVisitor(
  server: Pick<TestServer, 'url'>,
  anyPage = '/portal/no-such-page',
  more: Readonly<Record<string, string>> = {},
): Visitor {
  async function send(path: string, init: RequestInit): Promise<PageVisit> {
    const response = await fetch(server.url + path, { redirect: 'manual', ...init })
    const set = response.headers.get('set-cookie')
    if (set) visitor.cookie = set.split(';', 1)[0]!
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, to: response.headers.get('location') }
  }
  const headers = () => ({ ...more, ...(visitor.cookie !== '' && { cookie: visitor.cookie }) })
  const visitor: Visitor = {
    cookie: '',
    get: (path) => send(path, { headers: headers() }),
    async post(path, fields = {}, changed = {}) {
      const origin = 'origin' in changed ? changed.origin : server.url
      const csrf =
        'csrf' in changed ? changed.csrf : visitor.cookie === '' ? undefined : await visitor.token()
      const body = new URLSearchParams({ ...fields, ...(csrf !== undefined && { csrf }) })
      return send(path, {
        method: 'POST',
        headers: { ...headers(), ...(origin !== undefined && { origin }) },
        body,
      })
    },
    signIn: (key) => visitor.post('/portal/session', { key }, { csrf: undefined }),
    async token() {
      const { text } = await visitor.get(anyPage)
      return /name="csrf" value="([\w-]{43})"/.exec(text)?.[1] ?? ''
    },
  }
  return visitor
}

/** A visitor who is signed in. */
export async function signedIn(server: Pick<TestServer, 'url'>, key: string): Promise<Visitor> {
  const visitor = createVisitor(server)
  const { status, to } = await visitor.signIn(key)
  expect({ status, to }).toEqual({ status: 303, to: '/portal' })
  return visitor
}
