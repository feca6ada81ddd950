import { Command, Option } from 'commander'
import { JOB_STATUSES, JOB_TYPES } from '../jobs/job.ts'
import { abortJob } from '../jobs/jobs.ts'
import { type AllJobsFilter, listAllJobs } from '../jobs/store/all-jobs.ts'
import { uuid, wholeNumber } from './arguments.ts'
import { confirm, YES } from './confirm.ts'
import { CommandFailure, print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

export function jobsCommand(): Command {
  return new Command('jobs')
    .description('The jobs of all accounts: batches, large searches, chained searches and large buildings.')
    .addCommand(listCommand())
    .addCommand(abortCommand())
}

function listCommand(): Command {
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

function abortCommand(): Command {
  return new Command('abort')
    .description(
      'Stop a job for good, queued or running. It is free, gives back all that it holds, and what it has found so far ' +
        'cannot be read. Its account is told by its webhooks.',
    )
    .argument('<job>', 'id of the job', uuid)
    .option(...YES)
    .addHelpText(
      'after',
      `
A worker that is at the job lets go of it within seconds, and writes nothing more.

Examples:
  lotline jobs abort JOB
  lotline jobs abort JOB --yes`,
    )
    .action(async (jobId: string, options: { yes?: boolean }, command: Command) => {
      await confirm(`The job ${jobId} will be stopped. It cannot be taken up again.`, options)
      if (!(await withDatabase((database) => abortJob(database, jobId)))) {
        throw new CommandFailure(`There is no job ${jobId} that is queued or running.`)
      }
      print(command, { job_id: jobId, status: 'aborted' }, [`The job ${jobId} is aborted.`])
    })
}
