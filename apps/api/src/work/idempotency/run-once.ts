// Calls that create something and may be sent again with their Idempotency-Key. The change and the key are one transaction, so a process
// that is killed leaves both or neither. The answer is kept with the key, encrypted if it has a secret: a client whose answer was lost
// gets the secret from the second call.

import { type Database, joinTransaction, type Queryable } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal } from '../../infrastructure/refusals.ts'
import {
  ANSWER_GONE,
  type IdempotentCall,
  KEY_REUSED,
  type KeyClaim,
  keepAnswer,
  lookUpKey,
  takeKey,
} from './idempotency-keys.ts'

export interface OnceCall extends IdempotentCall {
  readonly hasSecret: boolean
}

/** What encrypts answers. `context` must be named again to open one. */
export interface AnswerBox {
  seal(plain: Buffer, context: string): { readonly bytes: Buffer }
  open(sealed: Buffer, context: string): Buffer
}

export interface Once<Answer> {
  readonly answer: Answer
  /** An earlier call has had it. */
  readonly replayed: boolean
}

export interface RunOnce {
  /**
   * Does the work, unless a call with the same key did it before.
   *
   * @param call undefined: it has no key
   * @param work on a database whose transactions join that of the key. A refusal leaves the key free.
   */
  run<Answer extends object>(
    call: OnceCall | undefined,
    work: (database: Database) => Promise<Answer | Refusal>,
  ): Promise<Once<Answer> | Refusal>
  /** The answer of an earlier call, for work that begins before its transaction. undefined: there was none. */
  find<Answer extends object>(call: OnceCall): Promise<Answer | Refusal | undefined>
  /** To be called first in the transaction of the work, which must end if it throws. @throws {RepeatedCall} */
  take(tx: Queryable, call: OnceCall): Promise<void>
  /** To be called last in that transaction. */
  keep(tx: Queryable, call: OnceCall, answer: object): Promise<void>
}

/** Thrown to undo what the transaction has done so far: the call was made before, or it is refused. */
export class RepeatedCall extends Error {
  readonly found: object | Refusal

  constructor(found: object | Refusal) {
    super('The work of this call is not done now.')
    this.found = found
  }
}

/** Thrown to undo the transaction of a refused call. */
class RefusedCall extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export function createRunOnce(database: Database, box: AnswerBox): RunOnce {
  const contextOf = ({ accountId, key }: IdempotentCall) => `${accountId} ${key}`

  function read(taken: Exclude<KeyClaim, { taken: 'now' }>, call: OnceCall): object | Refusal {
    if (taken.taken !== 'before') return KEY_REUSED
    const { answer, sealed } = taken.stored
    if (!sealed) return answer ?? ANSWER_GONE
    try {
      return JSON.parse(box.open(sealed, contextOf(call)).toString()) as object
    } catch (error) {
      // The operator has taken the key out that it was encrypted with.
      if (error instanceof Error && error.name === 'UnknownKey') return ANSWER_GONE
      throw error
    }
  }

  async function take(tx: Queryable, call: OnceCall): Promise<void> {
    const taken = await takeKey(tx, call)
    if (taken.taken !== 'now') throw new RepeatedCall(read(taken, call))
  }

  async function keep(tx: Queryable, call: OnceCall, answer: object): Promise<void> {
    const sealed = call.hasSecret
      ? box.seal(Buffer.from(JSON.stringify(answer)), contextOf(call)).bytes
      : null
    await keepAnswer(tx, call, { answer: sealed ? null : answer, sealed })
  }

  return {
    async run<Answer extends object>(
      call: OnceCall | undefined,
      work: (database: Database) => Promise<Answer | Refusal>,
    ) {
      if (!call) {
        const answer = await work(database)
        return isRefusal(answer) ? answer : { answer, replayed: false }
      }
      try {
        return await database.transaction(async (tx) => {
          await take(tx, call)
          const answer = await work(joinTransaction(database, tx))
          if (isRefusal(answer)) throw new RefusedCall(answer)
          await keep(tx, call, answer)
          return { answer, replayed: false }
        })
      } catch (error) {
        if (error instanceof RefusedCall) return error.refusal
        if (!(error instanceof RepeatedCall)) throw error
        const { found } = error
        return isRefusal(found) ? found : { answer: found as Answer, replayed: true }
      }
    },
    async find<Answer extends object>(call: OnceCall) {
      const taken = await lookUpKey(database, call)
      return taken && (read(taken, call) as Answer | Refusal)
    },
    take,
    keep,
  }
}
