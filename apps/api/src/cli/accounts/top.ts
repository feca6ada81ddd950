import { Command, Option } from 'commander'
import { findTopAccounts, TOP_BY, type TopBy } from '../../accounts/top-accounts.ts'
import { since, wholeNumber } from '../arguments.ts'
import { print, table } from '../print.ts'
import { withDatabase } from '../with-database.ts'

interface TopOptions {
  readonly by: TopBy
  readonly since?: Date
  readonly limit: number
}

export function topCommand(): Command {
  return new Command('top')
    .description('List the accounts that use the service most, the heaviest first.')
    .addOption(new Option('--by <measure>', 'what to order by').choices(TOP_BY).default('calls'))
    .option('--since <time>', 'count from then on: 30m, 24h, 7d, or a time (default: 24h)', since)
    .option('--limit <n>', 'at most so many', wholeNumber(1, 1_000_000), 20)
    .addHelpText(
      'after',
      `
calls     admitted calls
failed    calls that ended with an error, and entries of jobs that gave no record
jobs      jobs started
bytes     result rows of these jobs, on disk; reads every row, so it takes longer
provider  queries sent to the provider, counted by the hour

Calls without a valid key have no account: see the metric lotline_failed_keys_limited_total.

Examples:
  lotline accounts top --by provider --since 1h
  lotline accounts top --by failed --since 2026-11-22T08:00:00Z --json`,
    )
    .action(async (options: TopOptions, command: Command) => {
      const accounts = await withDatabase((database) =>
        findTopAccounts(database, { ...options, since: options.since ?? since('24h') }),
      )
      print(
        command,
        accounts,
        accounts.length === 0
          ? ['There are none.']
          : table(
              ['ACCOUNT', 'EMAIL', 'PLAN', 'STATUS', 'CALLS', 'FAILED', 'JOBS', 'BYTES', 'PROVIDER'],
              accounts.map((account) => [
                ...[account.account_id, account.email, account.plan, account.status, account.calls],
                ...[account.failed, account.jobs, account.bytes, account.provider],
              ]),
            ),
      )
    })
}
