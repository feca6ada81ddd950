import { Command } from 'commander'
import { resumeAccount, suspendAccount } from '../../accounts/suspend.ts'
import { accountOf, takesAccount } from '../arguments.ts'
import { CommandFailure, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function suspendCommand(): Command {
  return statusCommand(
    new Command('suspend').description(
      'Shut out all keys of an account with 403 account_suspended, within a second and until it is resumed. ' +
        'Jobs that run already are finished.',
    ),
    suspendAccount,
    'suspended',
  )
}

export function resumeCommand(): Command {
  return statusCommand(
    new Command('resume').description('Let a suspended account in again, within a second.'),
    resumeAccount,
    'active',
  )
}

function statusCommand(
  command: Command,
  change: typeof suspendAccount,
  status: 'active' | 'suspended',
): Command {
  return takesAccount(command)
    .addHelpText(
      'after',
      `\nExample:\n  lotline accounts ${command.name()} 1f0c9f4e-8a52-4c3e-9d1b-2f6f0a7b6c5d`,
    )
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const changed = await withDatabase((database) => change(database, accountId))
      if (!changed) throw new CommandFailure(`There is no account ${accountId}.`)
      print(command, { account_id: accountId, status }, [`The account ${accountId} is ${status}.`])
    })
}
