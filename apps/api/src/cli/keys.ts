import { Command } from 'commander'
import { createCommand } from './keys/create.ts'
import { listCommand } from './keys/list.ts'
import { revokeCommand } from './keys/revoke.ts'
import { rotateCommand } from './keys/rotate.ts'

export function keysCommand(): Command {
  return new Command('keys')
    .description(
      'The API keys of an account. Each has its own rate window and its own slot; credits are shared.',
    )
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateCommand())
}
