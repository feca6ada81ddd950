import { Command } from 'commander'
import { openAccount } from '../../accounts/open-account.ts'
import { type PlanId, plans } from '../../accounts/plans.ts'
import { emailAddress } from '../arguments.ts'
import { facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'
import { figuresOf, type PlanOptions, takesPlan } from './plan-options.ts'

const credits = (plan: PlanId) => plans[plan].creditsPerCycle.toLocaleString('en-US')
const rate = (plan: PlanId) => plans[plan].rateLimitPerMinute

export function createCommand(): Command {
  return takesPlan(
    new Command('create').description(
      'Open an account with its first key. The key is shown this once and cannot be shown again.',
    ),
  )
    .option('--email <address>', 'shown to the account in GET /v1/me', emailAddress)
    .addHelpText(
      'after',
      `
Plans: free grants ${credits('free')} credits once, at ${rate('free')} requests a minute, and takes no top-ups; monthly ${credits('monthly')} a month at ${rate('monthly')};
annual ${credits('annual')} a year at ${rate('annual')}; custom whatever is given here (else ${credits('custom')} a month at ${rate('custom')}).

Examples:
  lotline accounts create --plan monthly --email ana@example.com
  lotline accounts create --plan custom --credits 50000 --rate 1000 --deny searchWithDetails
  KEY=$(lotline accounts create --plan free --json | jq -r .key)`,
    )
    .action(async (options: PlanOptions & { email?: string }, command: Command) => {
      const { accountId, key, keyId } = await withDatabase((database) =>
        openAccount(database, {
          plan: options.plan,
          ...figuresOf(options),
          ...(options.email !== undefined && { email: options.email }),
        }),
      )
      print(command, { account_id: accountId, key, key_id: keyId }, [
        ...facts([
          ['account', accountId],
          ['key id', keyId],
          ['key', key],
        ]),
        '',
        'Keep the key now: only its hash is stored, and it is not shown again.',
      ])
    })
}
