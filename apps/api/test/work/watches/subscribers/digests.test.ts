// Digests over a real SMTP server: who gets them, what they contain, and that each event is in one of them.

import { beforeAll, describe, expect, it } from 'vitest'
import { resumeAccount, suspendAccount } from '../../../../src/money/accounts/suspend.ts'
import { readMetrics } from '../../../process/telemetry/metrics/read-metrics.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { home, homes } from '../watch-tools.ts'
import { confirmPathIn, subscriberTools, unsubscribePathIn } from './subscriber-tools.ts'

const testDatabase = withTestDatabase()
const tools = subscriberTools(testDatabase)
const { importHomes, subscribe, subscribeAndConfirm, evaluateTo, sendDigests, mailsTo } = tools

beforeAll(() => importHomes(homes(1, 21)))

describe('a person whose address an account gave to a watch', () => {
  it('gets one mail, which names nothing of the account, and nothing else before the confirmation', async () => {
    const { key } = await tools.server.openAccount()
    const { id, asked } = await subscribe(key, 'ana@example.com', { name: 'Buy gold at evil.example' })
    expect(asked.text).not.toContain('evil.example')
    expect(asked.headers).not.toContain('evil.example')
    await importHomes([home(1, { price: 490_000 })])
    await evaluateTo(id, 1)
    await tools.makeDigestsDue()
    expect(await sendDigests(id, 'ana@example.com')).toEqual([])
    expect(mailsTo('ana@example.com')).toHaveLength(1)
    // A scanner opens the link.
    const page = await fetch(tools.server.url + confirmPathIn(asked))
    expect(await page.text()).toContain('Confirm your subscription')
    expect((await tools.server.get(`/v1/watches/${id}`, { key })).json.data.subscriber).toEqual({
      email: 'ana@example.com',
      frequency: 'daily',
      webhook_id: null,
      status: 'unconfirmed',
    })
  })

  it('gets the later changes in a digest after the confirmation, each once, and nothing more after one click', async () => {
    const { key } = await tools.server.openAccount()
    const id = await subscribeAndConfirm(key, 'bo@example.com')
    await importHomes([home(2, { price: 480_000 }), home(30, { price: 700_000 })])
    await evaluateTo(id, 2)
    const first = await sendDigests(id, 'bo@example.com')
    expect(first).toHaveLength(1)
    expect(first[0]!.text).toContain('$500,000 → $480,000')
    expect(first[0]!.html).toContain('$500,000 → $480,000')
    expect(first[0]!.headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    expect(first[0]!.headers).toMatch(/^Subject: Seattle: 2 changes\r?$/m)
    // Without changes, there is no digest.
    expect(await sendDigests(id, 'bo@example.com')).toHaveLength(1)

    await importHomes([home(3, { price: 470_000 })])
    await evaluateTo(id, 3)
    const second = await sendDigests(id, 'bo@example.com')
    expect(second).toHaveLength(2)
    expect(second[1]!.text).toContain('$470,000')
    expect(second[1]!.text).not.toContain('$480,000')

    const path = tools.server.url + unsubscribePathIn(second[1]!)
    expect(await (await fetch(path)).text()).toContain('Unsubscribe')
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    expect((await fetch(path, { method: 'POST', body: form })).status).toBe(200)
    await importHomes([home(4, { price: 460_000 })])
    await evaluateTo(id, 4)
    expect(await sendDigests(id, 'bo@example.com')).toHaveLength(2)
    expect((await tools.server.get(`/v1/watches/${id}`, { key })).json.data.subscriber.status).toBe(
      'unsubscribed',
    )
  })
})

describe('nothing is sent', () => {
  it('while the watch is paused or the account is suspended; the next digest has the changes', async () => {
    const { key, accountId } = await tools.server.openAccount()
    const email = 'cy@example.com'
    const id = await subscribeAndConfirm(key, email)
    await importHomes([home(5, { price: 450_000 })])
    await evaluateTo(id, 1)
    await tools.server.send('PATCH', `/v1/watches/${id}`, { key, body: { paused: true } })
    expect(await sendDigests(id, email)).toEqual([])
    await tools.server.send('PATCH', `/v1/watches/${id}`, { key, body: { paused: false } })
    await suspendAccount(tools.db(), accountId)
    expect(await sendDigests(id, email)).toEqual([])
    await resumeAccount(tools.db(), accountId)
    const sent = await sendDigests(id, email)
    expect(sent).toHaveLength(1)
    expect(sent[0]!.text).toContain('$450,000')
  })

  it('if the watch is paused after its digest was opened', async () => {
    const { key } = await tools.server.openAccount()
    const email = 'di@example.com'
    const id = await subscribeAndConfirm(key, email)
    await importHomes([home(6, { price: 440_000 })])
    await evaluateTo(id, 1)
    tools.mail.mode = 'refuses recipients'
    expect(await sendDigests(id, email)).toEqual([])
    tools.mail.mode = 'accepts'
    await tools.server.send('PATCH', `/v1/watches/${id}`, { key, body: { paused: true } })
    await tools.makeDigestsDue(id)
    expect(await sendDigests(id, email)).toEqual([])
    await tools.server.send('PATCH', `/v1/watches/${id}`, { key, body: { paused: false } })
    expect(await sendDigests(id, email)).toHaveLength(1)
  })

  it('after the watch is deleted, and no row has the address any more', async () => {
    const { key } = await tools.server.openAccount()
    const id = await subscribeAndConfirm(key, 'ed@example.com')
    await importHomes([home(7, { price: 430_000 })])
    await evaluateTo(id, 1)
    await tools.server.send('DELETE', `/v1/watches/${id}`, { key })
    expect(await sendDigests(id, 'ed@example.com')).toEqual([])
    for (const table of ['watch_subscribers', 'watch_digests'])
      expect((await tools.db().query(`select from ${table} where watch_id = $1`, [id])).rows).toEqual([])
  })
})

describe('a digest', () => {
  it('leaves out homes that are withheld since, and shows no address that may not be shown', async () => {
    const { key } = await tools.server.openAccount()
    const email = 'fay@example.com'
    const id = await subscribeAndConfirm(key, email)
    const at = (zpid: number, streetAddress: string) =>
      home(zpid, { price: 420_000 + zpid, streetAddress, city: 'Seattle', state: 'WA', zipcode: '98101' })
    await importHomes([at(8, '8 Open St'), at(9, '9 Hidden St'), at(10, '10 Gone St')])
    await evaluateTo(id, 3)
    await tools
      .db()
      .query("insert into withheld_homes (zpid, what) values ('9', 'address'), ('10', 'listing')")
    const [sent] = await sendDigests(id, email)
    for (const form of [sent!.text, sent!.html!]) {
      expect(form).toContain('8 Open St')
      expect(form).toContain('$420,009')
      expect(form).not.toContain('Hidden')
      expect(form).not.toContain('Gone')
      expect(form).not.toContain('$420,010')
    }
    await tools.db().query('delete from withheld_homes')
  })

  it('shows the photo of a home, its listing page, and the attribution that a search row has', async () => {
    const { key } = await tools.server.openAccount()
    const email = 'eve@example.com'
    const id = await subscribeAndConfirm(key, email)
    const described = {
      price: 405_000,
      photos: [{ url: 'https://photos.example.com/13.jpg' }],
      hdpUrl: 'https://listings.example.com/13',
      brokerageName: 'Example Realty',
    }
    await importHomes([home(13, described), home(14, { ...described, hdpUrl: 'javascript:alert(1)' })])
    await evaluateTo(id, 2)
    const { data } = (await tools.server.get(`/v1/watches/${id}/events`, { key })).json
    const row = data.find(({ zpid }: { zpid: string }) => zpid === '13')
    expect(row.listing.imgSrc).toBe('https://photos.example.com/13.jpg')
    const [sent] = await sendDigests(id, email)
    expect(sent!.html).toContain('src="https://photos.example.com/13.jpg"')
    expect(sent!.html).not.toContain('javascript:')
    for (const form of [sent!.text, sent!.html!]) {
      if (row.listing.detailUrl) expect(form).toContain(row.listing.detailUrl)
      expect(form).toContain(row.source.attribution ?? `Listed by ${row.listing.brokerName}.`)
    }
  })

  it('escapes all texts, and its subject is one line, whatever the name of the watch is', async () => {
    const { key } = await tools.server.openAccount()
    const email = 'gil@example.com'
    const name = 'A\r\nBcc: all@example.com\n<script>alert(1)</script>'
    const id = await subscribeAndConfirm(key, email, { name })
    await importHomes([home(11, { price: 410_000, streetAddress: '<img src=x onerror=alert(1)>' })])
    await evaluateTo(id, 1)
    const [sent] = await sendDigests(id, email)
    expect(sent!.to).toEqual([email])
    expect(sent!.headers).not.toMatch(/^Bcc:/im)
    expect(sent!.headers).toMatch(/^Subject: A Bcc: all@example\.com <script>/m)
    expect(sent!.html).not.toContain('<script>')
    expect(sent!.html).not.toMatch(/<img src=x/)
  })

  it('is tried again when the server refuses it, and after six refusals the next one has its changes', async () => {
    const { key } = await tools.server.openAccount()
    const email = 'hal@example.com'
    const id = await subscribeAndConfirm(key, email)
    await importHomes([home(12, { price: 400_000 })])
    await evaluateTo(id, 1)
    tools.mail.mode = 'refuses recipients'
    expect(await sendDigests(id, email)).toEqual([])
    for (let attempt = 2; attempt <= 6; attempt++) {
      await tools.makeDigestsDue(id)
      await tools.run(() => tools.areDigestsOver(id), 'the attempt')
    }
    const states = 'select outcome, attempts from watch_digests where watch_id = $1'
    expect((await tools.db().query(states, [id])).rows).toEqual([{ outcome: 'failed', attempts: 6 }])
    tools.mail.mode = 'accepts'
    const sent = await sendDigests(id, email)
    expect(sent).toHaveLength(1)
    expect(sent[0]!.text).toContain('$400,000')
    expect(await sendDigests(id, email)).toHaveLength(1)
    const { sum } = await readMetrics(tools.server.url)
    expect(sum('lotline_watch_subscribers_total', { event: 'digest_failed' })).toBe(1)
    expect(sum('lotline_mails_total', { kind: 'watch_digest', outcome: 'failed' })).toBeGreaterThanOrEqual(6)
  })

  it('is due at 13:00 UTC of the next day, or of the next Monday', async () => {
    const asked = [
      ['daily', '2026-11-27T12:59:59Z', '2026-11-27T13:00:00.000Z'],
      ['daily', '2026-11-27T13:00:00Z', '2026-11-28T13:00:00.000Z'],
      ['weekly', '2026-11-27T08:00:00Z', '2026-11-30T13:00:00.000Z'],
      ['weekly', '2026-11-30T13:00:00Z', '2026-12-07T13:00:00.000Z'],
    ] as const
    for (const [frequency, after, next] of asked) {
      const { rows } = await tools
        .db()
        .query<{ next: Date }>('select next_digest_at($1, $2::timestamptz) as next', [frequency, after])
      expect(rows[0]!.next.toISOString()).toBe(next)
    }
  })
})

it('no line of the log has an address, not even of refused mails', () => {
  expect(tools.lines.some((line) => line.includes('a mail was not sent'))).toBe(true)
  expect(tools.lines.filter((line) => line.includes('@example.com'))).toEqual([])
})
