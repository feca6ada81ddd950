// The request of a console page.

import type { ConsoleSection, SignedInAccount } from '../answer.ts'
import type { PageHandler } from '../routes.ts'
import type { ConsoleRole, Permission } from './permissions.ts'
import type { ConsoleApi } from './port.ts'

export interface SignedInOperator extends SignedInAccount {
  /** The operator's name. The trail records it. */
  readonly operator: string
  readonly role: ConsoleRole
}

export interface ConsoleVisit {
  readonly console: ConsoleApi
  readonly session: SignedInOperator
  /** Path parameters, by their names in the route. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Empty for a GET. */
  readonly form: URLSearchParams
  readonly now: Date
  /** Whether the operator has a permission. Pages show only what he may do. */
  can(permission: Permission): boolean
}

/** Before the page runs, the operator must have the permission (permissions.ts). */
export type ConsoleRoute = readonly [
  method: 'GET' | 'POST',
  pattern: string,
  permission: Permission,
  handler: PageHandler<ConsoleVisit>,
]

/** A section of the console: its navigation entry and its routes. */
export interface ConsolePages {
  readonly section: ConsoleSection
  readonly path: string
  readonly title: string
  readonly routes: readonly ConsoleRoute[]
}
