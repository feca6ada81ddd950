import { Command } from 'commander'
import { rotateKey } from '../../accounts/keys.ts'
import { keyOrId, wholeNumber } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'
import { getKey } from './get-key.ts'

const MAX_GRACE_MINUTES = 60 * 24 * 30

// Nothing is asked here: the same breath that ends the old key shows the one that takes its place.
export function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'Issue a new key in the place of an old one. The new one is shown this once; the old one is revoked at once, or ' +
        'after a time in which both work.',
    )
    .argument('<key>', 'id of the old key, or the key itself', keyOrId)
    .option(
      '--grace-minutes <n>',
      'for how long the old key still works',
      wholeNumber(0, MAX_GRACE_MINUTES),
      0,
    )
    .addHelpText(
      'after',
      `
Examples:
  lotline keys rotate KEY_ID
  lotline keys rotate KEY_ID --grace-minutes 60`,
    )
    .action(
      async (named: ReturnType<typeof keyOrId>, options: { graceMinutes: number }, command: Command) => {
        const { old, rotation } = await withDatabase(async (database) => {
          const old = await getKey(database, named)
          return { old, rotation: await rotateKey(database, old.key_id, options.graceMinutes) }
        })
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
