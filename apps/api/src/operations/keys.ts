// The keys of an account, managed with one of them: listed, created, rotated, revoked.

import { operationIds, shownValue } from '@lotline/contract'
import {
  createOwnKey,
  listOwnKeys,
  type OwnKey,
  refusePastTime,
  revokeOwnKey,
  rotateOwnKey,
} from '../accounts/own-keys.ts'
import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { fingerprintOf, takeKey } from '../jobs/store/idempotency.ts'
import { isRefusal, type Refusal, refuseAt, refuseFor } from '../platform/refusal.ts'
import { deliver } from './deliver.ts'
import { readSince } from './read-since.ts'

type KeyOperation = 'listKeys' | 'createKey' | 'rotateKey' | 'deleteKey'

export function createKeyOperations(app: App): { readonly [K in KeyOperation]: HandlerOf<K> } {
  const { database } = app
  return {
    listKeys:
      (_input, { principal: { accountId, keyId } }) =>
      async () =>
        deliver({ data: (await listOwnKeys(database, accountId)).map((key) => shownKey(key, keyId)) }),
    createKey: createKey(app),
    rotateKey:
      ({ params, query }, { principal }) =>
      async () => {
        const rotated = await rotateOwnKey(database, principal, params.id, query.grace_minutes)
        if (isRefusal(rotated)) return rotated
        const { row, key, oldKeyId: old_key_id, oldKeyRevokedAt } = rotated
        const old_key_revoked_at = oldKeyRevokedAt.toISOString()
        return deliver({ data: { ...shownKey(row, principal.keyId), key, old_key_id, old_key_revoked_at } })
      },
    deleteKey:
      ({ params }, { principal }) =>
      async () =>
        (await revokeOwnKey(database, principal, params.id)) ?? {
          ...{ status: 204, units: 1 },
          body: () => undefined,
        },
  }
}

function createKey({ database }: App): HandlerOf<'createKey'> {
  return ({ body, headers }, { principal }) => {
    const { name, allowed_operations, expires_at, credit_limit } = body
    const unknown = refuseUnknownOperation(allowed_operations ?? [])
    if (unknown) return unknown
    const expiresAt = expires_at === undefined ? undefined : new Date(readSince(expires_at) * 1000)
    const past = refusePastTime(expiresAt, shownValue(expires_at))
    if (past) return past
    const idempotencyKey = headers['idempotency-key']
    return async () => {
      const created = await createOwnKey(database, principal, {
        ...{
          name,
          allowedOperations: allowed_operations?.length ? allowed_operations : undefined,
          expiresAt,
        },
        creditLimit: credit_limit,
        ...(idempotencyKey !== undefined && {
          repetition: async (tx, keyId) => {
            const { accountId } = principal
            const fingerprint = fingerprintOf('createKey', body)
            const taken = await takeKey(tx, { accountId, key: idempotencyKey, fingerprint, jobId: keyId })
            if (taken.taken === 'now') return 'first'
            return taken.taken === 'before'
              ? { keyId: taken.jobId }
              : { refusal: refuseFor('idempotency_key_reused', 'reused', {}) }
          },
        }),
      })
      if (isRefusal(created)) return created
      const { row, key, replayed } = created
      return {
        ...{ status: 201, units: 1 },
        body: () => ({ data: { ...shownKey(row, principal.keyId), key } }),
        ...(replayed && { replayed }),
      }
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
