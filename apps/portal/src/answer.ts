// What a page is asked, and what it answers with.

import type { OperationId } from '@lotline/contract'
import type { ApiInput, PortalApi } from './api.ts'
import type { PortalBilling } from './billing.ts'
import type { Html } from './html.ts'

/** Who is signed in. */
export interface SignedInAccount {
  readonly csrfToken: string
  readonly expiresAt: Date
  /** Whether the operator sells plans and packs here. */
  readonly hasBilling?: boolean
}

/** What the map shows below its outlines. */
export interface MapTiles {
  /** A URL or a path with `{z}`, `{x}` and `{y}`. */
  readonly url: string
  readonly minZoom: number
  readonly maxZoom: number
  /** The names of the layers of vector tiles; undefined: the tiles are pictures. */
  readonly layers: readonly string[] | undefined
  /** Text that names their source. */
  readonly attribution: string | undefined
}

export interface Visit {
  readonly api: PortalApi
  /** undefined: the operator sells nothing here. */
  readonly billing: PortalBilling | undefined
  readonly session: SignedInAccount
  /** Values of the path, by their names in the route. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Empty for a GET. */
  readonly form: URLSearchParams
  /** undefined: the operator has configured none. */
  readonly tiles: MapTiles | undefined
  readonly now: Date
}

export type Section = 'explore' | 'overview' | 'usage' | 'billing' | 'keys' | 'jobs' | 'webhooks' | 'watches'

export type ConsoleSection =
  | 'accounts'
  | 'purchases'
  | 'sources'
  | 'data-set'
  | 'providers'
  | 'queues'
  | 'webhooks'
  | 'audit'
  | 'trail'

export interface PageAnswer {
  readonly kind: 'page'
  readonly status: number
  readonly title: string
  /** Of the portal or of the console. */
  readonly section: string | undefined
  readonly body: Html
  /** Without script, the page loads itself again after this time, in seconds. */
  readonly refreshS?: number
  /** A path that the browser loads at once, with script and without. */
  readonly leadsTo?: string
}

/** After a form: the browser loads another page with GET. */
export interface RedirectAnswer {
  readonly kind: 'redirect'
  /** A path of the portal. */
  readonly to: string
}

/** The response of an operation as a file. */
export interface FileAnswer {
  readonly kind: 'file'
  readonly operation: OperationId
  readonly input: ApiInput
  readonly name: string
}

export type PortalAnswer = PageAnswer | RedirectAnswer | FileAnswer

export function page(section: Section | ConsoleSection | undefined, title: string, body: Html): PageAnswer {
  return { kind: 'page', status: 200, section, title, body }
}

export function redirect(to: string): RedirectAnswer {
  return { kind: 'redirect', to }
}
