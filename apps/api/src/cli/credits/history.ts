import { Command } from 'commander'
import { listPostings } from '../../credits/history.ts'
import { accountOf, takesAccount, wholeNumber } from '../arguments.ts'
import { print, table } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function historyCommand(): Command {
  return takesAccount(
    new Command('history').description(
      'List the postings of an account, the newest first: every change of its balance and of what is held.',
    ),
  )
    .option('--limit <n>', 'at most so many', wholeNumber(1, 1_000_000), 100)
    .addHelpText('after', '\nExample:\n  lotline credits history --account ACCOUNT --limit 20')
    .action(async (argument: string | undefined, options: { limit: number }, command: Command) => {
      const accountId = accountOf(command, argument)
      const postings = await withDatabase((database) => listPostings(database, accountId, options.limit))
      print(
        command,
        postings,
        postings.length === 0
          ? ['There are none.']
          : table(
              ['AT', 'KIND', 'CREDITS', 'HELD', 'BALANCE', 'REQUEST', 'STAGE', 'JOB', 'REASON'],
              postings.map((posting) => [
                ...[posting.created_at, posting.kind, posting.amount, posting.held_change],
                ...[posting.balance, posting.request_id, posting.stage, posting.job_id, posting.reason],
              ]),
            ),
      )
    })
}
