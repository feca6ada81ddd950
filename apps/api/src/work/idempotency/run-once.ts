// Runs a creating call once per Idempotency-Key. The change and the key are committed in one transaction, so a process that is killed
// leaves both or neither. The answer is stored with the key, encrypted if it has a secret: a client that lost the first answer gets the
// same secret from the second call.
// Why: decisions/work/secrets-in-replays.md

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

/** Encrypts answers. Decryption needs the same `context`. */
export interface AnswerBox {
  seal(plain: Buffer, context: string): { readonly bytes: Buffer }
  open(sealed: Buffer, context: string): Buffer
}

export interface Once<Answer> {
  readonly answer: Answer
  /** An earlier call already returned this answer. */
  readonly replayed: boolean
}

export interface RunOnce {
  /**
   * Does the work, unless a call with the same key has already done it. @param call undefined: the call has no key @param work runs on a
   * database whose transactions join the key's transaction; a refusal leaves the key unused
   */
  run<Answer extends object>(
    call: OnceCall | undefined,
    work: (database: Database) => Promise<Answer | Refusal>,
  ): Promise<Once<Answer> | Refusal>
  /** The answer of an earlier call. Use it for work that begins before its transaction. undefined: there is no earlier call. */
  find<Answer extends object>(call: OnceCall): Promise<Answer | Refusal | undefined>
  /** Call it first in the transaction of the work. If it throws, the transaction must end. @throws {RepeatedCall} */
  take(tx: Queryable, call: OnceCall): Promise<void>
  /** Call it last in that transaction. */
  keep(tx: Queryable, call: OnceCall, answer: object): Promise<void>
}

/** Thrown to roll back the transaction: an earlier call did the work, or the call is refused. */
export class RepeatedCall extends Error {
  readonly found: object | Refusal

  constructor(found: object | Refusal) {
    super('The work of this call is not done now.')
    this.found = found
  }
}

/** Thrown to roll back the transaction of a refused call. */
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
      // The operator has removed the key that encrypted this answer from SECRETS_KEY.
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
