// The report of a restore: what was applied from the safety journal, and what is lost since the backup.

import type { LostInRestore } from '../../../money/operator.ts'
import { table } from '../print.ts'
import type { AppliedJournal } from './run-restore.ts'

export function appliedLines({ revokedKeys, statuses, operators, homes }: AppliedJournal): string[] {
  const counted = [
    [revokedKeys.length, 'keys revoked'],
    [statuses.filter(({ status }) => status === 'suspended').length, 'accounts suspended'],
    [statuses.filter(({ status }) => status === 'active').length, 'accounts resumed'],
    [operators.removed, 'operators removed'],
    [operators.withAnotherRole, 'operators with another role'],
    [homes.removed, 'homes removed'],
    [homes.withheld, 'homes withheld'],
    [homes.withoutAddress, 'homes without their address'],
  ] as const
  const done = counted.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return done.length === 0
    ? ['The safety journal has nothing to apply.']
    : [`Applied again from the safety journal: ${done.join(', ')}.`]
}

export function appliedJson({ revokedKeys, statuses, operators, homes }: AppliedJournal) {
  const { removed, withheld, withoutAddress } = homes
  return {
    keys_revoked: revokedKeys,
    accounts: statuses.map(({ id, status }) => ({ account_id: id, status })),
    operators: { removed: operators.removed, with_another_role: operators.withAnotherRole },
    homes: { removed, withheld, without_address: withoutAddress },
  }
}

/** Lines that list what the operator has to do again. */
export function lostLines({ accounts, keys, orders, orderStates, credits }: LostInRestore): string[] {
  const rows = [
    ...accounts.map((account) => ['account', account, account, '']),
    ...keys.map(({ key, account }) => ['key', key, account, '']),
    ...orders.map(({ order, account, credits, state }) => [
      'order',
      order,
      account,
      `${credits} credits, ${state}`,
    ]),
    ...orderStates.map(({ order, account, state }) => ['state of order', order, account, state]),
    ...credits.map(({ account, by, credits }) => [by, '', account, `${credits} credits`]),
  ]
  if (rows.length === 0)
    return ['According to the safety journal, the backup lacks no account, key, order, or credits.']
  return [
    'Lost since the backup:',
    ...table(['WHAT', 'ID', 'ACCOUNT', 'DETAILS'], rows),
    '',
    'Calls and jobs since the backup are lost too, with their charges; the journal does not list them.',
  ]
}

export function lostJson({ accounts, keys, orders, orderStates, credits }: LostInRestore) {
  return {
    accounts,
    keys: keys.map(({ key, account }) => ({ key_id: key, account_id: account })),
    orders: [...orders, ...orderStates].map(({ order, account, credits, state }) => ({
      order_id: order,
      account_id: account,
      credits,
      state,
    })),
    credits: credits.map(({ account, by, credits }) => ({ account_id: account, kind: by, credits })),
  }
}
