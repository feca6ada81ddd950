import { Command } from 'commander'
import { readConfig } from '../../config/config.ts'
import { PING, pingWebhook } from '../../webhooks/ping.ts'
import { createSecretBox } from '../../webhooks/secret-box.ts'
import { uuid } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function testCommand(): Command {
  return new Command('test')
    .description(
      'Send a signed test event to a webhook now and show what its receiver answers. It is sent once, and does not ' +
        'stand among the deliveries that the account sees.',
    )
    .argument('<webhook>', 'id of the webhook', uuid)
    .addHelpText(
      'after',
      `
The event has the type ${PING} and no job in its data. Connections go out from this machine. Whether
they may go to private networks is the setting of the server that was started last (WEBHOOK_ALLOW_PRIVATE_NETWORKS there). Exit code 1 when the receiver did not answer with a status from 200 to 299.

Example:
  lotline webhooks test WEBHOOK`,
    )
    .action(async (webhookId: string, _options: object, command: Command) => {
      const config = readConfig()
      const ping = await withDatabase((database) =>
        pingWebhook(config, database, createSecretBox(config), webhookId),
      )
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
