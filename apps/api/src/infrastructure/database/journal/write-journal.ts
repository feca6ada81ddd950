// Writes rows of the safety journal in the transaction of the change. Homes are written by triggers, and credits by note_operator_entry.

import type { Queryable } from '../queryable.ts'

/** How the console can be entered. */
export interface ConsoleAccessState {
  readonly is_locked: boolean
  readonly has_shared_sign_in: boolean
}

/** A change that a restore must not undo, or that it loses: ids, credits, and times. No secrets and no personal data. */
export type JournaledChange =
  | { readonly kind: 'key_created'; readonly key: string; readonly account: string }
  | {
      readonly kind: 'key_revoked'
      readonly key: string
      readonly account: string
      /** It may lie ahead. */
      readonly revoked_at: Date
    }
  | {
      readonly kind: 'account_created' | 'account_suspended' | 'account_resumed'
      readonly account: string
    }
  | {
      readonly kind: 'order_placed' | 'order_closed'
      readonly order: string
      readonly account: string
      readonly credits: number
      readonly state: string
    }
  | { readonly kind: 'operator_removed'; readonly operator: string }
  | { readonly kind: 'operator_role_set'; readonly operator: string; readonly role: string }
  | ({ readonly kind: 'console_access_set' } & ConsoleAccessState)

/** Call it after the change, so that entries about one thing are numbered in the order of its changes. */
export async function writeToJournal(tx: Queryable, changes: readonly JournaledChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.query('insert into safety_journal (entry) select value from jsonb_array_elements($1::jsonb)', [
    JSON.stringify(changes),
  ])
}
