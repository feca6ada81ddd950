import { Command } from 'commander'
import { findAccount } from '../../accounts/find-accounts.ts'
import { listWebhooks } from '../../webhooks/webhook-store.ts'
import { accountOf, takesAccount } from '../arguments.ts'
import { CommandFailure, print, table, text } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function listCommand(): Command {
  return takesAccount(
    new Command('list').description(
      'List the webhooks of an account, also those revoked in the last 30 days, without their secrets.',
    ),
  )
    .addHelpText('after', '\nExample:\n  lotline webhooks list --account ACCOUNT')
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const webhooks = await withDatabase(async (database) => {
        if (!(await findAccount(database, accountId))) {
          throw new CommandFailure(`There is no account ${accountId}.`)
        }
        return listWebhooks(database, accountId)
      })
      print(
        command,
        webhooks,
        table(
          ['WEBHOOK', 'STATE', 'URL', 'EVENTS'],
          webhooks.map(({ id, url, events, revoked_at }) => [
            id,
            revoked_at === null ? 'live' : `revoked ${text(new Date(revoked_at))}`,
            url,
            events.join(' '),
          ]),
        ),
      )
    })
}
