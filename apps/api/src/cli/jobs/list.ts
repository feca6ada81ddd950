import { Command, Option } from 'commander'
import { JOB_STATUSES, JOB_TYPES } from '../../jobs/job.ts'
import { type AllJobsFilter, listAllJobs } from '../../jobs/store/all-jobs.ts'
import { uuid, wholeNumber } from '../arguments.ts'
import { print, table } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function listCommand(): Command {
  return new Command('list')
    .description('List jobs, the latest first.')
    .option('--account <id>', 'only those of this account', uuid)
    .addOption(new Option('--status <status>', 'only those').choices([...JOB_STATUSES, 'live']))
    .addOption(new Option('--type <type>', 'only those').choices(JOB_TYPES))
    .option('--limit <n>', 'at most so many', wholeNumber(1, 1_000_000), 100)
    .addHelpText(
      'after',
      `
\`live\` are those that are queued or running.

Examples:
  lotline jobs list --status live
  lotline jobs list --account ACCOUNT --type search --json`,
    )
    .action(async (filter: AllJobsFilter, command: Command) => {
      const jobs = await withDatabase((database) => listAllJobs(database, filter))
      const lines = table(
        [
          'JOB',
          'ACCOUNT',
          'TYPE',
          'STATUS',
          'DONE',
          'ROWS',
          'HELD',
          'CHARGED',
          'CRASHES',
          'CREATED',
          'ENDED',
        ],
        jobs.map((job) => [
          ...[job.job_id, job.account_id, job.type, job.status],
          job.progress_total === null ? `${job.progress_done}` : `${job.progress_done}/${job.progress_total}`,
          ...[job.row_count, job.credits_held, job.credits_charged, job.crashes],
          ...[job.created_at, job.completed_at],
        ]),
      )
      if (jobs.length === filter.limit) lines.push('', 'There may be more: see --limit.')
      print(command, jobs, jobs.length > 0 ? lines : ['There are none.'])
    })
}
