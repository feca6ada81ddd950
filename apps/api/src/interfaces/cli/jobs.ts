import { Command, Option } from 'commander'
import { runAsOperator } from '../../money/operator.ts'
import {
  type AllJobsFilter,
  abortJob,
  JOB_STATUSES,
  JOB_TYPES,
  type JobInfo,
  listAllJobs,
} from '../../work/jobs.ts'
import { operatorOf, operatorOption, uuid, wholeNumber } from './arguments.ts'
import { confirm, YES } from './confirm.ts'
import { CommandFailure, print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

export function jobsCommand(): Command {
  return new Command('jobs')
    .description('List and abort the jobs of all accounts.')
    .addCommand(listCommand())
    .addCommand(abortCommand())
}

function listCommand(): Command {
  return new Command('list')
    .description('List jobs, latest first.')
    .option('--account <id>', 'only jobs of this account', uuid)
    .addOption(
      new Option('--status <status>', 'only jobs with this status').choices([...JOB_STATUSES, 'live']),
    )
    .addOption(new Option('--type <type>', 'only jobs of this type').choices(JOB_TYPES))
    .option('--limit <n>', 'maximum number of jobs', wholeNumber(1, 1_000_000), 100)
    .addHelpText(
      'after',
      `
The status \`live\` means queued or running.

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
          job.job_id,
          job.account_id,
          job.type,
          job.status,
          job.progress_total === null ? `${job.progress_done}` : `${job.progress_done}/${job.progress_total}`,
          job.row_count,
          job.credits_held,
          job.credits_charged,
          job.crashes,
          job.created_at,
          job.completed_at,
        ]),
      )
      if (jobs.length === filter.limit) lines.push('', 'There may be more: see --limit.')
      print(command, jobs, jobs.length > 0 ? lines : ['There are none.'])
    })
}

function abortCommand(): Command {
  return new Command('abort')
    .description(
      'Abort a queued or running job permanently. The job is free and releases its held credits. Its results cannot be ' +
        'read. The webhooks of the account get the event job.aborted.',
    )
    .argument('<job>', 'id of the job', uuid)
    .option(...YES)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
A worker that is running the job stops within seconds and writes nothing more.

Examples:
  lotline jobs abort JOB
  lotline jobs abort JOB --yes`,
    )
    .action(async (jobId: string, options: { yes?: boolean }, command: Command) => {
      await confirm(`The job ${jobId} will be stopped. It cannot be taken up again.`, options)
      const isAborted = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const [before] = await listAllJobs(database, { id: jobId, limit: 1 })
          if (!(await abortJob(database, jobId))) return false
          const [after] = await listAllJobs(database, { id: jobId, limit: 1 })
          const accountId = before!.account_id
          await note({
            action: 'jobs.abort',
            accountId,
            object: jobId,
            before: trailOf(before!),
            after: trailOf(after!),
          })
          return true
        }),
      )
      if (!isAborted) throw new CommandFailure(`There is no job ${jobId} that is queued or running.`)
      print(command, { job_id: jobId, status: 'aborted' }, [`The job ${jobId} is aborted.`])
    })
}

/** What the trail shows of a job. */
function trailOf({ type, status, progress_done, progress_total, credits_held }: JobInfo): object {
  return { type, status, progress_done, progress_total, credits_held }
}
