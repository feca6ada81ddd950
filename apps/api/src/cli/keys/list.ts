import { Command } from 'commander'
import { listKeys } from '../../accounts/keys.ts'
import { accountOf, takesAccount } from '../arguments.ts'
import { CommandFailure, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'
import { keyTable } from './key-table.ts'

export function listCommand(): Command {
  return takesAccount(new Command('list').description('List the keys of an account, revoked ones too.'))
    .addHelpText('after', '\nExample:\n  lotline keys list --account ACCOUNT')
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const keys = await withDatabase((database) => listKeys(database, accountId))
      // An account is opened with a key, and keys are never removed.
      if (keys.length === 0) throw new CommandFailure(`There is no account ${accountId}.`)
      print(command, keys, keyTable(keys))
    })
}
