import { Command } from 'commander'
import { findAccount } from '../accounts/find-accounts.ts'
import { createSignInLink, LINK_MINUTES } from '../accounts/portal-sessions.ts'
import { readConfig } from '../config/config.ts'
import { asOperator } from '../operator/trail.ts'
import { accountOf, operatorOf, operatorOption, takesAccount } from './arguments.ts'
import { CommandFailure, facts, print } from './print.ts'
import { withDatabase } from './with-database.ts'

export function portalCommand(): Command {
  return new Command('portal')
    .description(
      'Let customers sign in to the portal, where they see their usage and manage their keys, jobs and webhooks.',
    )
    .addCommand(linkCommand())
}

function linkCommand(): Command {
  return takesAccount(
    new Command('link').description(
      `Create a link that signs in to the portal as an account. It works once, for ${LINK_MINUTES} minutes.`,
    ),
  )
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The link begins with PUBLIC_URL, or with the server's own address (HOST and PORT) if PUBLIC_URL is not set. Anyone who has the
link can sign in. Send it only to the account's owner.

Examples:
  lotline portal link ACCOUNT
  lotline portal link ACCOUNT --json`,
    )
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const { token, expiresAt } = await withDatabase((all) =>
        asOperator(all, operatorOf(command), async ({ database, note }) => {
          if (!(await findAccount(database, accountId))) {
            throw new CommandFailure(`There is no account ${accountId}.`)
          }
          await note({ action: 'portal.link', accountId })
          return createSignInLink(database, accountId)
        }),
      )
      const url = `${baseUrl()}/portal/link/${token}`
      print(command, { account_id: accountId, url, expires_at: expiresAt }, [
        ...facts([
          ['link', url],
          ['expires', expiresAt],
        ]),
        '',
        'The link works once. Only its hash is stored, and it is not shown again.',
      ])
    })
}

/** Where customers open the portal. */
function baseUrl(): string {
  const { publicUrl, host, port } = readConfig()
  if (publicUrl !== undefined) return publicUrl
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
