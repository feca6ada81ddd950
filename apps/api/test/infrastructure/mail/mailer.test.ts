// The servers that get the password of the mail account.

import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/infrastructure/config/config.ts'
import { createMailer } from '../../../src/infrastructure/mail/mailer.ts'
import { startMailServer } from '../../setup/mail-server.ts'

describe('the password of the mail server', () => {
  const isReady = (smtpUrl: string) => {
    const config = readConfig({
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'a@example.com',
      PUBLIC_URL: 'http://127.0.0.1',
    })
    const waits = { ready: 5_000, send: 5_000 }
    return createMailer(config.mail!, { log: pino({ level: 'silent' }), waits }).isReady()
  }

  it('is not sent to another machine without TLS', async () => {
    const other = await startMailServer()
    try {
      expect(await isReady(other.url)).toBe(true)
      expect(other.signIns).toBe(1)
      // A name that resolves to this machine but is not a loopback name.
      expect(await isReady(other.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'))).toBe(false)
      expect([other.connections, other.signIns]).toEqual([2, 1])
    } finally {
      await other.close()
    }
  })

  it('is not sent to a server whose certificate cannot be verified', async () => {
    const other = await startMailServer({ secure: true })
    try {
      expect(await isReady(other.url)).toBe(false)
      expect(other.signIns).toBe(0)
    } finally {
      await other.close()
    }
  })
})
