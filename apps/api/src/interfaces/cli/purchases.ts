import { Command, Option } from 'commander'
import { readConfig } from '../../infrastructure/config.ts'
import {
  createStripePayments,
  explainClosedPurchase,
  findPurchase,
  listPurchases,
  PURCHASE_STATES,
  type Purchase,
  type PurchaseDecision,
  type PurchaseState,
  priceText,
  purchaseTitle,
} from '../../money/billing.ts'
import {
  approveOrder,
  refuseOrder,
  type SyncedPurchase,
  type SyncReport,
  syncPurchases,
} from '../../money/operator.ts'
import { expectMade } from './approval.ts'
import { operatorOf, operatorOption, reasonText, since, uuid, wholeNumber } from './arguments.ts'
import { CommandFailure, print, table, text } from './print.ts'
import { withDatabase } from './with-database.ts'

export function purchasesCommand(): Command {
  return new Command('purchases')
    .description(
      'List the plans and packs that customers order in the portal, approve or refuse them, and compare them with Stripe.',
    )
    .addCommand(listCommand())
    .addCommand(approveCommand())
    .addCommand(refuseCommand())
    .addCommand(syncCommand())
}

interface ListOptions {
  readonly state?: PurchaseState
  readonly account?: string
  readonly limit: number
}

function listCommand(): Command {
  return new Command('list')
    .description('List purchases, the latest first.')
    .addOption(new Option('--state <state>', 'only purchases in this state').choices(PURCHASE_STATES))
    .option('--account <id>', 'only purchases of this account', uuid)
    .option('--limit <n>', 'maximum number of purchases', wholeNumber(1, 1_000_000), 50)
    .addHelpText('after', '\nExample:\n  lotline purchases list --state open')
    .action(async (options: ListOptions, command: Command) => {
      const purchases = await withDatabase((database) => listPurchases(database, options))
      print(
        command,
        purchases.map((purchase) => ({ ...jsonOf(purchase), email: purchase.email })),
        purchases.length === 0
          ? ['There are none.']
          : table(
              ['PURCHASE', 'ACCOUNT', 'EMAIL', 'ORDER', 'CREDITS', 'PRICE', 'STATE', 'ORDERED'],
              purchases.map((purchase) => [
                purchase.id,
                purchase.accountId,
                purchase.email,
                `${purchase.kind} ${purchase.item}`,
                purchase.credits,
                priceText(purchase.price, purchase.currency),
                purchase.state,
                purchase.createdAt,
              ]),
            ),
      )
    })
}

function approveCommand(): Command {
  return new Command('approve')
    .description(
      'Approve an order when its payment has arrived. The customer gets the credits or the plan at once.',
    )
    .argument('<purchase>', 'id of the purchase', uuid)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      '\nIf you repeat an approval, nothing is changed, and the command says so.\n\nExample:\n  lotline purchases approve PURCHASE',
    )
    .action(async (id: string, _options: object, command: Command) => {
      const decided = expectMade(
        await withDatabase((database) => approveOrder(database, operatorOf(command), id)),
      )
      report(command, 'paid', decided)
    })
}

function refuseCommand(): Command {
  return new Command('refuse')
    .description(
      'Refuse an order. Nothing is changed in the account. An order at Stripe that is paid all the same is still granted.',
    )
    .argument('<purchase>', 'id of the purchase', uuid)
    .option('--reason <text>', 'reason, shown to the customer', reasonText)
    .addOption(operatorOption())
    .addHelpText('after', '\nExample:\n  lotline purchases refuse PURCHASE --reason "No payment in 30 days"')
    .action(async (id: string, { reason }: { readonly reason?: string }, command: Command) => {
      const decided = await withDatabase((database) => refuseOrder(database, operatorOf(command), id, reason))
      report(command, 'refused', decided)
    })
}

interface SyncCommandOptions {
  readonly since: Date
  readonly dryRun?: boolean
}

function syncCommand(): Command {
  return new Command('sync')
    .description(
      'Ask Stripe for the payments, refunds, and disputes of orders whose events may be lost, and give or deduct what the ' +
        'events would have.',
    )
    .argument('[purchase]', 'id of one purchase. Default: all that are open, paid, or refused', uuid)
    .addOption(
      new Option('--since <time>', 'only purchases that were ordered since then, such as 90d')
        .argParser(since)
        .default(since('30d'), '30d'),
    )
    .option('--dry-run', 'report what would happen, and change nothing')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
You can repeat it at any time, also while events arrive: each payment is granted once, and each refund deducted once.
It needs the settings of the server for Stripe. Exits with 1 if a payment does not fit its order, or Stripe does not answer.

Examples:
  lotline purchases sync --dry-run
  lotline purchases sync --since 90d
  lotline purchases sync PURCHASE`,
    )
    .action(async (id: string | undefined, options: SyncCommandOptions, command: Command) => {
      const settings = readConfig().billing?.stripe
      if (!settings)
        throw new CommandFailure(
          'Stripe is not set up. Set STRIPE_SECRET_KEY and the settings that it needs.',
        )
      const stripe = createStripePayments(settings, purchaseTitle)
      const { dryRun = false } = options
      const report = await withDatabase(async (database) => {
        const parts = { database, stripe, operator: operatorOf(command), dryRun }
        if (id === undefined) return syncPurchases(parts, { since: options.since })
        const purchase = await findPurchase(database, id)
        if (!purchase) throw new CommandFailure('There is no such purchase.')
        if (purchase.checkout === null && purchase.paymentIntent === null) {
          throw new CommandFailure('This purchase has no payment at Stripe.')
        }
        return syncPurchases(parts, { purchase })
      })
      const { checked, found } = report
      print(command, { dry_run: dryRun, checked, purchases: found.map(syncedJson) }, [
        ...(found.length > 0 ? [...syncedTable(found, dryRun), ''] : []),
        summaryOf(report, dryRun),
      ])
      if (report.isIncomplete) {
        throw new CommandFailure(
          'Stripe refused the key, or did not answer several times. The rest was not checked.',
        )
      }
      if (found.some(({ outcome }) => outcome !== 'changed')) {
        throw new CommandFailure('Some purchases could not be compared, or their payments do not fit.')
      }
    })
}

function summaryOf({ checked, found }: SyncReport, dryRun: boolean): string {
  const changed = found.filter(({ outcome }) => outcome === 'changed').length
  const purchases = checked === 1 ? '1 purchase' : `${checked} purchases`
  return `${dryRun ? 'Nothing was changed. ' : ''}${purchases} compared with Stripe, ${changed} ${dryRun ? 'would be ' : ''}changed.`
}

function syncedTable(found: readonly SyncedPurchase[], dryRun: boolean): string[] {
  const words = { changed: dryRun ? 'would change' : 'changed', mismatch: 'does not fit' }
  const cell = (before: unknown, after: unknown) =>
    before === after ? text(after) : `${text(before)} → ${text(after)}`
  return table(
    ['PURCHASE', 'ACCOUNT', 'ORDER', 'STATE', 'PAID BACK', 'DEDUCTED', 'BALANCE', 'RESULT'],
    found.map((synced) => {
      const { id, accountId, kind, item, state, currency } = synced.purchase
      const first = [id, accountId, `${kind} ${item}`]
      if (synced.outcome === 'unanswered') {
        const why = synced.status === undefined ? 'Stripe did not answer' : `Stripe answered ${synced.status}`
        return [...first, state, null, null, null, why]
      }
      const { before, after, outcome } = synced
      return [
        ...first,
        cell(before.state, after.state),
        cell(priceText(before.paid_back, currency), priceText(after.paid_back, currency)),
        cell(before.deducted, after.deducted),
        cell(before.balance, after.balance),
        words[outcome],
      ]
    }),
  )
}

function syncedJson(synced: SyncedPurchase) {
  const result =
    synced.outcome === 'unanswered'
      ? { stripe_status: synced.status ?? null }
      : { before: synced.before, after: synced.after }
  return { ...jsonOf(synced.purchase), outcome: synced.outcome, ...result }
}

function report(command: Command, wanted: 'paid' | 'refused', decided: PurchaseDecision): void {
  if (!decided.done) {
    if (decided.because !== 'closed') throw new CommandFailure(explainClosedPurchase(decided))
    const { purchase } = decided
    if (purchase.state !== wanted) {
      throw new CommandFailure(explainClosedPurchase(decided))
    }
    print(command, { ...jsonOf(purchase), changed: false }, [
      `Nothing was changed: ${purchase.operator ?? 'the customer'} decided it on ${purchase.closedAt!.toISOString()}.`,
    ])
    return
  }
  const { purchase } = decided
  print(command, { ...jsonOf(purchase), changed: true }, [
    wanted === 'paid'
      ? `Approved: ${purchaseTitle(purchase)}. The account ${purchase.accountId} has its ${purchase.credits} credits.`
      : `Refused: ${purchaseTitle(purchase)}.`,
  ])
}

function jsonOf(purchase: Purchase) {
  return {
    purchase_id: purchase.id,
    account_id: purchase.accountId,
    kind: purchase.kind,
    item: purchase.item,
    credits: purchase.credits,
    /** In hundredths of the currency. */
    price: purchase.price,
    currency: purchase.currency,
    payment: purchase.payment,
    state: purchase.state,
    operator: purchase.operator,
    reason: purchase.reason,
    created_at: purchase.createdAt,
    closed_at: purchase.closedAt,
  }
}
