// The options that say what a plan grants, for `create` and `set-plan` alike.

import type { OperationId } from '@lotline/contract'
import { type Command, Option } from 'commander'
import { PLANS, type PlanId } from '../../accounts/plans.ts'
import { operationList, wholeNumber } from '../arguments.ts'

export interface PlanOptions {
  readonly plan: PlanId
  readonly credits?: number
  readonly rate?: number
  readonly deny?: OperationId[]
}

export function takesPlan(command: Command): Command {
  return command
    .addOption(new Option('--plan <plan>', 'the plan').choices(PLANS).makeOptionMandatory())
    .option('--credits <n>', "credits of a cycle, instead of the plan's figure", wholeNumber(0))
    .option(
      '--rate <n>',
      "requests per minute for each key, instead of the plan's figure",
      wholeNumber(1, 100_000),
    )
    .option(
      '--deny <operations>',
      'operations of the contract that are answered with 403 plan_not_allowed; with commas, or several times',
      operationList,
    )
}

/** The figures that were given, as the domain names them. */
export function figuresOf({ credits, rate, deny }: PlanOptions) {
  return {
    ...(credits !== undefined && { credits }),
    ...(rate !== undefined && { ratePerMinute: rate }),
    ...(deny !== undefined && { deniedOperations: deny }),
  }
}
