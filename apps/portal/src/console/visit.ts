// The request of a console page.

import type { ConsoleSection, SignedInAccount } from '../answer.ts'
import type { PageRoute } from '../routes.ts'
import type { ConsoleApi } from './port.ts'

export interface SignedInOperator extends SignedInAccount {
  /** The operator's name from the sign-in link. The trail records it. */
  readonly operator: string
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
}

/** A section of the console: its navigation entry and its routes. */
export interface ConsolePages {
  readonly section: ConsoleSection
  readonly path: string
  readonly title: string
  readonly routes: readonly PageRoute<ConsoleVisit>[]
}
