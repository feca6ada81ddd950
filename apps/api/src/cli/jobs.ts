import { Command } from 'commander'
import { abortCommand } from './jobs/abort.ts'
import { listCommand } from './jobs/list.ts'

export function jobsCommand(): Command {
  return new Command('jobs')
    .description('The jobs of all accounts: batches, large searches, chained searches and large buildings.')
    .addCommand(listCommand())
    .addCommand(abortCommand())
}
