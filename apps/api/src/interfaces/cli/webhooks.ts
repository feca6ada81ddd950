import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../../infrastructure/config.ts'
import { findAccount } from '../../money/accounts.ts'
import { runAsOperator } from '../../money/operator.ts'
import {
  createSecretBox,
  findAllowPrivateNetworks,
  listWebhooks,
  OVERLAP_HOURS,
  PING,
  pingWebhook,
  redeliverDropped,
  redeliverEvent,
  rotateSecret,
  UnknownKey,
} from '../../work/webhooks.ts'
import { accountOf, operatorOf, operatorOption, takesAccount, uuid } from './arguments.ts'
import { CommandFailure, facts, print, table, text } from './print.ts'
import { withDatabase } from './with-database.ts'

export function webhooksCommand(): Command {
  return new Command('webhooks')
    .description(
      'List, test and repair webhooks, the URLs that receive the events of an account. Accounts create them with the API.',
    )
    .addCommand(listCommand())
    .addCommand(testCommand())
    .addCommand(redeliverCommand())
    .addCommand(rotateSecretCommand())
}

function listCommand(): Command {
  return takesAccount(
    new Command('list').description(
      'List the webhooks of an account, including those revoked in the last 30 days. Secrets are not shown.',
    ),
  )
    .addHelpText('after', '\nExample:\n  lotline webhooks list --account ACCOUNT')
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const webhooks = await withDatabase(async (database) => {
        if (!(await findAccount(database, accountId))) {
          throw new CommandFailure(`There is no account ${accountId}.`)
        }
        const all = { after: null, limit: Number.MAX_SAFE_INTEGER }
        return (await listWebhooks(database, accountId, all)).map(({ webhook }) => webhook)
      })
      print(
        command,
        webhooks,
        table(
          ['WEBHOOK', 'STATE', 'URL', 'EVENTS'],
          webhooks.map(({ id, url, events, active, revoked_at }) => [
            id,
            revoked_at !== null ? `revoked ${text(new Date(revoked_at))}` : active ? 'live' : 'paused',
            url,
            events.join(' '),
          ]),
        ),
      )
    })
}

function testCommand(): Command {
  return new Command('test')
    .description(
      'Send a signed test event to a webhook now and show the response of its receiver. The event is sent once and is not ' +
        'listed among the deliveries of the account.',
    )
    .argument('<webhook>', 'id of the webhook', uuid)
    .addHelpText(
      'after',
      `
The event has the type ${PING} and no job in its data. This machine sends it. Whether it may go to a private network depends
on WEBHOOK_ALLOW_PRIVATE_NETWORKS of the server that was started last. The exit code is 1 if the receiver does not return a
status from 200 to 299.

Example:
  lotline webhooks test WEBHOOK`,
    )
    .action(async (webhookId: string, _options: object, command: Command) => {
      const config = readConfig()
      const ping = await withDatabase(async (database) => {
        // The servers' setting, not that of the environment in which the command runs.
        const allowPrivateNetworks =
          (await findAllowPrivateNetworks(database)) ?? config.webhooks.allowPrivateNetworks
        const webhooks = { ...config.webhooks, allowPrivateNetworks }
        return pingWebhook({ webhooks }, database, createSecretBox(config), webhookId)
      })
      if (!ping.sent) {
        throw new CommandFailure(
          ping.because === 'revoked'
            ? `The webhook ${webhookId} is revoked. Nothing is sent to it.`
            : `There is no webhook ${webhookId}.`,
        )
      }
      const { delivered, statusCode, error, preview } = ping.outcome
      print(
        command,
        {
          webhook_id: webhookId,
          event_id: ping.eventId,
          url: ping.url,
          delivered,
          status_code: statusCode,
          error,
          response_preview: preview,
        },
        facts([
          ['url', ping.url],
          ['event', ping.eventId],
          ['status', statusCode],
          ['answer', error ?? preview],
        ]),
      )
      if (!delivered) throw new CommandFailure('The test event was not delivered.')
    })
}

const EVENT_ID = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/

function redeliverCommand(): Command {
  return new Command('redeliver')
    .description(
      'Send an event again to each of its webhooks, delivered or not. With the id of a webhook, send all events again that ' +
        'were dropped for it. Each delivery gets up to three more attempts with the same webhook-id.',
    )
    .argument('<id>', 'id of an event, or of a webhook', eventOrWebhook)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Events are kept for 30 days. Nothing is sent to revoked webhooks. A running server sends the events. If no server is running,
the next one that starts sends them.

Examples:
  lotline webhooks redeliver evt_01M7WSV2C4E6G8J0K2M4N6P8Q0
  lotline webhooks redeliver WEBHOOK`,
    )
    .action(async (id: string, _options: object, command: Command) => {
      const isEvent = EVENT_ID.test(id)
      const count = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const count = await (isEvent ? redeliverEvent : redeliverDropped)(database, id)
          if (count > 0)
            await note({ action: 'webhooks.redeliver', object: id, after: { deliveries: count } })
          return count
        }),
      )
      if (count === 0) {
        throw new CommandFailure(
          isEvent
            ? `There is no event ${id} that could be sent again: it is unknown or no longer kept, its webhooks are revoked, or it is being sent now.`
            : `Nothing was dropped for a live webhook ${id}.`,
        )
      }
      const what = isEvent ? (count === 1 ? 'webhook' : 'webhooks') : count === 1 ? 'event' : 'events'
      print(command, { id, redelivered: count }, [
        isEvent ? `Sending ${id} again to ${count} ${what}.` : `Sending ${count} ${what} again to ${id}.`,
      ])
    })
}

function eventOrWebhook(text: string): string {
  if (EVENT_ID.test(text)) return text
  try {
    return uuid(text)
  } catch {
    throw new InvalidArgumentError(
      'It takes the id of an event (evt_ and 26 characters, as deliveries show it) or of a webhook.',
    )
  }
}

interface Options {
  readonly now?: boolean
  readonly keyLost?: boolean
}

function rotateSecretCommand(): Command {
  return new Command('rotate-secret')
    .description(
      `Give a webhook a new signing secret. It is shown only once. For ${OVERLAP_HOURS} hours, deliveries have two signatures, ` +
        'one with each secret, so that the receiver can switch without losing any.',
    )
    .argument('<webhook>', 'id of the webhook', uuid)
    .option('--now', 'stop signing with the old secret immediately, because it has leaked')
    .option('--key-lost', 'continue although the key that encrypts the old secrets (SECRETS_KEY) is lost')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The command needs the SECRETS_KEY of the server, or the file secrets.key in its DATA_DIR.

Examples:
  lotline webhooks rotate-secret WEBHOOK
  lotline webhooks rotate-secret WEBHOOK --now`,
    )
    .action(async (webhookId: string, options: Options, command: Command) => {
      const box = createSecretBox(readConfig())
      const rotation = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const rotation = await rotateSecret(database, box, webhookId, {
            ...(options.now && { overlapHours: 0 }),
            keyLost: options.keyLost === true,
          })
          if (rotation.rotated) {
            const { accountId, oldUntil } = rotation
            const after = { old_secret_until: oldUntil }
            await note({ action: 'webhooks.rotate-secret', accountId, object: webhookId, after })
          }
          return rotation
        }).catch((error: unknown) => {
          if (!(error instanceof UnknownKey)) throw error
          throw new CommandFailure(`${error.message} If it is lost, add --key-lost.`)
        }),
      )
      if (!rotation.rotated) {
        throw new CommandFailure(
          rotation.because === 'revoked'
            ? `The webhook ${webhookId} is revoked. It signs nothing any more.`
            : `There is no webhook ${webhookId}.`,
        )
      }
      print(
        command,
        { webhook_id: webhookId, secret: rotation.secret, old_secret_until: rotation.oldUntil },
        [
          ...facts([
            ['webhook', webhookId],
            ['secret', rotation.secret],
            ['old secret', rotation.oldUntil === null ? 'signs no more' : rotation.oldUntil],
          ]),
          '',
          'Keep the secret now: it is not shown again.',
        ],
      )
    })
}
