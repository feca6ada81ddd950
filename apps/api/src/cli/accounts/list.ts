import { Command, Option } from 'commander'
import { type AccountFilter, listAccounts } from '../../accounts/find-accounts.ts'
import { PLANS } from '../../accounts/plans.ts'
import { wholeNumber } from '../arguments.ts'
import { print, table } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function listCommand(): Command {
  return new Command('list')
    .description('List accounts, the newest first.')
    .addOption(new Option('--plan <plan>', 'only those on this plan').choices(PLANS))
    .addOption(new Option('--status <status>', 'only those').choices(['active', 'suspended']))
    .option('--email <text>', 'only those with this in their email address')
    .option('--limit <n>', 'at most so many', wholeNumber(1, 1_000_000), 100)
    .addHelpText(
      'after',
      `
Examples:
  lotline accounts list --plan monthly
  lotline accounts list --email @example.com --json`,
    )
    .action(async (filter: AccountFilter, command: Command) => {
      const accounts = await withDatabase((database) => listAccounts(database, filter))
      const lines = table(
        ['ACCOUNT', 'EMAIL', 'PLAN', 'STATUS', 'BALANCE', 'HELD', 'KEYS', 'RENEWS', 'CREATED'],
        accounts.map((account) => [
          ...[account.account_id, account.email, account.plan, account.status],
          ...[account.balance, account.held, account.live_keys, account.renews_at, account.created_at],
        ]),
      )
      if (accounts.length === filter.limit) lines.push('', 'There may be more: see --limit.')
      print(
        command,
        accounts,
        accounts.length > 0 ? lines : ['There are none. `lotline accounts create` opens one.'],
      )
    })
}
