import { Command } from 'commander'
import { readConfig } from '../../config/config.ts'
import { createSecretBox, UnknownKey } from '../../webhooks/secret-box.ts'
import { OVERLAP_HOURS, rotateSecret } from '../../webhooks/secrets.ts'
import { uuid } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

interface Options {
  readonly now?: boolean
  readonly keyLost?: boolean
}

export function rotateSecretCommand(): Command {
  return new Command('rotate-secret')
    .description(
      `Give a webhook a new signing secret, shown this once. For ${OVERLAP_HOURS} hours deliveries carry two signatures, ` +
        'of the new secret and of the old one, so that its receiver can change over without losing any.',
    )
    .argument('<webhook>', 'id of the webhook', uuid)
    .option('--now', 'the old secret stops signing at once: for one that has become known')
    .option(
      '--key-lost',
      'go on although the key (SECRETS_KEY) that the old secrets are encrypted with is lost',
    )
    .addHelpText(
      'after',
      `
It needs the same SECRETS_KEY, or secrets.key in DATA_DIR, as the server.

Examples:
  lotline webhooks rotate-secret WEBHOOK
  lotline webhooks rotate-secret WEBHOOK --now`,
    )
    .action(async (webhookId: string, options: Options, command: Command) => {
      const box = createSecretBox(readConfig())
      const rotation = await withDatabase(async (database) => {
        try {
          return await rotateSecret(database, box, webhookId, {
            atOnce: options.now === true,
            keyLost: options.keyLost === true,
          })
        } catch (error) {
          if (!(error instanceof UnknownKey)) throw error
          throw new CommandFailure(`${error.message} If it is lost, add --key-lost.`)
        }
      })
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
