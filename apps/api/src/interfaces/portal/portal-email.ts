// Sign-in by email and sign-up over HTTP. A response never depends on whether an address has an account: the request is checked, counted,
// and answered before the account is looked up, and the mail is sent afterwards.
// Why: decisions/interfaces/mail-requests-reveal-nothing.md
// Why: decisions/interfaces/one-mail-for-several-accounts.md

import type * as Portal from '@lotline/portal'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../infrastructure/config.ts'
import type { Database } from '../../infrastructure/database.ts'
import { existingAccountMail, type Mailer, signInMail, signUpMail } from '../../infrastructure/mail.ts'
import { isToken, type Observer } from '../../infrastructure/platform.ts'
import {
  createSignInLinks,
  createSignUpLink,
  type EmailAddress,
  findAccountsOfMailbox,
  LINK_MINUTES,
  plans,
  readEmailAddress,
  SIGN_UP_MINUTES,
  signUp,
  takeMail,
  withdrawLinks,
} from '../../money/accounts.ts'
import type { Billing } from '../../money/billing.ts'
import type { FailedKeyCheck } from '../../requests/engine.ts'
import type { BrowserSessions } from '../http/browser-session.ts'
import { formOf } from './portal-api.ts'

export interface PortalEmailDeps {
  readonly billing: Billing | undefined
  readonly config: Pick<Config, 'publicUrl' | 'signUp'>
  readonly database: Database
  readonly mailer: Mailer | undefined
  readonly observer: Observer
}

export interface PortalParts {
  readonly deps: PortalEmailDeps
  readonly sessions: BrowserSessions
  readonly load: () => Promise<typeof Portal>
  readonly show: (
    reply: FastifyReply,
    page: Portal.PageAnswer,
    session?: Portal.SignedInAccount,
  ) => Promise<FastifyReply>
  readonly showTooMany: (reply: FastifyReply, guessed: FailedKeyCheck) => Promise<FastifyReply>
  readonly addressOf: (request: FastifyRequest) => string
}

/** Sign-in methods beside a key and an operator's link. */
export function waysOf({ config, mailer }: PortalEmailDeps): Portal.SignInWays {
  return { byEmail: mailer !== undefined, signUp: config.signUp === 'open' }
}

export function serveEmailSignIn(server: FastifyInstance, parts: PortalParts): void {
  const { deps, sessions, load, show, showTooMany } = parts
  const { mailer, config } = deps
  if (mailer) {
    server.post('/portal/email', (request, reply) => answerAsking(request, reply, mailer, false))
  }
  if (mailer && config.signUp === 'open') {
    server.get('/portal/sign-up', async (_request, reply) => show(reply, (await load()).signUpPage()))
    server.post('/portal/sign-up', (request, reply) => answerAsking(request, reply, mailer, true))
  }
  if (config.signUp === 'off') return

  server.get('/portal/sign-up/:token', async ({ params }, reply) => {
    const { confirmPage, unusableSignUpPage } = await load()
    const { token } = params as { readonly token: string }
    return show(reply, isToken(token) ? confirmPage(token) : unusableSignUpPage)
  })
  server.post('/portal/sign-up/:token', async (request, reply) => {
    const { takenPage, unusableSignUpPage, welcomePage, wrongOriginPage } = await load()
    if (!sessions.isFromOwnPage(request)) return show(reply, wrongOriginPage(config.publicUrl))
    const { token } = request.params as { readonly token: string }
    if (!isToken(token)) return show(reply, unusableSignUpPage)
    const used = await sessions.lookUp(request, () => signUp(deps.database, token))
    if (!used) return show(reply, unusableSignUpPage)
    if (used === 'taken') return show(reply, takenPage(waysOf(deps)))
    if ('refusal' in used) return showTooMany(reply, used)
    const session = await sessions.begin(request, reply, used.session)
    const page = welcomePage(used.key, plans[used.plan].creditsPerCycle)
    return show(reply, page, session && { ...session, hasBilling: deps.billing !== undefined })
  })

  /** Handles a visitor's request for a mail. */
  async function answerAsking(
    request: FastifyRequest,
    reply: FastifyReply,
    sender: Mailer,
    isSignUp: boolean,
  ): Promise<FastifyReply> {
    const { signInPage, signUpPage, sentPage, wrongOriginPage } = await load()
    if (!sessions.isFromOwnPage(request)) return show(reply, wrongOriginPage(config.publicUrl))
    const again = (message: string, status: number) =>
      show(reply, isSignUp ? signUpPage(message, status) : signInPage(waysOf(deps), message, status))
    const address = readEmailAddress(formOf(request).get('email') ?? '')
    if (!address) return again(NO_ADDRESS, 400)
    if (!(await sender.isReady())) return again(NO_MAIL, 503)
    const source = parts.addressOf(request)
    let waitS: number | undefined
    // An address that continues above its limits is refused without a query, like one that guesses.
    const taken = await sessions.lookUp(request, async () => {
      waitS = await takeMail(deps.database, { mailbox: address.mailbox, source, isSignUp })
      return waitS === undefined ? 'taken' : undefined
    })
    if (taken && taken !== 'taken') return showTooMany(reply, taken)
    if (waitS !== undefined) {
      deps.observer.mail(isSignUp ? 'sign_up' : 'sign_in', 'limited')
      reply.header('retry-after', String(waitS))
      return again(tooManyMails(waitS), 429)
    }
    await show(reply, sentPage(address.address, isSignUp))
    // From here on, the visitor does not wait.
    sender.inBackground(() => sendTo(address, sender, isSignUp))
    return reply
  }

  async function sendTo(address: EmailAddress, sender: Mailer, isSignUp: boolean): Promise<void> {
    const { database } = deps
    const accounts = await findAccountsOfMailbox(database, address)
    if (accounts.length === 0) {
      if (!isSignUp) return
      const { token } = await createSignUpLink(database, address, 'free', SIGN_UP_MINUTES)
      const mail = signUpMail(urlOf(`/portal/sign-up/${token}`), SIGN_UP_MINUTES)
      if (await sender.send({ ...mail, to: address.address })) await withdrawLinks(database, [token])
      return
    }
    // One mail for each of the stored addresses. They differ only in characters that their provider ignores.
    const byAddress = Map.groupBy(await createSignInLinks(database, accounts), ({ email }) =>
      email.toLowerCase(),
    )
    for (const links of byAddress.values()) {
      const to = readEmailAddress(links[0]!.email)?.address
      const urls = links.map(({ accountId, token }) => ({ accountId, url: urlOf(`/portal/link/${token}`) }))
      const mail = isSignUp ? existingAccountMail(urls, LINK_MINUTES) : signInMail(urls, LINK_MINUTES)
      if (to === undefined || (await sender.send({ ...mail, to }))) {
        await withdrawLinks(
          database,
          links.map(({ token }) => token),
        )
      }
    }
  }

  function urlOf(path: string): string {
    return `${config.publicUrl}${path}`
  }
}

const NO_ADDRESS = 'This is not an email address. Check the spelling.'
const NO_MAIL = 'The service cannot send mail at the moment. Try again in a few minutes.'

function tooManyMails(waitS: number): string {
  const minutes = Math.ceil(waitS / 60)
  const wait = minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} minutes`
  return `Too many messages were requested for this address or from your network. Try again in ${wait}.`
}
