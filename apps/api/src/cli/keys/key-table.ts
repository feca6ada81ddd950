import type { KeyInfo } from '../../accounts/keys.ts'
import { table, text } from '../print.ts'

/** Keys for people. */
export function keyTable(keys: readonly KeyInfo[]): string[] {
  return table(
    ['KEY ID', 'ENDS IN', 'STATE', 'OAUTH CLIENT', 'CREATED'],
    keys.map((key) => [key.key_id, key.last4, stateOf(key), key.oauth_client, key.created_at]),
  )
}

function stateOf({ revoked, revoked_at }: KeyInfo): string {
  if (revoked_at === null) return 'live'
  return revoked ? `revoked ${text(revoked_at)}` : `live until ${text(revoked_at)}`
}
