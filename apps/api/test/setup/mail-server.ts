// A real SMTP server on loopback that stores mails, and refuses or hangs on demand.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { makeCertificate } from './certificate.ts'
import { until } from './receiver.ts'

export interface ReceivedMail {
  /** The recipient of the envelope. */
  readonly from: string
  readonly to: readonly string[]
  /** As sent, decoded. */
  readonly headers: string
  readonly text: string
  /** Of a mail with both forms. */
  readonly html?: string
}

export type MailServerMode = 'accepts' | 'refuses recipients' | 'refuses sign-in' | 'is silent'

export interface MailServer {
  readonly port: number
  /** The URL for SMTP_URL, with the required password. */
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  mode: MailServerMode
  /** Connections since the start. */
  readonly connections: number
  /** Received passwords since the start. */
  readonly signIns: number
  /** Resolves with the mails to an address when `count` have arrived. */
  untilMailsTo(address: string, count?: number): Promise<readonly ReceivedMail[]>
  close(): Promise<void>
}

export const MAIL_PASSWORD = 'pass/word secret'

/** @param secure TLS from the start, with a certificate that no authority has signed */
export async function startMailServer({ secure = false } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const certificate = secure ? await makeCertificate({ host: '127.0.0.1' }) : undefined
  let connections = 0
  let signIns = 0
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    secure,
    ...(certificate && { cert: certificate.cert, key: certificate.key }),
    allowInsecureAuth: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections++
      if (made.mode !== 'is silent') done()
    },
    onAuth({ username, password }, _session, done) {
      signIns++
      const isGood = made.mode !== 'refuses sign-in' && username === 'lotline' && password === MAIL_PASSWORD
      if (isGood) done(null, { user: username })
      else done(new Error(`No such user ${username} with ${password}`))
    },
    onRcptTo({ address }, _session, done) {
      if (made.mode === 'refuses recipients')
        done(Object.assign(new Error(`<${address}> is unknown`), { responseCode: 550 }))
      else done()
    },
    onData(stream, { envelope }, done) {
      text(stream).then((raw) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parse(raw) })
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const made: MailServer = {
    port,
    url: `${secure ? 'smtps' : 'smtp'}://lotline:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1:${port}`,
    mails,
    mode: 'accepts',
    get connections() {
      return connections
    },
    get signIns() {
      return signIns
    },
    async untilMailsTo(address, count = 1) {
      const found = () => mails.filter(({ to }) => to.includes(address))
      await until(() => found().length >= count)
      return found()
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return made
}

/** The path of the only link in a mail. */
export function linkIn({ text }: ReceivedMail): string {
  const links = linksIn(text)
  if (links.length !== 1) throw new Error(`There are ${links.length} links in ${text}`)
  return links[0]!
}

export function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^/\s]+(\/portal\/[\w/-]+)/g)].map(([, path]) => path!)
}

function parse(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const [, headers = '', body = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(raw) ?? []
  const [, boundary] = /^content-type: multipart\/alternative;\s*boundary="([^"]+)"/im.exec(headers) ?? []
  if (boundary === undefined) return { headers, text: decode(headers, body) }
  const parts = body.split(`--${boundary}`).map((part) => /^\r\n(.*?)\r\n\r\n(.*)\r\n$/s.exec(part))
  const ofType = (type: string) => {
    const found = parts.find((part) => part?.[1]?.toLowerCase().includes(`content-type: ${type}`))
    return decode(found?.[1] ?? '', found?.[2] ?? '')
  }
  return { headers, text: ofType('text/plain'), html: ofType('text/html') }
}

function decode(headers: string, body: string): string {
  if (/content-transfer-encoding: base64/i.test(headers)) return Buffer.from(body, 'base64').toString()
  if (!/content-transfer-encoding: quoted-printable/i.test(headers))
    return body.replace(/ \r\n(?!\r\n)/g, ' ')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
