import { findKey, type KeyInfo } from '../../accounts/keys.ts'
import type { Queryable } from '../../database/database.ts'
import { CommandFailure } from '../print.ts'

/** The key that was named on the command line. A key's own text is never repeated. */
export async function getKey(
  database: Queryable,
  named: { id: string } | { text: string },
): Promise<KeyInfo> {
  const key = await findKey(database, named)
  if (key) return key
  throw new CommandFailure('id' in named ? `There is no key ${named.id}.` : 'There is no such key.')
}
