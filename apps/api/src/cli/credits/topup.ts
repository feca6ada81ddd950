import { Command } from 'commander'
import { topUp } from '../../accounts/top-up.ts'
import { uuid, wholeNumber } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function topupCommand(): Command {
  return new Command('topup')
    .description('Add credits on top of a paid plan. They carry over from cycle to cycle and are spent last.')
    .requiredOption('--account <id>', 'the account', uuid)
    .requiredOption('--amount <n>', 'credits to add', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  lotline credits topup --account ACCOUNT --amount 500')
    .action(async (options: { account: string; amount: number }, command: Command) => {
      const result = await withDatabase((database) => topUp(database, options.account, options.amount))
      if (!result.toppedUp) {
        throw new CommandFailure(
          result.because === 'no such account'
            ? `There is no account ${options.account}.`
            : 'The free plan takes no top-ups. Give the account a paid plan first: `lotline accounts set-plan`.',
        )
      }
      const { balance, held } = result
      print(
        command,
        { account_id: options.account, added: options.amount, balance, held },
        facts([
          ['added', `${options.amount} credits`],
          ['balance', `${balance} credits, ${held} held by jobs`],
        ]),
      )
    })
}
