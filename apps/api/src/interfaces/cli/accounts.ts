import type { OperationId } from '@lotline/contract'
import { Command, Option } from 'commander'
import {
  type AccountInfo,
  type AccountSearch,
  findAccount,
  findTopAccounts,
  listAccounts,
  listKeys,
  PLANS,
  type PlanChangeResult,
  type PlanId,
  plans,
  TOP_BY,
  type TopBy,
} from '../../money/accounts.ts'
import { renewIfDue } from '../../money/credits.ts'
import { createAccount, setPlan, setStatus } from '../../money/operator.ts'
import { expectMade } from './approval.ts'
import {
  accountOf,
  emailAddress,
  operationList,
  operatorOf,
  operatorOption,
  since,
  takesAccount,
  wholeNumber,
} from './arguments.ts'
import { keyTable } from './keys.ts'
import { CommandFailure, facts, print, table, text } from './print.ts'
import { withDatabase } from './with-database.ts'

export function accountsCommand(): Command {
  return new Command('accounts')
    .description('Create, list, suspend and change accounts.')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(topCommand())
    .addCommand(suspendCommand())
    .addCommand(resumeCommand())
    .addCommand(setPlanCommand())
}

const creditsOf = (plan: PlanId) => plans[plan].creditsPerCycle.toLocaleString('en-US')
const rateOf = (plan: PlanId) => plans[plan].rateLimitPerMinute

function createCommand(): Command {
  return takesPlan(
    new Command('create').description('Create an account with its first key. The key is shown only once.'),
  )
    .option('--email <address>', 'email address, returned by GET /v1/me', emailAddress)
    .addHelpText(
      'after',
      `
Plans: free grants ${creditsOf('free')} credits once, at ${rateOf('free')} requests a minute, and does not allow top-ups; monthly ${creditsOf('monthly')} a month at ${rateOf('monthly')};
annual ${creditsOf('annual')} a year at ${rateOf('annual')}; custom has the figures that you give (default ${creditsOf('custom')} a month at ${rateOf('custom')}).

Examples:
  lotline accounts create --plan monthly --email ana@example.com
  lotline accounts create --plan custom --credits 50000 --rate 1000 --deny searchWithDetails
  KEY=$(lotline accounts create --plan free --json | jq -r .key)`,
    )
    .action(async (options: PlanOptions & { email?: string }, command: Command) => {
      const made = await withDatabase((database) =>
        createAccount(database, operatorOf(command), {
          plan: options.plan,
          ...figuresOf(options),
          ...(options.email !== undefined && { email: options.email }),
        }),
      )
      if ('aboveLimit' in made)
        throw new CommandFailure(
          `The account would begin with more than ${made.aboveLimit} credits, which need a second person. Create it with a smaller plan, then use \`lotline accounts set-plan\`, which can be approved.`,
        )
      const { accountId, key, keyId } = made
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

function listCommand(): Command {
  return new Command('list')
    .description('List accounts, newest first.')
    .addOption(new Option('--plan <plan>', 'only accounts on this plan').choices(PLANS))
    .addOption(
      new Option('--status <status>', 'only accounts with this status').choices(['active', 'suspended']),
    )
    .option('--email <text>', 'only accounts whose email address contains this text')
    .option('--limit <n>', 'maximum number of accounts', wholeNumber(1, 1_000_000), 100)
    .addHelpText(
      'after',
      `
Examples:
  lotline accounts list --plan monthly
  lotline accounts list --email @example.com --json`,
    )
    .action(async (filter: AccountSearch, command: Command) => {
      const accounts = await withDatabase((database) => listAccounts(database, filter))
      const lines = table(
        ['ACCOUNT', 'EMAIL', 'PLAN', 'STATUS', 'BALANCE', 'HELD', 'KEYS', 'RENEWS', 'CREATED'],
        accounts.map((account) => [
          account.account_id,
          account.email,
          account.plan,
          account.status,
          account.balance,
          account.held,
          account.live_keys,
          account.renews_at,
          account.created_at,
        ]),
      )
      if (accounts.length === filter.limit) lines.push('', 'There may be more: see --limit.')
      print(
        command,
        accounts,
        accounts.length > 0 ? lines : ['There are none. `lotline accounts create` opens one.'],
      )
    })
}

function showCommand(): Command {
  return takesAccount(new Command('show').description('Show the plan, credits and keys of an account.'))
    .addHelpText('after', '\nExample:\n  lotline accounts show 1f0c9f4e-8a52-4c3e-9d1b-2f6f0a7b6c5d')
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const { account, keys } = await withDatabase(async (database) => {
        // The next call of the account renews a cycle that has ended. This shows the account as of that renewal.
        await renewIfDue(database, accountId)
        return {
          account: await findAccount(database, accountId),
          keys: await listKeys(database, accountId),
        }
      })
      if (!account) throw new CommandFailure(`There is no account ${accountId}.`)
      print(command, { ...account, keys }, [...accountLines(account), '', ...keyTable(keys)])
    })
}

/** An account as text. */
function accountLines(account: AccountInfo): string[] {
  const { next_plan, renews_at, denied_operations } = account
  return facts([
    ['account', account.account_id],
    ['email', account.email],
    ['status', account.status],
    ['plan', termsOf(account)],
    ...(denied_operations.length > 0 ? ([['denied', denied_operations.join(', ')]] as const) : []),
    ['cycle', renews_at ? `${text(account.current_period_start)} to ${text(renews_at)}` : 'does not renew'],
    ...(next_plan ? ([['then', termsOf(next_plan)]] as const) : []),
    ['balance', `${account.balance} credits, ${account.available} available, ${account.held} held by jobs`],
    ['of which', partsOf(account)],
    ['created', account.created_at],
  ])
}

function termsOf(terms: Pick<AccountInfo, 'plan' | 'credits_per_cycle' | 'rate_limit_per_minute'>): string {
  return `${terms.plan}, ${terms.credits_per_cycle} credits, ${terms.rate_limit_per_minute} requests a minute`
}

function partsOf({ balance, grant_left, granted_this_cycle, expiring }: AccountInfo): string {
  const parts = [`${grant_left} of ${granted_this_cycle} granted this cycle`]
  parts.push(`${balance - grant_left - expiring} topped up`)
  if (expiring > 0) parts.push(`${expiring} of earlier cycles, held by jobs`)
  return parts.join(', ')
}

interface TopOptions {
  readonly by: TopBy
  readonly since?: Date
  readonly limit: number
}

function topCommand(): Command {
  return new Command('top')
    .description('List the accounts that use the service most, highest first.')
    .addOption(new Option('--by <measure>', 'measure to sort by').choices(TOP_BY).default('calls'))
    .option('--since <time>', 'start of the period: 30m, 24h, 7d, or a time (default: 24h)', since)
    .option('--limit <n>', 'maximum number of accounts', wholeNumber(1, 1_000_000), 20)
    .addHelpText(
      'after',
      `
calls     admitted calls
failed    calls that ended with an error, and job entries that returned no record
jobs      jobs started
bytes     size of the result rows of these jobs on disk; slower, because it reads every row
provider  queries to the data source, counted by the hour

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
                account.account_id,
                account.email,
                account.plan,
                account.status,
                account.calls,
                account.failed,
                account.jobs,
                account.bytes,
                account.provider,
              ]),
            ),
      )
    })
}

function suspendCommand(): Command {
  return statusCommand(
    new Command('suspend').description(
      'Suspend an account. Within a second, calls with its keys get 403 account_suspended. Running jobs finish.',
    ),
    'suspended',
  )
}

function resumeCommand(): Command {
  return statusCommand(
    new Command('resume').description('Resume a suspended account. Its keys work again within a second.'),
    'active',
  )
}

function statusCommand(command: Command, status: 'active' | 'suspended'): Command {
  return takesAccount(command)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `\nExample:\n  lotline accounts ${command.name()} 1f0c9f4e-8a52-4c3e-9d1b-2f6f0a7b6c5d`,
    )
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const changed = await withDatabase((database) =>
        setStatus(database, operatorOf(command), accountId, status),
      )
      if (!changed) throw new CommandFailure(`There is no account ${accountId}.`)
      print(command, { account_id: accountId, status }, [`The account ${accountId} is ${status}.`])
    })
}

interface SetPlanOptions extends PlanOptions {
  readonly denyNothing?: boolean
  readonly now?: boolean
}

function setPlanCommand(): Command {
  return takesPlan(
    takesAccount(
      new Command('set-plan').description('Change the plan of an account, or the figures of its plan.'),
    ),
  )
    .addOption(new Option('--deny-nothing', 'allow all operations again').conflicts('deny'))
    .option('--now', 'apply the change now, even if the account loses credits by it')
    .addHelpText(
      'after',
      `
When it takes effect:
  More credits a cycle or a higher rate, and less of neither: at once. A new cycle begins; what is left of the old
  grant expires and the new one is given. Top-ups stay.
  Fewer credits or a lower rate, or the free plan: when the running cycle ends, unless --now is given. An account on
  the free plan has no cycle to wait for. The free plan's credits are given once in the life of an account.
  The same plan with the same credits: rate and denied operations change at once, and the cycle goes on.

If the plan stays the same, figures that you don't name stay as they are. If the plan changes, they become those of the
new plan. A change that was waiting is cancelled.

Examples:
  lotline accounts set-plan ACCOUNT --plan annual
  lotline accounts set-plan ACCOUNT --plan custom --credits 50000 --rate 1000
  lotline accounts set-plan ACCOUNT --plan custom --deny searchWithDetails,createPropertyBatch`,
    )
    .action(async (argument: string | undefined, options: SetPlanOptions, command: Command) => {
      const accountId = accountOf(command, argument)
      const changed = expectMade(
        await withDatabase((database) =>
          setPlan(database, operatorOf(command), accountId, {
            plan: options.plan,
            ...figuresOf(options.denyNothing ? { ...options, deny: [] } : options),
            atOnce: options.now === true,
          }),
        ),
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

function sentenceOf({ outcome, account }: PlanChangeResult): string {
  if (outcome === 'adjusted') return 'Changed at once. The cycle goes on.'
  if (outcome === 'waiting') return `The change waits for the end of the cycle, ${text(account.renews_at)}.`
  return account.renews_at === null ? 'Changed at once.' : 'Changed at once, with a new cycle and its grant.'
}

// The plan options of `create` and `set-plan`.
interface PlanOptions {
  readonly plan: PlanId
  readonly credits?: number
  readonly rate?: number
  readonly deny?: OperationId[]
}

function takesPlan(command: Command): Command {
  return command
    .addOption(new Option('--plan <plan>', 'plan').choices(PLANS).makeOptionMandatory())
    .option('--credits <n>', "credits per cycle, instead of the plan's figure", wholeNumber(0))
    .option(
      '--rate <n>',
      "requests per minute for each key, instead of the plan's figure",
      wholeNumber(1, 100_000),
    )
    .option(
      '--deny <operations>',
      'operations that the account cannot call (403 plan_not_allowed); separate with commas, or repeat the option',
      operationList,
    )
    .addOption(operatorOption())
}

/** The given amounts, under their domain names. */
function figuresOf({ credits, rate, deny }: PlanOptions) {
  return {
    ...(credits !== undefined && { credits }),
    ...(rate !== undefined && { ratePerMinute: rate }),
    ...(deny !== undefined && { deniedOperations: deny }),
  }
}
