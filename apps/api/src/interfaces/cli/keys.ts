import { operationIds } from '@lotline/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Queryable } from '../../infrastructure/database.ts'
import {
  type CreditLimit,
  findAccount,
  findKey,
  forgetConnector,
  issueKey,
  type KeyInfo,
  LIMIT_PERIODS,
  type LimitPeriod,
  listKeys,
  MAX_KEY_LIMIT,
  type NewKey,
  revokeKey,
  rotateKey,
  setKeyLimit,
} from '../../money/accounts.ts'
import { runAsOperator } from '../../money/operator.ts'
import { accountOf, keyOrId, operatorOf, operatorOption, takesAccount, wholeNumber } from './arguments.ts'
import { confirm, YES } from './confirm.ts'
import { CommandFailure, facts, print, table, text } from './print.ts'
import { withDatabase } from './with-database.ts'

export function keysCommand(): Command {
  return new Command('keys')
    .description(
      'Create, limit, list, revoke and rotate API keys, and admit clients of OAUTH_ISSUER again. The keys of an account share its credits; each has its own rate limit.',
    )
    .addCommand(createCommand())
    .addCommand(updateCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateCommand())
    .addCommand(readmitCommand())
}

function keyName(text: string): string {
  if (/^[^\0]{1,100}$/u.test(text)) return text
  throw new InvalidArgumentError('It takes 1 to 100 characters.')
}

function futureTime(text: string): Date {
  const time = new Date(text)
  if (time.getTime() > Date.now()) return time
  throw new InvalidArgumentError('It takes a time in the future, for example 2027-01-01T00:00:00Z.')
}

/** One of several: commander hands on what was read so far. */
function operationId(text: string, earlier: readonly string[] = []): string[] {
  if (operationIds.some((id) => id === text)) return [...earlier, text]
  throw new InvalidArgumentError('It takes operationIds as the reference has them.')
}

interface LimitOptions {
  /** false: --no-credit-limit. */
  readonly creditLimit?: number | false
  readonly per?: LimitPeriod
}

const creditLimitOption = () =>
  new Option('--credit-limit <n>', 'credits that the key can spend in each period').argParser(
    wholeNumber(0, MAX_KEY_LIMIT),
  )
const perOption = () =>
  new Option('--per <period>', 'period of the credit limit, in UTC').choices(LIMIT_PERIODS)

/** The limit that the options set; null: none; undefined: they do not mention it. */
function readLimit({ creditLimit, per }: LimitOptions): CreditLimit | null | undefined {
  if (typeof creditLimit === 'number' && per) return { credits: creditLimit, per }
  if (creditLimit === false && !per) return null
  if (creditLimit === undefined && !per) return undefined
  throw new CommandFailure('A credit limit needs both --credit-limit and --per.')
}

function createCommand(): Command {
  return takesAccount(
    new Command('create').description(
      'Create another key for an account. The key is shown only once. It works immediately.',
    ),
  )
    .option(
      '--oauth-client <name>',
      'OAuth client that the key is for; GET /v1/me does not return the email address to it',
    )
    .option('--name <name>', 'name of the key, up to 100 characters', keyName)
    .option('--expires-at <time>', 'when the key stops working, for example 2027-01-01T00:00:00Z', futureTime)
    .option('--allow <operations...>', 'operationIds that the key may use. Default: all', operationId)
    .addOption(creditLimitOption())
    .addOption(perOption())
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Examples:
  lotline keys create --account ACCOUNT
  lotline keys create --account ACCOUNT --name "Nightly report" --allow listUsage summarizeUsage
  lotline keys create --account ACCOUNT --credit-limit 500 --per month
  lotline keys create --account ACCOUNT --oauth-client "Some Assistant"`,
    )
    .action(
      async (
        argument: string | undefined,
        options: LimitOptions & Pick<NewKey, 'oauthClient' | 'name' | 'expiresAt'> & { allow?: string[] },
        command: Command,
      ) => {
        const accountId = accountOf(command, argument)
        const limit = readLimit(options) ?? null
        const { keyId, key } = await withDatabase((all) =>
          runAsOperator(all, operatorOf(command), async ({ database, note }) => {
            if (!(await findAccount(database, accountId))) {
              throw new CommandFailure(`There is no account ${accountId}.`)
            }
            const issued = await issueKey(database, accountId, {
              ...options,
              ...(options.allow && { allowedOperations: options.allow }),
            })
            if (limit) await setKeyLimit(database, issued.keyId, limit)
            const after = await trailOf(database, issued.keyId)
            await note({ action: 'keys.create', accountId, object: issued.keyId, after })
            return issued
          }),
        )
        print(command, { account_id: accountId, key_id: keyId, key, ...(limit && { credit_limit: limit }) }, [
          ...facts([
            ['key id', keyId],
            ['key', key],
            ...(limit ? ([['credit limit', limitText(limit)]] as const) : []),
          ]),
          '',
          'Keep the key now: only its hash is stored, and it is not shown again.',
        ])
      },
    )
}

function updateCommand(): Command {
  return new Command('update')
    .description(
      'Set or remove the credit limit of a key. It counts what is charged and held from now on. A new number for the same ' +
        'period keeps what was used; with another period, counting begins at 0.',
    )
    .argument('<key>', 'id of the key, or the key itself', keyOrId)
    .addOption(creditLimitOption())
    .addOption(perOption())
    .option('--no-credit-limit', 'let the key spend all credits of its account')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Days begin at midnight UTC, weeks on Monday, and months on their first day. A total is never reset.

Examples:
  lotline keys update KEY_ID --credit-limit 500 --per month
  lotline keys update KEY_ID --no-credit-limit`,
    )
    .action(async (named: ReturnType<typeof keyOrId>, options: LimitOptions, command: Command) => {
      const limit = readLimit(options)
      if (limit === undefined)
        throw new CommandFailure('Nothing to change: give --credit-limit with --per, or --no-credit-limit.')
      const key = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const { key_id: object, account_id: accountId } = await getKey(database, named)
          const before = await trailOf(database, object)
          await setKeyLimit(database, object, limit)
          await note({
            action: 'keys.update',
            accountId,
            object,
            before,
            after: await trailOf(database, object),
          })
          return getKey(database, { id: object })
        }),
      )
      const { key_id, credit_limit, credits_used, resets_at } = key
      print(command, { key_id, credit_limit, credits_used, resets_at }, [
        credit_limit
          ? `The limit of ${key_id} is ${limitText(credit_limit)}, of which ${credits_used} are used.`
          : `${key_id} has no credit limit.`,
      ])
    })
}

function limitText({ credits, per }: CreditLimit): string {
  return `${credits} ${per === 'total' ? 'in all' : `per ${per}`}`
}

function listCommand(): Command {
  return takesAccount(new Command('list').description('List the keys of an account, including revoked keys.'))
    .addHelpText('after', '\nExample:\n  lotline keys list --account ACCOUNT')
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const keys = await withDatabase((database) => listKeys(database, accountId))
      // An account is opened with a key, and keys are never removed.
      if (keys.length === 0) throw new CommandFailure(`There is no account ${accountId}.`)
      print(command, keys, keyTable(keys))
    })
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description(
      'Revoke a key permanently. Within a second, calls with it get 401 invalid_api_key, including calls that wait in ' +
        'the queue of the key.',
    )
    .argument('<key>', 'id of the key, or the key itself', keyOrId)
    .option(...YES)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
To replace a key, use \`lotline keys rotate\`.

Examples:
  lotline keys revoke KEY_ID
  lotline keys revoke lot_… --yes`,
    )
    .action(async (named: ReturnType<typeof keyOrId>, options: { yes?: boolean }, command: Command) => {
      const keyId = await withDatabase(async (database) => {
        const { key_id, last4, account_id } = await getKey(database, named)
        await confirm(
          `The key ending in ${last4} of account ${account_id} will be refused. It cannot be brought back.`,
          options,
        )
        await runAsOperator(database, operatorOf(command), async (change) => {
          const before = await trailOf(change.database, key_id)
          await revokeKey(change.database, key_id)
          const after = await trailOf(change.database, key_id)
          await change.note({
            action: 'keys.revoke',
            accountId: account_id,
            object: key_id,
            before,
            after,
          })
        })
        return key_id
      })
      print(command, { key_id: keyId, revoked: true }, [`Revoked ${keyId}.`])
    })
}

const MAX_GRACE_MINUTES = 60 * 24 * 30

// Nothing is asked here: the same breath that ends the old key shows the one that takes its place.
function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'Replace a key with a new one. The new key is shown only once. The old key is revoked immediately, or after a ' +
        'grace period in which both work.',
    )
    .argument('<key>', 'id of the old key, or the key itself', keyOrId)
    .option(
      '--grace-minutes <n>',
      'minutes for which the old key still works',
      wholeNumber(0, MAX_GRACE_MINUTES),
      0,
    )
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Examples:
  lotline keys rotate KEY_ID
  lotline keys rotate KEY_ID --grace-minutes 60`,
    )
    .action(
      async (named: ReturnType<typeof keyOrId>, options: { graceMinutes: number }, command: Command) => {
        const { old, rotation } = await withDatabase((all) =>
          runAsOperator(all, operatorOf(command), async ({ database, note }) => {
            const old = await getKey(database, named)
            const before = await trailOf(database, old.key_id)
            const rotation = await rotateKey(database, old.key_id, options.graceMinutes)
            if (rotation.rotated) {
              const { keyId, accountId } = rotation
              const after = { ...(await trailOf(database, old.key_id)), replaced_by: keyId }
              await note({ action: 'keys.rotate', accountId, object: old.key_id, before, after })
            }
            return { old, rotation }
          }),
        )
        if (!rotation.rotated) {
          throw new CommandFailure(
            `The key ${old.key_id} is revoked already. Issue another with \`lotline keys create\`.`,
          )
        }
        const result = {
          account_id: rotation.accountId,
          key_id: rotation.keyId,
          key: rotation.key,
          old_key_id: old.key_id,
          old_key_revoked_at: rotation.oldKeyRevokedAt,
        }
        print(command, result, [
          ...facts([
            ['key id', rotation.keyId],
            ['key', rotation.key],
            ['old key', old.key_id],
            [options.graceMinutes === 0 ? 'revoked' : 'works until', rotation.oldKeyRevokedAt],
          ]),
          '',
          'Keep the key now: only its hash is stored, and it is not shown again.',
        ])
      },
    )
}

function readmitCommand(): Command {
  return new Command('readmit')
    .description(
      'Let a client of OAUTH_ISSUER connect to its account again after its key was revoked. Its next call makes a new key.',
    )
    .argument('<key>', 'id of the revoked key', keyOrId)
    .addOption(operatorOption())
    .addHelpText('after', '\nExample:\n  lotline keys readmit KEY_ID')
    .action(async (named: ReturnType<typeof keyOrId>, _options: object, command: Command) => {
      const key = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const found = await getKey(database, named)
          const { key_id: object, account_id: accountId, oauth_client } = found
          if (!(await forgetConnector(database, object)))
            throw new CommandFailure(`${object} is not the revoked key of a client of OAUTH_ISSUER.`)
          await note({ action: 'keys.readmit', accountId, object, after: { oauth_client } })
          return found
        }),
      )
      const { key_id, account_id, oauth_client } = key
      print(command, { key_id, account_id, oauth_client, readmitted: true }, [
        `${oauth_client} can connect to account ${account_id} again.`,
      ])
    })
}

/** The key that was named on the command line. A key's own text is never repeated. */
async function getKey(database: Queryable, named: { id: string } | { text: string }): Promise<KeyInfo> {
  const key = await findKey(database, named)
  if (key) return key
  throw new CommandFailure('id' in named ? `There is no key ${named.id}.` : 'There is no such key.')
}

/** What the trail shows of a key. */
async function trailOf(database: Queryable, id: string): Promise<object> {
  const { last4, name, revoked_at, expires_at, allowed_operations, credit_limit } = await getKey(database, {
    id,
  })
  return { last4, name, revoked_at, expires_at, allowed_operations, credit_limit }
}

/** Keys for people. */
export function keyTable(keys: readonly KeyInfo[]): string[] {
  return table(
    ['KEY ID', 'NAME', 'ENDS IN', 'STATE', 'CREDIT LIMIT', 'USED', 'OAUTH CLIENT', 'CREATED', 'LAST USED'],
    keys.map((key) => [
      key.key_id,
      key.name,
      key.last4,
      stateOf(key),
      key.credit_limit && limitText(key.credit_limit),
      key.credits_used,
      key.oauth_client,
      key.created_at,
      key.last_used_at,
    ]),
  )
}

function stateOf({ revoked, revoked_at, expires_at }: KeyInfo): string {
  const isExpiry = expires_at !== null && (revoked_at === null || expires_at < revoked_at)
  const end = isExpiry ? expires_at : revoked_at
  if (end === null) return 'live'
  return revoked ? `${isExpiry ? 'expired' : 'revoked'} ${text(end)}` : `live until ${text(end)}`
}
