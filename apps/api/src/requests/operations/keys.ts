// The keys of an account, managed with one of them: listed, created, rotated, revoked.

import { operationIds, shownValue } from '@lotline/contract'
import type { Database, SignedCursors } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal, refuseAt } from '../../infrastructure/refusals.ts'
import {
  changeOwnKey,
  createOwnKey,
  findOwnKey,
  type ListedKey,
  listOwnKeys,
  type OwnKey,
  refusePastTime,
  revokeOwnKey,
  rotateOwnKey,
  UNKNOWN_KEY_REFUSAL,
} from '../../money/accounts.ts'
import type { RunOnce } from '../../work/idempotency.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from '../presentation/answer.ts'
import { findListPage, pageMeta } from './list-page.ts'
import { onceCall } from './once.ts'
import { readSince } from './read-since.ts'

export interface KeysDeps {
  readonly database: Database
  readonly listCursors: SignedCursors
  readonly once: RunOnce
}

type KeyOperation = 'listKeys' | 'createKey' | 'getKey' | 'updateKey' | 'rotateKey' | 'deleteKey'

export function createKeyOperations(deps: KeysDeps): { readonly [K in KeyOperation]: HandlerOf<K> } {
  const { database } = deps
  return {
    listKeys: listKeys(deps),
    createKey: createKey(deps),
    getKey:
      ({ params }, { principal: { accountId, keyId } }) =>
      async () => {
        const key = await findOwnKey(database, accountId, params.id)
        return key ? deliver({ data: shownKey(key, keyId) }) : UNKNOWN_KEY_REFUSAL
      },
    updateKey: updateKey(deps),
    rotateKey: rotateKey(deps),
    deleteKey:
      ({ params }, { principal }) =>
      async () =>
        (await revokeOwnKey(database, principal, params.id)) ?? {
          status: 204,
          units: 1,
          body: () => undefined,
        },
  }
}

function listKeys({ database, listCursors }: KeysDeps): HandlerOf<'listKeys'> {
  return ({ query }, { principal: { accountId, keyId } }) =>
    async () => {
      const page = await findListPage<ListedKey>(
        { listCursors },
        ['listKeys', accountId],
        query,
        (after, limit) => listOwnKeys(database, accountId, after, limit),
        ({ micros, id }) => [micros, id],
      )
      if (isRefusal(page)) return page
      const data = page.entries.map((key) => shownKey(key, keyId))
      return deliver({ data, meta: pageMeta(page, query.limit) })
    }
}

function createKey({ once }: KeysDeps): HandlerOf<'createKey'> {
  return ({ body, headers }, call) => {
    const { principal } = call
    const { name, allowed_operations, expires_at, credit_limit } = body
    const unknown = refuseUnknownOperation(allowed_operations ?? [])
    if (unknown) return unknown
    const expiresAt = expires_at === undefined ? undefined : new Date(readSince(expires_at) * 1000)
    const past = refusePastTime(expiresAt, shownValue(expires_at))
    if (past) return past
    return async () => {
      const asked = onceCall('createKey', call, { headers, input: body, hasSecret: true })
      const made = await once.run(asked, async (database) => {
        const created = await createOwnKey(database, principal, {
          name,
          expiresAt,
          creditLimit: credit_limit,
          allowedOperations: allowed_operations?.length ? allowed_operations : undefined,
        })
        if (isRefusal(created)) return created
        return { ...shownKey(created.row, principal.keyId), key: created.key }
      })
      if (isRefusal(made)) return made
      const { answer, replayed } = made
      return {
        status: 201,
        units: 1,
        body: () => ({ data: answer }),
        ...(replayed && { replayed: true as const }),
      }
    }
  }
}

function rotateKey({ once }: KeysDeps): HandlerOf<'rotateKey'> {
  return ({ params, query, headers }, call) =>
    async () => {
      const { principal } = call
      const input = [params, query]
      const asked = onceCall('rotateKey', call, { headers, input, hasSecret: true })
      const done = await once.run(asked, async (database) => {
        const rotated = await rotateOwnKey(database, principal, params.id, query.grace_minutes)
        if (isRefusal(rotated)) return rotated
        const { row, key, oldKeyId: old_key_id, oldKeyRevokedAt } = rotated
        const old_key_revoked_at = oldKeyRevokedAt.toISOString()
        return { ...shownKey(row, principal.keyId), key, old_key_id, old_key_revoked_at }
      })
      if (isRefusal(done)) return done
      return { ...deliver({ data: done.answer }), ...(done.replayed && { replayed: true as const }) }
    }
}

function updateKey({ database }: KeysDeps): HandlerOf<'updateKey'> {
  return ({ params, body }, { principal }) => {
    const { allowed_operations: allowedOperations, expires_at, credit_limit: creditLimit } = body
    const unknown = refuseUnknownOperation(allowedOperations ?? [])
    if (unknown) return unknown
    const end = typeof expires_at === 'string' ? new Date(readSince(expires_at) * 1000) : undefined
    const past = refusePastTime(end, shownValue(expires_at))
    if (past) return past
    return async () => {
      const expiresAt = expires_at === null ? null : end
      // A key always has a name: null changes nothing.
      const changes = { name: body.name ?? undefined, allowedOperations, expiresAt, creditLimit }
      const changed = await changeOwnKey(database, principal, params.id, changes)
      return isRefusal(changed) ? changed : deliver({ data: shownKey(changed, principal.keyId) })
    }
  }
}

function refuseUnknownOperation(ids: readonly string[]): Refusal | undefined {
  const at = ids.findIndex((id) => !operationIds.some((known) => known === id))
  if (at < 0) return undefined
  const value = shownValue(ids[at])
  return refuseAt('invalid_parameter', 'operation', `allowed_operations.${at}`, { value })
}

function shownKey(key: OwnKey, ownKeyId: string) {
  return {
    id: key.id,
    name: key.name,
    last4: key.last4,
    active: key.active,
    current: key.id === ownKeyId,
    allowed_operations: key.allowedOperations && [...key.allowedOperations],
    ...(key.oauthClient !== null && { oauth_client: key.oauthClient }),
    credit_limit: key.creditLimit,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}
