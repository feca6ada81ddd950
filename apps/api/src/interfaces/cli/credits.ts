import { Command, InvalidArgumentError } from 'commander'
import { BackupError } from '../../infrastructure/database.ts'
import {
  ArchiveError,
  type ArchiveOptions,
  archiveBooks,
  auditLedger,
  availableCredits,
  type Drift,
  listPostings,
} from '../../money/credits.ts'
import {
  adjustAccount,
  MAX_STORED_FINDINGS,
  recordAction,
  topUpAccount,
  writeAudit,
} from '../../money/operator.ts'
import { expectMade } from './approval.ts'
import {
  accountOf,
  operatorOf,
  operatorOption,
  reasonText,
  signedNumber,
  takesAccount,
  uuid,
  wholeNumber,
} from './arguments.ts'
import { fileFailure } from './backup.ts'
import { pendingCommand } from './pending-credits.ts'
import { CommandFailure, facts, print, table, text, wantsJson } from './print.ts'
import { refundCommand } from './refund.ts'
import { withDatabase } from './with-database.ts'

export function creditsCommand(): Command {
  return new Command('credits')
    .description(
      'Add and refund credits, show the history of a balance, audit the ledger, and archive old months of it.',
    )
    .addCommand(topupCommand())
    .addCommand(adjustCommand())
    .addCommand(refundCommand())
    .addCommand(pendingCommand())
    .addCommand(historyCommand())
    .addCommand(auditCommand())
    .addCommand(archiveCommand())
}

function topupCommand(): Command {
  return new Command('topup')
    .description(
      'Add credits to an account on a paid plan. They carry over to the next cycle and are spent last.',
    )
    .requiredOption('--account <id>', 'id of the account', uuid)
    .requiredOption('--amount <n>', 'credits to add', wholeNumber(1))
    .option('--reference <text>', 'your name of the payment, used once for each account', reasonText)
    .option('--reason <text>', 'reason, stored in the ledger', reasonText)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
If you repeat a top-up with the same reference, nothing is changed, and the command says so.

Example:
  lotline credits topup --account ACCOUNT --amount 500 --reference "Invoice 2026-117"`,
    )
    .action(async (options: TopUpOptions, command: Command) => {
      const { account, amount, reference, reason } = options
      const result = expectMade(
        await withDatabase((database) =>
          topUpAccount(database, operatorOf(command), account, amount, { reference, reason }),
        ),
      )
      if (!result.toppedUp && result.because === 'reference used') {
        const { before, because } = result
        if (before.amount !== amount) {
          throw new CommandFailure(
            `The reference "${options.reference}" was used on ${before.at.toISOString()} for ${before.amount} credits, not ${amount}.`,
          )
        }
        return print(command, { account_id: account, added: 0, because, before }, [
          `Nothing was changed: ${before.operator} added ${before.amount} credits with this reference on ${before.at.toISOString()}.`,
        ])
      }
      if (!result.toppedUp) {
        throw new CommandFailure(
          result.because === 'no such account'
            ? `There is no account ${options.account}.`
            : 'The free plan takes no top-ups. Give the account a paid plan first: `lotline accounts set-plan`.',
        )
      }
      const { balance, held } = result
      print(
        command,
        { account_id: options.account, added: options.amount, balance, held },
        facts([
          ['added', `${options.amount} credits`],
          ['balance', `${balance} credits, ${held} held by jobs`],
        ]),
      )
    })
}

interface TopUpOptions {
  readonly account: string
  readonly amount: number
  readonly reference?: string
  readonly reason?: string
}

interface AdjustOptions {
  readonly account: string
  readonly amount: number
  readonly reason: string
}

function adjustCommand(): Command {
  return new Command('adjust')
    .description(
      'Add credits to an account on any plan, or remove credits, as goodwill or as a correction. Added credits carry over ' +
        'to the next cycle and are spent last. Credits that jobs hold cannot be removed.',
    )
    .requiredOption('--account <id>', 'id of the account', uuid)
    .requiredOption('--amount <n>', 'credits to add; a negative number removes credits', signedNumber)
    .requiredOption('--reason <text>', 'reason, stored in the ledger', reasonText)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Examples:
  lotline credits adjust --account ACCOUNT --amount 50 --reason "Goodwill for the outage of November 21"
  lotline credits adjust --account ACCOUNT --amount -50 --reason "Topped up twice"`,
    )
    .action(async ({ account, amount, reason }: AdjustOptions, command: Command) => {
      const result = expectMade(
        await withDatabase((database) =>
          adjustAccount(database, operatorOf(command), account, amount, reason),
        ),
      )
      if (!result.adjusted) {
        throw new CommandFailure(
          result.because === 'no such account'
            ? `There is no account ${account}.`
            : `Only ${availableCredits(result)} credits can be taken away: the balance is ${result.balance}, ` +
                `and jobs hold ${result.held}.`,
        )
      }
      const { balance, held } = result
      print(
        command,
        { account_id: account, adjusted: amount, reason, balance, held },
        facts([
          ['adjusted', `${amount} credits`],
          ['reason', reason],
          ['balance', `${balance} credits, ${held} held by jobs`],
        ]),
      )
    })
}

function historyCommand(): Command {
  return takesAccount(
    new Command('history').description(
      'List the ledger entries of an account, newest first: every change of its balance and of its held credits.',
    ),
  )
    .option('--limit <n>', 'maximum number of entries', wholeNumber(1, 1_000_000), 100)
    .addHelpText('after', '\nExample:\n  lotline credits history --account ACCOUNT --limit 20')
    .action(async (argument: string | undefined, options: { limit: number }, command: Command) => {
      const accountId = accountOf(command, argument)
      const postings = await withDatabase((database) => listPostings(database, accountId, options.limit))
      print(
        command,
        postings,
        postings.length === 0
          ? ['There are none.']
          : table(
              [
                'AT',
                'KIND',
                'CREDITS',
                'HELD',
                'BALANCE',
                'REQUEST',
                'STAGE',
                'JOB',
                'REASON',
                'REFERENCE',
                'BY',
              ],
              postings.map((posting) => [
                posting.created_at,
                posting.kind,
                posting.amount,
                posting.held_change,
                posting.balance,
                posting.request_id,
                posting.stage,
                posting.job_id,
                posting.reason,
                posting.reference,
                posting.operator,
              ]),
            ),
      )
    })
}

function auditCommand(): Command {
  return new Command('audit')
    .description(
      'Check the ledger: each balance is the sum of its entries, held credits are the sum of open holds, and every usage ' +
        'row was charged the price in the contract. Exits with 1 if anything is wrong.',
    )
    .option(
      '--archive <file...>',
      'files of all archives of the ledger (`lotline credits archive`), to audit the whole history and not only the rows that are kept',
    )
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The audit reads one consistent snapshot, so a server can be running. It changes nothing except its own log: the time and the
number of findings, which the server shows in its metrics.

Examples:
  lotline credits audit
  lotline credits audit --json | jq .drift
  lotline credits audit --archive ledger-2025-10.zst ledger-2025-11.zst`,
    )
    .action(async ({ archive }: { archive?: string[] }, command: Command) => {
      const json = wantsJson(command)
      // Printed as they are found: a long audit is not silent, and one with many findings needs no memory.
      let found = 0
      const first: Drift[] = []
      const print = (drift: Drift) => {
        if (first.length < MAX_STORED_FINDINGS) first.push(drift)
        const before = found++ === 0 ? '\n' : ',\n'
        process.stdout.write(json ? `${before}${JSON.stringify(drift)}` : `${lineOf(drift)}\n`)
      }
      if (json) process.stdout.write('{ "drift": [')
      const { drifts, ...checked } = await withDatabase(async (database) => {
        const audited = await auditLedger(database, print, { archives: archive ?? [] }).catch(explain)
        await database.transaction((tx) => writeAudit(tx, operatorOf(command), audited, first))
        return audited
      })
      const { accounts, holds, postings, usageRows } = checked
      if (json) {
        const counts = JSON.stringify({ accounts, holds, postings, usage_rows: usageRows })
        process.stdout.write(`], "clean": ${drifts === 0}, "checked": ${counts} }\n`)
      } else {
        process.stdout.write(
          `Audited ${accounts} accounts, ${postings} postings, ${holds} holds and ${usageRows} usage rows.\n`,
        )
        if (drifts === 0) process.stdout.write('Every credit is accounted for.\n')
      }
      if (drifts > 0) throw new CommandFailure(`The ledger has drifted: ${drifts} findings.`)
    })
}

interface ArchiveFlags {
  readonly before: Date
  readonly keepMonths: number
  readonly to: string
}

function archiveCommand(): Command {
  return new Command('archive')
    .description(
      'Move the usage rows and ledger entries before a month from the database to a file: compressed NDJSON with checksums. ' +
        'One entry for each account carries the sum, so balances do not change.',
    )
    .requiredOption('--before <month>', 'first month that is kept, such as 2025-11 (UTC)', month)
    .requiredOption(
      '--keep-months <count>',
      'whole months of rows that are kept beside the present one, 1 to 1200',
      wholeNumber(1, 1_200),
    )
    .requiredOption('--to <file>', 'file to write')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Rows of the months in --keep-months before the present one are always kept. The command needs the
rights of the owner of the tables (DATABASE_OWNER_URL, if DATABASE_URL has fewer rights). A server can be running.

The file is complete, on disk, and checked before any row is removed. If the command is interrupted, run it again: nothing is
lost or archived twice. Keep every archive: an audit of the whole history needs all of them.

Example:
  lotline credits archive --before 2025-10 --keep-months 13 --to ledger-before-2025-10.zst`,
    )
    .action(async ({ before, keepMonths, to }: ArchiveFlags, command: Command) => {
      const options: ArchiveOptions = {
        before,
        file: to,
        retentionMonths: keepMonths,
        beforeCommit: (tx, { movements, usageRows, sha256 }) =>
          recordAction(tx, operatorOf(command), {
            action: 'credits.archive',
            after: { before: before.toISOString(), file: to, movements, usage_rows: usageRows, sha256 },
          }),
      }
      const { result, movements, usageRows, sha256 } = await withDatabase((database) =>
        archiveBooks(database, options).catch((error) => {
          throw fileFailure(to, error) ?? error
        }),
      ).catch(explain)
      print(
        command,
        { result, before: before.toISOString(), movements, usage_rows: usageRows, sha256 },
        result === 'archived'
          ? [
              `Archived ${usageRows} usage rows and ${movements} ledger entries to ${to}.`,
              `SHA-256: ${sha256}`,
            ]
          : result === 'archived before'
            ? [`Archived already, with SHA-256 ${sha256}. Nothing was changed.`]
            : ['There is nothing to archive.'],
      )
    })
}

/** The start of a month in UTC. */
function month(text: string): Date {
  const start = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? new Date(`${text}-01T00:00:00Z`) : undefined
  if (start === undefined) throw new InvalidArgumentError('It takes a month such as 2025-11.')
  return start
}

function explain(error: unknown): never {
  if (error instanceof ArchiveError || error instanceof BackupError) throw new CommandFailure(error.message)
  throw error
}

function lineOf({ check, accountId, facts }: Drift): string {
  const said = Object.entries(facts).map(([name, value]) => `${name}=${text(value)}`)
  return `DRIFT  ${check}  account ${text(accountId)}  ${said.join(' ')}`
}
