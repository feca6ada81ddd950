import { Command, Option } from 'commander'
import { type Decided, titleOf, whyNot } from '../billing/grant.ts'
import { priceText } from '../billing/price-list.ts'
import { listPurchases, PURCHASE_STATES, type Purchase, type PurchaseState } from '../billing/purchases.ts'
import { approveOrder, refuseOrder } from '../operator/purchase-actions.ts'
import { operatorOf, operatorOption, reasonText, uuid, wholeNumber } from './arguments.ts'
import { CommandFailure, print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

export function purchasesCommand(): Command {
  return new Command('purchases')
    .description('List the plans and packs that customers order in the portal, and approve or refuse them.')
    .addCommand(listCommand())
    .addCommand(approveCommand())
    .addCommand(refuseCommand())
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
                ...[purchase.id, purchase.accountId, purchase.email, `${purchase.kind} ${purchase.item}`],
                ...[purchase.credits, priceText(purchase.price, purchase.currency), purchase.state],
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
      const decided = await withDatabase((database) => approveOrder(database, operatorOf(command), id))
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

function report(command: Command, wanted: 'paid' | 'refused', decided: Decided): void {
  if (!decided.done) {
    if (decided.because !== 'closed') throw new CommandFailure(whyNot(decided))
    const { purchase } = decided
    if (purchase.state !== wanted) {
      throw new CommandFailure(whyNot(decided))
    }
    print(command, { ...jsonOf(purchase), changed: false }, [
      `Nothing was changed: ${purchase.operator ?? 'the customer'} decided it on ${purchase.closedAt!.toISOString()}.`,
    ])
    return
  }
  const { purchase } = decided
  print(command, { ...jsonOf(purchase), changed: true }, [
    wanted === 'paid'
      ? `Approved: ${titleOf(purchase)}. The account ${purchase.accountId} has its ${purchase.credits} credits.`
      : `Refused: ${titleOf(purchase)}.`,
  ])
}

function jsonOf(purchase: Purchase) {
  return {
    purchase_id: purchase.id,
    account_id: purchase.accountId,
    ...{ kind: purchase.kind, item: purchase.item, credits: purchase.credits },
    /** In hundredths of the currency. */
    ...{ price: purchase.price, currency: purchase.currency },
    ...{ payment: purchase.payment, state: purchase.state },
    ...{ operator: purchase.operator, reason: purchase.reason },
    ...{ created_at: purchase.createdAt, closed_at: purchase.closedAt },
  }
}
