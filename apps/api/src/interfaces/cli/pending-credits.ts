// `lotline credits pending`: changes of credits that wait for a second person.

import { Command } from 'commander'
import { listPendingCredits } from '../../money/operator.ts'
import { wholeNumber } from './arguments.ts'
import { print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

export function pendingCommand(): Command {
  return new Command('pending')
    .description(
      'List changes of credits that wait for a second person (`lotline operators credit-limit`), oldest first. A named operator ' +
        'approves or refuses them in the console.',
    )
    .option('--limit <n>', 'maximum number of requests', wholeNumber(1, 1_000_000), 100)
    .addHelpText('after', '\nExample:\n  lotline credits pending')
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const waiting = await withDatabase((database) => listPendingCredits(database, limit))
      const json = waiting.map(({ id, accountId, action, credits, request, operator, via, createdAt }) => ({
        request_id: id,
        account_id: accountId,
        action,
        credits,
        request,
        operator,
        via,
        created_at: createdAt,
      }))
      const lines = table(
        ['REQUEST', 'ACCOUNT', 'ACTION', 'CREDITS', 'OPERATOR', 'VIA', 'ASKED'],
        waiting.map(({ id, accountId, action, credits, operator, via, createdAt }) => [
          id,
          accountId,
          action,
          credits,
          operator,
          via,
          createdAt,
        ]),
      )
      print(command, json, waiting.length > 0 ? lines : ['There are none.'])
    })
}
