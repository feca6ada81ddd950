import { Command, Option } from 'commander'
import type { Database } from '../../infrastructure/database.ts'
import { findAccount } from '../../money/accounts.ts'
import { runAsOperator } from '../../money/operator.ts'
import { type AllWatchesFilter, readAllWatches, updateWatch, type WatchInfo } from '../../work/watches.ts'
import { operatorOf, operatorOption, uuid, wholeNumber } from './arguments.ts'
import { CommandFailure, facts, print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

const STATUSES = ['pending', 'active', 'paused', 'quarantined'] as const

export function watchesCommand(): Command {
  return new Command('watches')
    .description(
      'List, show and pause watches, the saved searches and lists of homes whose changes accounts are notified of. Accounts ' +
        'create them with the API.',
    )
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(pauseCommand())
}

function listCommand(): Command {
  return new Command('list')
    .description('List the watches of all accounts, or of one account, latest first.')
    .argument('[account]', 'id of the account', uuid)
    .addOption(new Option('--status <status>', 'only watches with this status').choices(STATUSES))
    .option('--limit <n>', 'maximum number of watches', wholeNumber(1, 1_000_000), 100)
    .addHelpText(
      'after',
      `
HOMES is the number of homes that match, EVENTS the number of events since the watch was created.

Examples:
  lotline watches list
  lotline watches list ACCOUNT --json
  lotline watches list --status paused`,
    )
    .action(
      async (account: string | undefined, options: Omit<AllWatchesFilter, 'account'>, command: Command) => {
        const watches = await withDatabase(async (database) => {
          if (account !== undefined && !(await findAccount(database, account))) {
            throw new CommandFailure(`There is no account ${account}.`)
          }
          return readAllWatches(database, { ...options, account })
        })
        const lines = table(
          ['WATCH', 'ACCOUNT', 'STATUS', 'REASON', 'EVERY', 'HOMES', 'EVENTS', 'CREATED', 'NAME'],
          watches.map((watch) => [
            watch.id,
            watch.account_id,
            watch.status,
            watch.paused_reason,
            watch.every,
            watch.count,
            watch.last_seq,
            watch.created_at,
            shownName(watch),
          ]),
        )
        if (watches.length === options.limit) lines.push('', 'There may be more: see --limit.')
        print(command, watches, watches.length > 0 ? lines : ['There are none.'])
      },
    )
}

function showCommand(): Command {
  return new Command('show')
    .description('Show one watch: what it watches, its state, and when it is evaluated next.')
    .argument('<watch>', 'id of the watch', uuid)
    .addHelpText('after', '\nExamples:\n  lotline watches show WATCH\n  lotline watches show WATCH --json')
    .action(async (id: string, _options: object, command: Command) => {
      const watch = await withDatabase((database) => findWatch(database, id))
      print(
        command,
        watch,
        facts([
          ['watch', watch.id],
          ['account', watch.account_id],
          ['name', shownName(watch)],
          ['watches', watch.filters ? JSON.stringify(watch.filters) : `${watch.zpids!.length} homes by zpid`],
          ['events', watch.events.join(' ')],
          ['every', watch.every],
          ['min change', watch.min_change && JSON.stringify(watch.min_change)],
          ['status', watch.paused_reason ? `${watch.status}: ${watch.paused_reason}` : watch.status],
          ['homes', watch.count],
          ['last event', watch.last_seq],
          ['created', watch.created_at],
          ['baseline', watch.baseline_at],
          ['last search', watch.scanned_at],
          ['next', watch.due_at],
        ]),
      )
    })
}

function pauseCommand(): Command {
  return new Command('pause')
    .description(
      'Pause a watch. It keeps its state, and writes and charges no events until its account resumes it with ' +
        'PATCH /v1/watches/{id}. Then it reports what has changed since.',
    )
    .argument('<watch>', 'id of the watch', uuid)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The account sees the status paused with the reason requested. Webhooks get no event. To stop all calls of an account as well, use
\`lotline accounts suspend\`.

Example:
  lotline watches pause WATCH`,
    )
    .action(async (id: string, _options: object, command: Command) => {
      const watch = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const before = await findWatch(database, id)
          const { account_id: accountId } = before
          // What it finds does not change, so no limit applies.
          await updateWatch(database, accountId, id, { paused: true }, { matches: 0 })
          const after = await findWatch(database, id)
          if (before.status !== after.status)
            await note({
              action: 'watches.pause',
              accountId,
              object: id,
              before: { status: before.status },
              after: { status: after.status },
            })
          return after
        }),
      )
      print(command, watch, [`The watch ${id} is paused.`])
    })
}

async function findWatch(database: Database, id: string): Promise<WatchInfo> {
  const [watch] = await readAllWatches(database, { id, limit: 1 })
  if (!watch) throw new CommandFailure(`There is no watch ${id}.`)
  return watch
}

/** Customers choose names: without what could move the cursor of a terminal. */
function shownName({ name }: WatchInfo): string {
  return name.replaceAll(/\p{Cc}/gu, ' ')
}
