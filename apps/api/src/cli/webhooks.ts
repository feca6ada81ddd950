import { Command } from 'commander'
import { listCommand } from './webhooks/list.ts'
import { redeliverCommand } from './webhooks/redeliver.ts'
import { rotateSecretCommand } from './webhooks/rotate-secret.ts'
import { testCommand } from './webhooks/test.ts'

export function webhooksCommand(): Command {
  return new Command('webhooks')
    .description(
      'Where accounts are told about the end of their jobs. They make and revoke webhooks by the API.',
    )
    .addCommand(listCommand())
    .addCommand(testCommand())
    .addCommand(redeliverCommand())
    .addCommand(rotateSecretCommand())
}
