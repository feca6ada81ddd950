// Goes back along the transitions of a home of a watch when an import is undone. No I/O: undo-events.ts reads the transitions and
// writes the result.
// Why: decisions/work/retracted-events.md

import type { HomeState } from './home-event.ts'

/** A recorded change of the reported state of a home. */
export interface Transition {
  readonly id: number
  readonly zpid: string
  /** The imports whose changes it reports; 0 stands for changes that no import has made. */
  readonly imports: readonly number[]
  /** The position in the change log before these changes. */
  readonly after: number
  /** undefined: the watch did not know the home. */
  readonly was: HomeState | undefined
  readonly now: HomeState
  readonly eventId: string | null
  readonly requestId: string | null
  /** False: the watch has got another search or list since. */
  readonly isOfState: boolean
}

/** The effect of an undo on the transitions of one home. */
export interface UndoneChain {
  /** They count as if they had never been, and their events are retracted. */
  readonly undone: readonly Transition[]
  /** Transitions that stay, and begin at an earlier state now. */
  readonly rebased: readonly Transition[]
  /** The reported state to go back to. undefined: the state stays. */
  readonly state?: { readonly to: HomeState | undefined }
  /** The home may differ from that state: it is compared from this position in the change log. */
  readonly compareAfter?: number
}

export interface ChainContext {
  /** Whether an import still counts. The import to undo does not. */
  readonly counts: (importId: number) => boolean
  readonly importId: number
  /** Whether the home is as it was before the import. False: a later import has changed it, or a right hides it. */
  readonly isRestored: boolean
  /** Whether the change log has a later change of the home, which is not evaluated yet, and will be reported from the new state. */
  readonly isReportedLater: boolean
}

/**
 * Undoes the transitions of one home that only undone imports have caused. A later transition then begins where the first of them
 * began. If it ends there too, it only reported the way back, and is undone as well. A transition that other imports have caused too
 * is undone only if it reported a state that the undo has changed again. A transition without an event that records canceled changes
 * does not hold a state: it is undone together with the one before it, and the home is compared.
 *
 * @param transitions all of the home that are not undone, in order
 */
export function undoChain(
  transitions: readonly Transition[],
  { counts, importId, isRestored, isReportedLater }: ChainContext,
): UndoneChain {
  const undone: Transition[] = []
  /** The transitions that stay, in order. */
  const kept: { readonly one: Transition; readonly isRebased: boolean }[] = []
  /** The first of the undone transitions immediately before this one. */
  let from: Transition | undefined
  let isMixed = false
  for (const [at, original] of transitions.entries()) {
    const isLast = at === transitions.length - 1
    const one = from && original.isOfState ? { ...original, was: from.was } : original
    const isOfImport = one.imports.includes(importId)
    const isPure = !one.imports.some(counts)
    // Its changes have canceled out. After another state before them, they may not.
    const isCanceled = from !== undefined && original.eventId === null && isSame(original.was, original.now)
    const isUndone = isOfImport
      ? isPure || isCanceled || (isRestored && isLast)
      : isCanceled || (from !== undefined && isSame(one.was, one.now))
    if (isUndone) {
      undone.push(one)
      if (isCanceled || (isOfImport && !isPure)) isMixed = true
      if (one.isOfState) from ??= one
    } else {
      kept.push({ one, isRebased: from !== undefined })
      from = undefined
    }
  }
  // The last state that stays may be that of an import that was undone earlier, in an event that other imports have caused too.
  while (from && isRestored && kept.at(-1)?.one.imports.some((id) => !counts(id))) {
    from = kept.pop()!.one
    undone.push(from)
    isMixed = true
  }
  const rebased = kept.filter(({ isRebased }) => isRebased).map(({ one }) => one)
  if (!from) return { undone, rebased }
  // A later import that reported the way back has left the home in this state.
  const isOnWayBack = !transitions.at(-1)!.imports.includes(importId)
  const isCompared = isMixed || !(isRestored || isReportedLater || isOnWayBack)
  return { undone, rebased, state: { to: from.was }, ...(isCompared && { compareAfter: from.after }) }
}

/** Whether a watch reports nothing between these states. */
function isSame(was: HomeState | undefined, now: HomeState): boolean {
  const wasIn = was !== undefined && was.leftAt === null
  if (!wasIn) return now.leftAt !== null
  return now.leftAt === null && was.status === now.status && was.price === now.price
}
