// The texts of the mails. They are plain text and contain no visitor input.

import type { Mail } from './mailer.ts'

type MailContent = Omit<Mail, 'to'>

const IGNORE_SENTENCE =
  'If you did not ask for this message, ignore it. Without the link, no sign-in is possible.'

export interface AccountLink {
  readonly accountId: string
  readonly url: string
}

/** The sign-in mail to the owner of one or more accounts. */
export function signInMail(links: readonly AccountLink[], minutes: number): MailContent {
  return {
    kind: 'sign_in',
    subject: 'Sign in to Lotline',
    text: lines(
      'Open this link to sign in to the Lotline portal:',
      ...linkLines(links),
      `The link works once, within ${minutes} minutes.`,
      IGNORE_SENTENCE,
    ),
  }
}

/** The sign-up mail to an address that has no account yet. */
export function signUpMail(url: string, minutes: number): MailContent {
  return {
    kind: 'sign_up',
    subject: 'Create your Lotline account',
    text: lines(
      'Open this link to confirm your address and create your Lotline account:',
      url,
      `The link works once, within ${minutes} minutes.`,
      'If you did not ask for this message, ignore it. No account is created without the link.',
    ),
  }
}

/** The mail to an address that wants to sign up but already has an account. */
export function existingAccountMail(links: readonly AccountLink[], minutes: number): MailContent {
  return {
    kind: 'sign_up',
    subject: 'You already have a Lotline account',
    text: lines(
      'Somebody asked to create a Lotline account with your address. You already have one. Open this link to sign in:',
      ...linkLines(links),
      `The link works once, within ${minutes} minutes.`,
      IGNORE_SENTENCE,
    ),
  }
}

export function invitationMail(url: string, days: number): MailContent {
  return {
    kind: 'invitation',
    subject: 'Your invitation to Lotline',
    text: lines(
      'You are invited to Lotline. Open this link to create your account:',
      url,
      `The link works once, within ${days} days.`,
      'If you did not expect this message, ignore it.',
    ),
  }
}

function linkLines(links: readonly AccountLink[]): string[] {
  const [only, ...more] = links
  if (only && more.length === 0) return [only.url]
  return [
    'Your address has several accounts. Each has a link of its own.',
    ...links.map(({ accountId, url }) => `Account ${accountId}:\n${url}`),
  ]
}

function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
