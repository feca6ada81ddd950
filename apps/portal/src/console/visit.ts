// What a page of the console is asked.

import type { ConsoleSection, SignedInAccount } from '../answer.ts'
import type { PageRoute } from '../routes.ts'
import type { ConsoleApi } from './port.ts'

export interface SignedInOperator extends SignedInAccount {
  /** The name that was given with the link. The trail has it. */
  readonly operator: string
}

export interface ConsoleVisit {
  readonly console: ConsoleApi
  readonly session: SignedInOperator
  /** Values of the path, by their names in the route. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Empty for a GET. */
  readonly form: URLSearchParams
  readonly now: Date
}

/** A part of the console: its place in the navigation, and its routes. */
export interface ConsolePages {
  readonly section: ConsoleSection
  readonly path: string
  readonly title: string
  readonly routes: readonly PageRoute<ConsoleVisit>[]
}
