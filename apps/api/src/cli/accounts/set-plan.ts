import { Command, Option } from 'commander'
import { changePlan, type PlanChanged } from '../../accounts/change-plan.ts'
import { accountOf, takesAccount } from '../arguments.ts'
import { CommandFailure, print, text } from '../print.ts'
import { withDatabase } from '../with-database.ts'
import { figuresOf, type PlanOptions, takesPlan } from './plan-options.ts'
import { accountLines } from './show.ts'

interface SetPlanOptions extends PlanOptions {
  readonly denyNothing?: boolean
  readonly now?: boolean
}

export function setPlanCommand(): Command {
  return takesPlan(
    takesAccount(new Command('set-plan').description('Change the plan of an account, or its figures.')),
  )
    .addOption(new Option('--deny-nothing', 'permit all operations again').conflicts('deny'))
    .option('--now', 'end the running cycle even where the account loses by it')
    .addHelpText(
      'after',
      `
When it takes effect:
  More credits a cycle or a higher rate, and less of neither: at once. A new cycle begins; what is left of the old
  grant expires and the new one is given. Top-ups stay.
  Fewer credits or a lower rate, or the free plan: when the running cycle ends, unless --now is given. An account on
  the free plan has no cycle to wait for. The free plan's credits are given once in the life of an account.
  The same plan with the same credits: rate and denied operations change at once, and the cycle goes on.

What is not given stays as it is if the plan stays, and is the plan's own figure if it changes. Setting a plan calls off
a change that was waiting.

Examples:
  lotline accounts set-plan ACCOUNT --plan annual
  lotline accounts set-plan ACCOUNT --plan custom --credits 50000 --rate 1000
  lotline accounts set-plan ACCOUNT --plan custom --deny searchWithDetails,createPropertyBatch`,
    )
    .action(async (argument: string | undefined, options: SetPlanOptions, command: Command) => {
      const accountId = accountOf(command, argument)
      const changed = await withDatabase((database) =>
        changePlan(database, accountId, {
          plan: options.plan,
          ...figuresOf(options.denyNothing ? { ...options, deny: [] } : options),
          atOnce: options.now === true,
        }),
      )
      if (!changed) throw new CommandFailure(`There is no account ${accountId}.`)
      const { outcome, account } = changed
      const result = {
        account_id: accountId,
        takes_effect: outcome === 'waiting' ? 'at the end of the cycle' : 'at once',
        effective_at: outcome === 'waiting' ? account.renews_at : new Date(),
        new_cycle: outcome === 'begun',
        account,
      }
      print(command, result, [sentenceOf(changed), '', ...accountLines(account)])
    })
}

function sentenceOf({ outcome, account }: PlanChanged): string {
  if (outcome === 'adjusted') return 'Changed at once. The cycle goes on.'
  if (outcome === 'waiting') return `The change waits for the end of the cycle, ${text(account.renews_at)}.`
  return account.renews_at === null ? 'Changed at once.' : 'Changed at once, with a new cycle and its grant.'
}
