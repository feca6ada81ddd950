import { Command } from 'commander'
import { adjustCredits } from '../../credits/adjust.ts'
import { reasonText, signedNumber, uuid } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

interface Options {
  readonly account: string
  readonly amount: number
  readonly reason: string
}

export function adjustCommand(): Command {
  return new Command('adjust')
    .description(
      'Add credits to an account or take them away, on any plan: goodwill, corrections. Added credits carry over from ' +
        'cycle to cycle and are spent last. Credits that jobs hold cannot be taken away.',
    )
    .requiredOption('--account <id>', 'the account', uuid)
    .requiredOption('--amount <n>', 'credits to add, or to take away when negative', signedNumber)
    .requiredOption('--reason <text>', 'why; it is kept in the ledger', reasonText)
    .addHelpText(
      'after',
      `
Examples:
  lotline credits adjust --account ACCOUNT --amount 50 --reason "Goodwill for the outage of November 21"
  lotline credits adjust --account ACCOUNT --amount -50 --reason "Topped up twice"`,
    )
    .action(async ({ account, amount, reason }: Options, command: Command) => {
      const result = await withDatabase((database) => adjustCredits(database, account, amount, reason))
      if (!result.adjusted) {
        throw new CommandFailure(
          result.because === 'no such account'
            ? `There is no account ${account}.`
            : `Only ${result.balance - result.held} credits can be taken away: the balance is ${result.balance}, ` +
                `and jobs hold ${result.held}.`,
        )
      }
      const { balance, held } = result
      print(
        command,
        { account_id: account, adjusted: amount, reason, balance, held },
        facts([
          ['adjusted', `${amount} credits`],
          ['reason', reason],
          ['balance', `${balance} credits, ${held} held by jobs`],
        ]),
      )
    })
}
