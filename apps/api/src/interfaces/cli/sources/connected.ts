// Finds the connected source that a command names.

import { type ConnectedSource, findConnected } from '../../../data/replication.ts'
import type { Database } from '../../../infrastructure/database.ts'
import { CommandFailure } from '../print.ts'

/** @throws {CommandFailure} if there is no such source */
export async function requireConnected(database: Database, name: string): Promise<ConnectedSource> {
  const source = await findConnected(database, name)
  if (!source) throw unknownSource(name)
  return source
}

export function unknownSource(name: string): CommandFailure {
  return new CommandFailure(`There is no connected source ${name}. To list them: lotline sources list`)
}
