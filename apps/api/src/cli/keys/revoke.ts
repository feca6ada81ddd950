import { Command } from 'commander'
import { revokeKey } from '../../accounts/keys.ts'
import { keyOrId } from '../arguments.ts'
import { confirm, YES } from '../confirm.ts'
import { print } from '../print.ts'
import { withDatabase } from '../with-database.ts'
import { getKey } from './get-key.ts'

export function revokeCommand(): Command {
  return new Command('revoke')
    .description(
      'Revoke a key for good. Running servers refuse it with 401 invalid_api_key within a second, calls that wait ' +
        'for their turn too.',
    )
    .argument('<key>', 'id of the key, or the key itself', keyOrId)
    .option(...YES)
    .addHelpText(
      'after',
      `
To give somebody a new key instead, see \`lotline keys rotate\`.

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
        await revokeKey(database, key_id)
        return key_id
      })
      print(command, { key_id: keyId, revoked: true }, [`Revoked ${keyId}.`])
    })
}
