// Digests over a real SMTP server: who gets them, what they contain, and that each event is in one of them.

import { beforeAll, describe, expect, it } from 'vitest'
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
