// The results of the console's changes, as its pages take them.

import { FormAlreadySent } from '../../money/operator.ts'

const SENT_BEFORE = 'This form was sent before, and its change was made then. Nothing more was changed.'

export const done = <T>(value: T) => ({ done: true as const, value })
/** @param why a sentence for the operator */
export const refused = (why: string) => ({ done: false as const, why })

/** A form that is sent again makes no second change. */
export async function once<T>(change: () => Promise<T>): Promise<T | ReturnType<typeof refused>> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof FormAlreadySent) return refused(SENT_BEFORE)
    throw error
  }
}
