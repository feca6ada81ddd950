import { Command } from 'commander'
import { findAccount } from '../../accounts/find-accounts.ts'
import { issueKey } from '../../accounts/keys.ts'
import { accountOf, takesAccount } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function createCommand(): Command {
  return takesAccount(
    new Command('create').description(
      'Issue a further key. It is shown this once, and running servers know it at once.',
    ),
  )
    .option('--oauth-client <name>', 'the OAuth client it is issued to; such a key is told no email address')
    .addHelpText(
      'after',
      `
Examples:
  lotline keys create --account ACCOUNT
  lotline keys create --account ACCOUNT --oauth-client "Some Assistant"`,
    )
    .action(async (argument: string | undefined, options: { oauthClient?: string }, command: Command) => {
      const accountId = accountOf(command, argument)
      const { keyId, key } = await withDatabase(async (database) => {
        if (!(await findAccount(database, accountId))) {
          throw new CommandFailure(`There is no account ${accountId}.`)
        }
        return issueKey(database, accountId, options.oauthClient)
      })
      print(command, { account_id: accountId, key_id: keyId, key }, [
        ...facts([
          ['key id', keyId],
          ['key', key],
        ]),
        '',
        'Keep the key now: only its hash is stored, and it is not shown again.',
      ])
    })
}
