// Signing secrets of webhooks, encrypted in the database. One secret is current. A replaced secret also signs for a day, so that receivers
// can switch in their own time.

import { type Database, type Queryable, StartError } from '../../infrastructure/database.ts'
import { KEY_FILE, type SecretBox, UnknownKey } from './secret-box.ts'
import { createSecret, showSecret } from './sign.ts'

/** How long a replaced secret also signs. */
export const OVERLAP_HOURS = 24

const RESEAL_AT_A_TIME = 500

/** Creates a new current secret and returns it in the owner's form. Until then the webhook has no current secret. */
export async function addSecret(
  tx: Queryable,
  box: SecretBox,
  webhook: { readonly accountId: string; readonly webhookId: string },
  { keyLost = false } = {},
): Promise<string> {
  // Two processes with different keys would create secrets that the other cannot decrypt.
  const missing = keyLost ? undefined : await findMissingKey(tx, box)
  if (missing !== undefined) throw new UnknownKey(missing)
  const secret = createSecret()
  const { keyId, bytes } = box.seal(secret, webhook.webhookId)
  await tx.query('insert into secret_keys (key_id) values ($1) on conflict do nothing', [keyId])
  await tx.query(
    'insert into webhook_secrets (account_id, webhook_id, key_id, sealed) values ($1, $2, $3, $4)',
    [webhook.accountId, webhook.webhookId, keyId, bytes],
  )
  return showSecret(secret)
}

export function openSecrets(box: SecretBox, webhookId: string, sealed: readonly Buffer[]): Buffer[] {
  return sealed.map((bytes) => box.open(bytes, webhookId))
}

const IN_USE = `exists (
  select from webhook_secrets s join webhooks w on w.account_id = s.account_id and w.id = s.webhook_id
  where s.key_id = k.key_id and w.revoked_at is null and (s.retires_at is null or s.retires_at > now()))`

/** The id of an unavailable key that encrypts secrets of live webhooks. */
async function findMissingKey(database: Queryable, box: SecretBox): Promise<string | undefined> {
  const { rows } = await database.query<{ key_id: string }>(
    `select k.key_id from secret_keys k where k.key_id <> all ($1) and ${IN_USE} limit 1`,
    [box.keyIds()],
  )
  return rows[0]?.key_id
}

/**
 * Runs at the start, before `prepareSecrets`: creates the key file if there is no key. If secrets are encrypted with a key that is missing,
 * it creates none. @throws the error of the file system if the file cannot be written
 */
export async function prepareKey(database: Queryable, box: SecretBox): Promise<void> {
  if (box.keyIds().length === 0 && (await findMissingKey(database, box)) === undefined) box.makeKey()
}

/**
 * Runs at the start: checks that all secrets in use can be decrypted, and re-encrypts with the first key the secrets of other keys, so that
 * those keys can be removed from SECRETS_KEY. @throws {StartError} with the id of the missing key
 */
export async function prepareSecrets(database: Database, box: SecretBox): Promise<void> {
  const missing = await findMissingKey(database, box)
  if (missing !== undefined) {
    throw new StartError(
      `Webhook secrets in the database are encrypted with the key ${missing}, which is not here. Add it to SECRETS_KEY, or ` +
        `put the file ${KEY_FILE} of the server that made it into DATA_DIR. If it is lost, give the webhooks new secrets: ` +
        'lotline webhooks rotate-secret ID --key-lost.',
    )
  }
  const [first, ...others] = box.keyIds()
  for (const keyId of others) await reseal(database, box, keyId)
  if (first === undefined) return
  await database.query(`delete from secret_keys k where k.key_id <> $1 and not ${IN_USE}`, [first])
}

async function reseal(database: Database, box: SecretBox, keyId: string): Promise<void> {
  for (;;) {
    const count = await database.transaction(async (tx) => {
      const { rows } = await tx.query<{ account_id: string; webhook_id: string; id: number; sealed: Buffer }>(
        `select account_id, webhook_id, id, sealed from webhook_secrets
         where key_id = $1 limit ${RESEAL_AT_A_TIME} for update`,
        [keyId],
      )
      for (const { account_id, webhook_id, id, sealed } of rows) {
        const fresh = box.seal(box.open(sealed, webhook_id), webhook_id)
        await tx.query('insert into secret_keys (key_id) values ($1) on conflict do nothing', [fresh.keyId])
        await tx.query(
          'update webhook_secrets set key_id = $4, sealed = $5 where account_id = $1 and webhook_id = $2 and id = $3',
          [account_id, webhook_id, id, fresh.keyId, fresh.bytes],
        )
      }
      return rows.length
    })
    if (count < RESEAL_AT_A_TIME) return
  }
}

/** Maximum simultaneous secrets. Each adds a signature to the headers of every delivery. */
const MAX_SIGNING = 5

export interface RotationOptions {
  /** The account that must own the webhook. Default: any. */
  readonly accountId?: string
  /** Hours for which the old secret also signs; 0 if it has leaked. Default: 24. */
  readonly overlapHours?: number
  /** Continues although a key that other webhooks' secrets need is missing. */
  readonly keyLost?: boolean
}

export type SecretRotation =
  | {
      readonly rotated: true
      readonly accountId: string
      readonly secret: string
      readonly oldUntil: Date | null
    }
  | { readonly rotated: false; readonly because: 'no such webhook' | 'revoked' }

/**
 * Gives a webhook a new secret, which is returned only once. For `overlapHours`, deliveries are also signed with the old secret. @throws
 * {UnknownKey} when this process does not have the servers' keys
 */
export function rotateSecret(
  database: Database,
  box: SecretBox,
  webhookId: string,
  { accountId, overlapHours = OVERLAP_HOURS, keyLost = false }: RotationOptions = {},
): Promise<SecretRotation> {
  return database.transaction(async (tx): Promise<SecretRotation> => {
    const { rows } = await tx.query<{ account_id: string; revoked: boolean }>(
      `select account_id, revoked_at is not null as revoked from webhooks
       where id = $1 and ($2::uuid is null or account_id = $2) for no key update`,
      [webhookId, accountId ?? null],
    )
    const [webhook] = rows
    if (!webhook) return { rotated: false, because: 'no such webhook' }
    if (webhook.revoked) return { rotated: false, because: 'revoked' }
    const key = [webhook.account_id, webhookId]
    // Retired secrets no longer sign, and secrets that cannot be decrypted here never will.
    await tx.query(
      `delete from webhook_secrets
       where account_id = $1 and webhook_id = $2 and (retires_at <= now() or $3 or ($4 and key_id <> all ($5)))`,
      [...key, overlapHours === 0, keyLost, box.keyIds()],
    )
    const retired = await tx.query<{ retires_at: Date }>(
      `update webhook_secrets set retires_at = now() + make_interval(hours => $3::integer)
       where account_id = $1 and webhook_id = $2 and retires_at is null returning retires_at`,
      [...key, overlapHours],
    )
    await tx.query(
      `delete from webhook_secrets where account_id = $1 and webhook_id = $2 and id not in (
         select id from webhook_secrets where account_id = $1 and webhook_id = $2 order by id desc limit ${MAX_SIGNING - 1})`,
      key,
    )
    const secret = await addSecret(tx, box, { accountId: webhook.account_id, webhookId }, { keyLost })
    const oldUntil = retired.rows[0]?.retires_at ?? null
    return { rotated: true, accountId: webhook.account_id, secret, oldUntil }
  })
}
