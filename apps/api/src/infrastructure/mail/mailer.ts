// Sends mail over SMTP. Every wait is bounded, and a failure is a value. Logs and metrics show no address and no content: the
// server's messages may repeat both, so only its codes are logged.

import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { MailConfig } from '../config/mail-config.ts'
import { type MailKind, type Observer, SILENT_OBSERVER } from '../platform/observer.ts'

export interface Mail {
  readonly kind: MailKind
  /** The recipient. Exactly one address. */
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
  /** The same as HTML. */
  readonly html?: string
  /** A second copy of the mail has the same id, so that mailboxes recognize it. Default: a new one. */
  readonly id?: string
  /** The recipient unsubscribes with one POST to this URL (RFC 8058). */
  readonly unsubscribeUrl?: string
}

export interface Mailer {
  /**
   * Whether the server is reachable and accepts this process. The result is cached briefly, so that a flood of requests does not
   * cause a flood of connections. Takes at most 5 seconds.
   */
  isReady(): Promise<boolean>
  /** Returns the reason why the mail was not sent; undefined: the server accepted it. Never throws, and takes at most 20 seconds. */
  send(mail: Mail): Promise<Error | undefined>
  /** Runs work that sends mails in the background. A failure is logged. */
  inBackground(work: () => Promise<void>): void
  /** Resolves when nothing runs in the background. */
  drained(): Promise<void>
}

/** Timeouts in milliseconds. Tests use less. */
export interface MailTimeouts {
  readonly ready: number
  readonly send: number
}

const MAIL_TIMEOUTS: MailTimeouts = { ready: 5_000, send: 20_000 }
/** How long a result of `isReady` is cached. */
const READY_CACHE_MS = { ready: 10_000, away: 2_000 }
/**
 * Maximum of background work, each with one connection. Above it, the server is slower than the requests, and `isReady` returns
 * false.
 */
const MAX_IN_BACKGROUND = 20

export function createMailer(
  { smtpUrl, from }: MailConfig,
  {
    log,
    observer = SILENT_OBSERVER,
    waits = MAIL_TIMEOUTS,
  }: { readonly log: Logger; readonly observer?: Observer; readonly waits?: MailTimeouts },
): Mailer {
  const underWay = new Set<Promise<unknown>>()
  let transport: Promise<Transporter> | undefined
  let remembered: { readonly until: number; readonly answer: Promise<boolean> } | undefined

  function open(): Promise<Transporter> {
    // Loaded with the first mail, because most processes send none.
    transport ??= import('nodemailer').then(({ createTransport }) =>
      createTransport(transportOptions(new URL(smtpUrl.reveal()), waits)),
    )
    return transport
  }

  function failed(kind: MailKind | 'check', error: unknown): Error {
    const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
    observer.mail(kind, 'failed')
    log.warn({ mail: kind, code, smtp: responseCode }, 'a mail was not sent')
    return error instanceof Error ? error : new Error(String(error))
  }

  async function check(): Promise<boolean> {
    try {
      await withinTimeout(waits.ready, (await open()).verify())
      return true
    } catch (error) {
      failed('check', error)
      return false
    }
  }

  return {
    async isReady() {
      if (underWay.size >= MAX_IN_BACKGROUND) {
        failed(
          'check',
          new Error(
            `${MAX_IN_BACKGROUND} mails are already being sent, which is the maximum. Try again later.`,
          ),
        )
        return false
      }
      if (remembered && performance.now() < remembered.until) return remembered.answer
      const answer = check()
      // Concurrent callers wait for the same result.
      remembered = { until: performance.now() + waits.ready, answer }
      const isReady = await answer
      remembered = { until: performance.now() + READY_CACHE_MS[isReady ? 'ready' : 'away'], answer }
      return isReady
    },
    async send({ kind, to, subject, text, html, id, unsubscribeUrl }) {
      try {
        const opened = await open()
        await opened.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          ...(html !== undefined && { html }),
          ...(id !== undefined && { messageId: `<${id}@${from.address.split('@').at(-1)}>` }),
          // The envelope does not come from the header, so an address cannot add a recipient.
          envelope: { from: from.address, to: [to] },
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== undefined && {
              'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.timeout(waits.send),
        })
        observer.mail(kind, 'sent')
        return undefined
      } catch (error) {
        return failed(kind, error)
      }
    },
    inBackground(work) {
      const running = work()
        .catch((err: unknown) => log.error({ err }, 'a mail could not be created'))
        .finally(() => underWay.delete(running))
      underWay.add(running)
    },
    async drained() {
      await Promise.all(underWay)
    },
  }
}

/**
 * `smtps` uses TLS from the start. `smtp` upgrades to TLS if the server offers it. A password is sent only over a connection with
 * a verified certificate, or to this machine. Without a password, certificates are not verified, as is usual between mail
 * servers.
 */
function transportOptions(url: URL, { ready, send }: MailTimeouts) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const isHere = host === 'localhost' || host === '::1' || /^127\./.test(host)
  const user = decodeURIComponent(url.username)
  return {
    host,
    secure,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    ...(!secure && (isHere ? { ignoreTLS: true } : { requireTLS: user !== '' })),
    tls: { rejectUnauthorized: secure || user !== '' },
    connectionTimeout: ready,
    greetingTimeout: ready,
    dnsTimeout: ready,
    socketTimeout: send,
    socketCloseTimeout: 0,
  }
}

async function withinTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' })),
    ms,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
