import { Command } from 'commander'
import { type AccountInfo, findAccount } from '../../accounts/find-accounts.ts'
import { listKeys } from '../../accounts/keys.ts'
import { renewIfDue } from '../../credits/cycles.ts'
import { accountOf, takesAccount } from '../arguments.ts'
import { keyTable } from '../keys/key-table.ts'
import { CommandFailure, facts, print, text } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function showCommand(): Command {
  return takesAccount(new Command('show').description('Show an account: its plan, its credits and its keys.'))
    .addHelpText('after', '\nExample:\n  lotline accounts show 1f0c9f4e-8a52-4c3e-9d1b-2f6f0a7b6c5d')
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const { account, keys } = await withDatabase(async (database) => {
        // A cycle that has ended is renewed when the account calls; shown is what it will find then.
        await renewIfDue(database, accountId)
        return {
          account: await findAccount(database, accountId),
          keys: await listKeys(database, accountId),
        }
      })
      if (!account) throw new CommandFailure(`There is no account ${accountId}.`)
      print(command, { ...account, keys }, [...accountLines(account), '', ...keyTable(keys)])
    })
}

/** An account for people. */
export function accountLines(account: AccountInfo): string[] {
  const { next_plan, renews_at, denied_operations } = account
  return facts([
    ['account', account.account_id],
    ['email', account.email],
    ['status', account.status],
    ['plan', termsOf(account)],
    ...(denied_operations.length > 0 ? ([['denied', denied_operations.join(', ')]] as const) : []),
    ['cycle', renews_at ? `${text(account.current_period_start)} to ${text(renews_at)}` : 'does not renew'],
    ...(next_plan ? ([['then', termsOf(next_plan)]] as const) : []),
    ['balance', `${account.balance} credits, ${account.available} available, ${account.held} held by jobs`],
    ['of which', partsOf(account)],
    ['created', account.created_at],
  ])
}

function termsOf(terms: Pick<AccountInfo, 'plan' | 'credits_per_cycle' | 'rate_limit_per_minute'>): string {
  return `${terms.plan}, ${terms.credits_per_cycle} credits, ${terms.rate_limit_per_minute} requests a minute`
}

function partsOf({ balance, grant_left, granted_this_cycle, expiring }: AccountInfo): string {
  const parts = [`${grant_left} of ${granted_this_cycle} granted this cycle`]
  parts.push(`${balance - grant_left - expiring} topped up`)
  if (expiring > 0) parts.push(`${expiring} of earlier cycles, held by jobs`)
  return parts.join(', ')
}
