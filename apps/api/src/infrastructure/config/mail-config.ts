// Settings of mail and sign-up.

import type { Secret } from '../platform/secret.ts'
import { type Mailbox, mailbox, secret, secretSetting, setting, url } from './setting-kinds.ts'

export interface MailConfig {
  readonly smtpUrl: Secret
  readonly from: Mailbox
}

/**
 * off: only the operator opens accounts. invite: people with an invitation can sign up. open: everyone with an e-mail address can
 * sign up.
 */
export type SignUpMode = 'off' | 'invite' | 'open'

export const MAIL_SETTINGS = {
  SMTP_URL: secretSetting(
    secret(smtpServer()),
    undefined,
    'Server that takes mail. The user and the password are parts of the URL. With it, customers can sign in to the portal by e-mail. Needs MAIL_FROM and PUBLIC_URL. With smtp://, the connection changes to TLS where the server offers it; a password is sent only over TLS, or to this machine.',
  ),
  MAIL_FROM: setting(mailbox, undefined, 'Sender of the mails.'),
} as const

function smtpServer() {
  const server = url('smtp', 'smtps')
  return {
    allowed: 'a URL that begins with smtps:// or smtp://, without a path or options',
    read(text: string) {
      const value = server.read(text)
      if (value === undefined) return undefined
      const { hostname, pathname, search, hash, username, password } = new URL(value)
      const isPlain = hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === ''
      return isPlain && isDecodable(username) && isDecodable(password) ? value : undefined
    },
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

interface MailValues {
  readonly SMTP_URL: Secret | undefined
  readonly MAIL_FROM: Mailbox | undefined
  readonly PUBLIC_URL: string | undefined
  readonly PORTAL: SignUpMode | 'on'
}

export interface MailParts {
  /** undefined: no mail is sent, and customers cannot sign in by e-mail. */
  readonly mail: MailConfig | undefined
  readonly signUp: SignUpMode
}

/** Adds settings that SMTP_URL and PORTAL require to `problems`. */
export function readMail(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL, PORTAL }: MailValues,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): MailParts {
  // An invalid value is reported elsewhere.
  const isSet = (name: string) => (env[name]?.trim() ?? '') !== ''
  if (SMTP_URL && PUBLIC_URL === undefined && !isSet('PUBLIC_URL')) {
    problems.push('SMTP_URL is set, but PUBLIC_URL, with which the links in mails begin, is not.')
  }
  if (SMTP_URL && MAIL_FROM === undefined && !isSet('MAIL_FROM')) {
    problems.push('SMTP_URL is set, but MAIL_FROM, the sender of the mails, is not.')
  }
  if (PORTAL === 'open' && !isSet('SMTP_URL')) {
    problems.push('PORTAL is open, but SMTP_URL, with which addresses are confirmed, is not set.')
  }
  const mail = SMTP_URL && MAIL_FROM ? { smtpUrl: SMTP_URL, from: MAIL_FROM } : undefined
  return { mail, signUp: PORTAL === 'on' ? 'off' : PORTAL }
}
