// The request and the response of a page.

import type { OperationId } from '@lotline/contract'
import type { ApiInput, PortalApi } from './api.ts'
import type { PortalBilling } from './billing.ts'
import type { Html } from './html.ts'

/** The signed-in account. */
export interface SignedInAccount {
  readonly csrfToken: string
  readonly expiresAt: Date
  /** Whether the operator sells plans and packs here. */
  readonly hasBilling?: boolean
}

/** The map tiles below the outlines. */
export interface MapTiles {
  /** A URL or a path with `{z}`, `{x}`, and `{y}`. */
  readonly url: string
  readonly minZoom: number
  readonly maxZoom: number
  /** The names of the vector layers; undefined: the tiles are pictures. */
  readonly layers: readonly string[] | undefined
  /** The attribution of the tiles. */
  readonly attribution: string | undefined
}

export interface Visit {
  readonly api: PortalApi
  /** undefined: the operator sells nothing here. */
  readonly billing: PortalBilling | undefined
  readonly session: SignedInAccount
  /** Path parameters, by their names in the route. */
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
  | 'approvals'
  | 'sources'
  | 'data-set'
  | 'imports'
  | 'providers'
  | 'queues'
  | 'webhooks'
  | 'audit'
  | 'trail'
  | 'operators'

export interface PageAnswer {
  readonly kind: 'page'
  readonly status: number
  readonly title: string
  /** A section of the portal or the console. */
  readonly section: string | undefined
  readonly body: Html
  /** Without script, the page reloads after this many seconds. */
  readonly refreshS?: number
  /** A path that the browser loads immediately, with or without script. */
  readonly leadsTo?: string
}

/** The response to a form: the browser loads another page with GET. */
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
