import { Command } from 'commander'
import { abortJob } from '../../jobs/jobs.ts'
import { uuid } from '../arguments.ts'
import { confirm, YES } from '../confirm.ts'
import { CommandFailure, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function abortCommand(): Command {
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
