// Runs each command that changes operators, or the access to the console, so that it changes something.

import type { Database } from '../../../src/infrastructure/database/database.ts'
import { createOperatorLink, useOperatorLink } from '../../../src/money/operator/sessions.ts'

/** @param run runs a command and expects success. The console is open afterwards, and there are no named operators. */
export async function runOperatorCommands(
  database: Database,
  run: (...args: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const link = await createOperatorLink(database, 'Ana')
  if (typeof link === 'string') throw new Error(`no link: ${link}`)
  await useOperatorLink(database, link.token)
  await run('console', 'revoke', '--all')
  await run('console', 'lock')
  await run('console', 'unlock')
  await run('operators', 'add', 'Cleo', '--role', 'owner')
  await run('operators', 'link', 'Cleo')
  await run('operators', 'role', 'Cleo', 'data')
  await run('operators', 'role', 'Cleo', 'owner')
  await database.query(
    `insert into operator_passkeys (id, operator_id, public_key, counter, transports)
     select '\\x01', id, '\\x02', 0, '{}' from operators`,
  )
  await run('operators', 'shared-sign-in', 'off')
  await run('operators', 'shared-sign-in', 'on')
  await run('operators', 'remove', 'Cleo')
  await run('operators', 'credit-limit', '5000')
  await run('operators', 'credit-limit', 'off')
}
