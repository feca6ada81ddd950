// The command that refunds a call, or the events of an import.

import { Command } from 'commander'
import { refundAccount } from '../../money/operator.ts'
import { refundEventsOfImport } from '../../work/watches.ts'
import { expectMade } from './approval.ts'
import { operatorOf, operatorOption, reasonText, requestIdText, uuid, wholeNumber } from './arguments.ts'
import { CommandFailure, facts, print } from './print.ts'
import { withDatabase } from './with-database.ts'

export function refundCommand(): Command {
  return new Command('refund')
    .description(
      'Give back the credits that a call was charged, with all its stages, or those of all events of watches that an import ' +
        'caused. Each is refunded once. The credits carry over to the next cycle and are spent last.',
    )
    .option('--account <id>', 'id of the account', uuid)
    .option('--request <id>', 'id of the request, as in the response and in GET /v1/usage', requestIdText)
    .option('--reason <text>', 'reason, stored in the ledger', reasonText)
    .option('--events-of <import>', 'number of the import whose events are refunded', wholeNumber(1))
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The homes and the events stay as they are. To undo the import as well, run \`lotline listings revert\`, which also refunds.

Examples:
  lotline credits refund --account ACCOUNT --request req_01M7WQTJ8S9TQM83XSSSS6YS3C --reason "Wrong record"
  lotline credits refund --events-of 17`,
    )
    .action(async ({ account, request, reason, eventsOf }: RefundOptions, command: Command) => {
      if (eventsOf !== undefined) {
        if ((account ?? request ?? reason) !== undefined)
          throw new CommandFailure(
            '--events-of cannot be combined with --account, --request, or --reason.',
            2,
          )
        return refundEvents(command, eventsOf)
      }
      if (account === undefined || request === undefined || reason === undefined)
        throw new CommandFailure(
          'Name --account, --request, and --reason of a call, or --events-of an import.',
          2,
        )
      const result = expectMade(
        await withDatabase((database) =>
          refundAccount(database, operatorOf(command), account, request, reason),
        ),
      )
      if ('because' in result) throw new CommandFailure(NO_REFUND[result.because](account, request))
      if (result.before) {
        const { amount, at, operator: who } = result.before
        return print(command, { account_id: account, refunded: 0, before: result.before }, [
          `Nothing was changed: ${who} refunded ${amount} credits for this call on ${at.toISOString()}.`,
        ])
      }
      const { refunded, balance, held } = result
      print(
        command,
        { account_id: account, refunded, balance, held },
        facts([
          ['refunded', `${refunded} credits`],
          ['balance', `${balance} credits, ${held} held by jobs`],
        ]),
      )
    })
}

interface RefundOptions {
  readonly account?: string
  readonly request?: string
  readonly reason?: string
  readonly eventsOf?: number
}

async function refundEvents(command: Command, importId: number): Promise<void> {
  const refund = await withDatabase((database) =>
    refundEventsOfImport(database, operatorOf(command), importId),
  )
  if (!refund)
    throw new CommandFailure(
      `There is no import ${importId}. List the imports: \`lotline listings imports\`.`,
    )
  const { credits, events, accounts } = refund
  print(
    command,
    { import: importId, refunded: credits, events, accounts },
    events === 0
      ? [`Import ${importId} has no events to refund, or they were all refunded before. Nothing was changed.`]
      : facts([
          ['refunded', `${credits} credits`],
          ['events', events],
          ['accounts', accounts],
        ]),
  )
}

const NO_REFUND = {
  'no such account': (account: string) => `There is no account ${account}.`,
  'no such call': (_account: string, request: string) =>
    `The account has no call ${request} in the ledger. Check the id; the call may also be in an archive.`,
  'was free': (_account: string, request: string) => `The call ${request} was charged nothing.`,
}
