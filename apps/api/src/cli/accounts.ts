import { Command } from 'commander'
import { createCommand } from './accounts/create.ts'
import { listCommand } from './accounts/list.ts'
import { setPlanCommand } from './accounts/set-plan.ts'
import { showCommand } from './accounts/show.ts'
import { resumeCommand, suspendCommand } from './accounts/suspend.ts'
import { topCommand } from './accounts/top.ts'

export function accountsCommand(): Command {
  return new Command('accounts')
    .description('Who may call the service, on which plan.')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(topCommand())
    .addCommand(suspendCommand())
    .addCommand(resumeCommand())
    .addCommand(setPlanCommand())
}
