import { Command, InvalidArgumentError, Option } from 'commander'
import { pino } from 'pino'
import { type MailConfig, readConfig } from '../../infrastructure/config.ts'
import { createMailer, invitationMail } from '../../infrastructure/mail.ts'
import {
  createSignInLink,
  createSignUpLink,
  type EmailAddress,
  findAccount,
  findAccountsOfMailbox,
  INVITATION_DAYS,
  LINK_MINUTES,
  PLANS,
  type PlanId,
  readEmailAddress,
} from '../../money/accounts.ts'
import { runAsOperator } from '../../money/operator.ts'
import { accountOf, operatorOf, operatorOption, takesAccount } from './arguments.ts'
import { CommandFailure, facts, print } from './print.ts'
import { withDatabase } from './with-database.ts'

export function portalCommand(): Command {
  return new Command('portal')
    .description(
      'Let customers sign in to the portal, where they see their usage and manage their keys, jobs and webhooks.',
    )
    .addCommand(linkCommand())
    .addCommand(inviteCommand())
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
The link begins with PUBLIC_URL, or with the server's own address (HOST and PORT) if PUBLIC_URL is not set. With the
link, anyone can sign in. Send it only to the account's owner.

Examples:
  lotline portal link ACCOUNT
  lotline portal link ACCOUNT --json`,
    )
    .action(async (argument: string | undefined, _options: object, command: Command) => {
      const accountId = accountOf(command, argument)
      const { token, expiresAt } = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
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

function inviteCommand(): Command {
  return new Command('invite')
    .description(
      `Invite somebody to open an account. The link works once, for ${INVITATION_DAYS} days. PORTAL must be invite or open.`,
    )
    .argument('<email>', 'email address of the account', mailAddress)
    .addOption(new Option('--plan <plan>', 'plan of the account').choices(PLANS).default('free'))
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The link is sent by mail if SMTP_URL is set, and printed otherwise. The account gets the credits of its plan. An address that has
an account, in this or another spelling, cannot be invited.

Examples:
  lotline portal invite ana@example.com
  lotline portal invite ana@example.com --plan monthly --json`,
    )
    .action(async (address: EmailAddress, { plan }: { plan: PlanId }, command: Command) => {
      const { signUp, mail } = readConfig()
      if (signUp === 'off') {
        throw new CommandFailure(
          'PORTAL does not let people with an invitation sign up. Set it to invite, for the service and for this command.',
        )
      }
      const { url, expiresAt } = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const [taken] = await findAccountsOfMailbox(database, address)
          if (taken) {
            throw new CommandFailure(
              `The account ${taken.accountId} has this address. For a sign-in link, run: lotline portal link ${taken.accountId}`,
            )
          }
          await note({ action: 'portal.invite', object: address.address, after: { plan } })
          const link = await createSignUpLink(database, address, plan, INVITATION_DAYS * 24 * 60)
          const made = { url: `${baseUrl()}/portal/sign-up/${link.token}`, expiresAt: link.expiresAt }
          if (mail) await sendInvitation(mail, address, made.url)
          return made
        }),
      )
      const sent = mail !== undefined
      const result = { email: address.address, plan, sent, ...(!sent && { url }), expires_at: expiresAt }
      print(command, result, [
        ...facts([
          ['email', address.address],
          ['plan', plan],
          sent ? ['sent', 'yes'] : ['link', url],
          ['expires', expiresAt],
        ]),
        '',
        sent
          ? 'The invitation was sent by mail. It works once.'
          : 'Send the link to this address. It works once. Only its hash is stored, and it is not shown again.',
      ])
    })
}

/** Before the invitation is committed: one that cannot be sent is undone. */
async function sendInvitation(mail: MailConfig, { address }: EmailAddress, url: string): Promise<void> {
  const mailer = createMailer(mail, { log: pino({ level: 'silent' }) })
  const failure = await mailer.send({ ...invitationMail(url, INVITATION_DAYS), to: address })
  if (failure) throw new CommandFailure(`The invitation was not sent, and does not work: ${failure.message}`)
}

function mailAddress(text: string): EmailAddress {
  const address = readEmailAddress(text)
  if (!address) throw new InvalidArgumentError('It takes an address such as ana@example.com.')
  return address
}

/** Where customers open the portal. */
function baseUrl(): string {
  const { publicUrl, host, port } = readConfig()
  if (publicUrl !== undefined) return publicUrl
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
