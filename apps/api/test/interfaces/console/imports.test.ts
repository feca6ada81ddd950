// Held imports and undos in the console: they are shown before they are decided, and the trail names who decided.

import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readHeld } from '../../../src/data/imports/held-imports.ts'
import { ImportHeld } from '../../../src/data/imports/hold-import.ts'
import { addSource } from '../../../src/data/replication/source-store.ts'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { auditLedger } from '../../../src/money/credits/audit.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { evaluateStep } from '../../../src/work/watches/evaluate.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { importLogged, listingsOf } from '../../work/watches/undo-tools.ts'
import { homes, PRICE } from '../../work/watches/watch-tools.ts'
import { ATTACK } from '../portal/portal-browser.ts'
import type { Visitor } from '../portal/visitor.ts'
import { formIdIn, withTestConsole } from './operator.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const console = withTestConsole(server)
const db = () => testDatabase.database

const HOMES = 60
let dana: Visitor
let support: Visitor
beforeAll(async () => {
  dana = await console.named('Dana', 'data')
  support = await console.named('Sue', 'support')
})

beforeEach(async () => {
  await db().query(
    'truncate listings, listing_changes, removed_listings, imports, held_imports, held_listings, replaced_listings, watches cascade',
  )
  await importLogged(db(), homes(1, HOMES + 1))
})

/** Imports a file with all prices times 100, which is held. Returns its number. */
async function holdImport(): Promise<number> {
  await expect(importLogged(db(), homes(1, HOMES + 1, { price: 50_000_000 }))).rejects.toThrow(ImportHeld)
  return (await readHeld(db()))[0]!.id
}

const textOf = (markup: string) =>
  markup
    .slice(markup.indexOf('<main'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
const send = (operator: Visitor, path: string) => operator.post(path, { form: randomUUID() })
const lastAction = async () => (await readTrail(db(), { limit: 1 }))[0]
const prices = async () =>
  (await db().query<{ price: number }>('select distinct price from listings')).rows.map(({ price }) => price)

describe('a held import', () => {
  it('is listed with its reason, linked from its source, and shown with its difference and examples', async () => {
    const id = await holdImport()
    const list = await dana.get('/imports')
    expect(list.text).toContain(`href="/imports/${id}"`)
    expect(textOf(list.text)).toMatch(/Held imports.* mls .*the median price/)
    await addSource(db(), 'mls', { kind: 'file', location: '/data/mls.ndjson', complete: false }, 900)
    expect((await dana.get('/sources')).text).toContain(`<a href="/imports/${id}">Import ${id}</a>`)
    await db().query('delete from connected_sources')
    const shown = await dana.get(`/imports/${id}`)
    expect(shown.status).toBe(200)
    const text = textOf(shown.text)
    expect(text).toContain(`Changed ${HOMES}`)
    expect(text).toContain('Watch events, at most 0')
    expect(text).toMatch(/medianPrice : the median price/)
    expect(text.match(/price 500000 → 50000000/g)).toHaveLength(10)
    expect(await prices()).toEqual([500_000])
  })

  it('is released once, and the trail names the operator', async () => {
    const id = await holdImport()
    const action = `/imports/${id}/release`
    const form = formIdIn((await dana.get(`/imports/${id}`)).text, action)
    const sent = await Promise.all([dana.post(action, { form }), dana.post(action, { form })])
    expect(sent.map(({ status }) => status).sort()).toEqual([303, 422])
    expect(sent.map(({ to }) => to)).toContain('/imports?done=applied')
    expect(await prices()).toEqual([50_000_000])
    expect(await readHeld(db())).toEqual([])
    expect(await lastAction()).toMatchObject({
      operator: 'Dana',
      via: 'console',
      sign_in: 'passkey',
      action: 'listings.release',
      object: `import ${id}`,
      before: { state: 'held' },
      after: { state: 'applied', import: expect.any(Number) },
    })
    const decided = await dana.get(`/imports/${id}`)
    expect(textOf(decided.text)).toContain('Applied by Dana')
    expect(decided.text).not.toContain('<form method="post" action="/imports/')
  })

  it('is discarded without a change of the data set, and cannot be released afterward', async () => {
    const id = await holdImport()
    const before = await listingsOf(db())
    expect((await send(dana, `/imports/${id}/discard`)).to).toBe('/imports?done=discarded')
    const late = await send(dana, `/imports/${id}/release`)
    expect([late.status, textOf(late.text)]).toEqual([
      422,
      expect.stringContaining(`Import ${id} is not held`),
    ])
    expect((await send(dana, `/imports/${id}/discard`)).status).toBe(422)
    expect(await listingsOf(db())).toEqual(before)
    expect(await lastAction()).toMatchObject({
      operator: 'Dana',
      action: 'listings.discard',
      object: `import ${id}`,
    })
  })

  it('of a feed lets its next run pass, and shows no difference', async () => {
    const id = await holdImport()
    await db().query(`update imports set kind = 'feed' where id = $1`, [id])
    expect(textOf((await dana.get(`/imports/${id}`)).text)).toContain('the records of a feed are not kept')
    expect((await send(dana, `/imports/${id}/release`)).to).toBe('/imports?done=next-run')
    expect(await prices()).toEqual([500_000])
  })

  it('shows the text of its records as text', async () => {
    const id = await holdImport()
    await db().query(
      `update held_listings set record = jsonb_set(record::jsonb, '{homeType}', to_jsonb($1::text))::text`,
      [ATTACK],
    )
    const { text } = await dana.get(`/imports/${id}`)
    expect(text).not.toContain('<img src=x')
    expect(text).toContain('&lt;img src=x')
  })
})

describe('an undo', () => {
  it('is shown first, changes nothing until it is confirmed, and then restores the homes and refunds the events', async () => {
    const { accountId, key } = await server.openAccount({ credits: 1000 })
    const filters = { bbox: { west: -123, south: 47, east: -122, north: 48 } }
    const events = ['listing.price_changed']
    expect((await server.post('/v1/watches', { name: 'Homes', filters, events }, { key })).status).toBe(201)
    const evaluate = async () => {
      for (let isMore = true; isMore; ) isMore = (await evaluateStep(db(), PRICE)).isMore
    }
    await evaluate()
    const { balance } = (await findAccount(db(), accountId))!
    const before = await listingsOf(db())
    const id = await importLogged(db(), homes(1, 4, { price: 510_000 }))
    await evaluate()
    expect((await findAccount(db(), accountId))!.balance).toBe(balance - 3)

    expect((await dana.get('/imports')).text).toContain(`href="/imports/${id}/undo"`)
    const changed = await listingsOf(db())
    const trail = await lastAction()
    const preview = await dana.get(`/imports/${id}/undo`)
    const text = textOf(preview.text)
    expect(text).toContain('Nothing was changed yet')
    expect(text).toContain('Homes restored 3')
    expect(text).toContain('Retracted events 3 of 1 watch')
    expect(text).toContain('Refunded 3 credits to 1 account')
    expect(await listingsOf(db())).toEqual(changed)
    expect(await lastAction()).toEqual(trail)
    expect((await findAccount(db(), accountId))!.balance).toBe(balance - 3)

    const action = `/imports/${id}/undo`
    const form = formIdIn(preview.text, action)
    const sent = await Promise.all([dana.post(action, { form }), dana.post(action, { form })])
    expect(sent.map(({ status }) => status).sort()).toEqual([303, 422])
    expect(await listingsOf(db())).toEqual(before)
    expect((await findAccount(db(), accountId))!.balance).toBe(balance)
    expect((await auditLedger(db(), () => {})).drifts).toBe(0)
    expect(await lastAction()).toMatchObject({
      operator: 'Dana',
      via: 'console',
      action: 'listings.revert',
      object: `import ${id}`,
      after: { restored: 3, retracted: 3, refunded: 3 },
    })
    const again = await dana.get(action)
    expect([again.status, textOf(again.text)]).toEqual([422, expect.stringContaining('was undone before')])
    expect((await dana.get('/imports')).text).not.toContain(`href="${action}"`)
  })

  it('of an unknown import, of a held one, and of an undo is refused', async () => {
    const id = await holdImport()
    for (const [path, why] of [
      ['/imports/999999/undo', 'There is no import'],
      [`/imports/${id}/undo`, 'is held or was discarded'],
    ] as const) {
      expect((await dana.get(path)).text).toContain(why)
      const sent = await send(dana, path)
      expect([sent.status, sent.text]).toEqual([422, expect.stringContaining(why)])
    }
    expect(await prices()).toEqual([500_000])
  })
})

it('the role support sees no imports, and its forms change nothing', async () => {
  const id = await holdImport()
  const trail = await lastAction()
  for (const path of ['/imports', `/imports/${id}`, `/imports/${id}/undo`])
    expect((await support.get(path)).status, path).toBe(403)
  for (const verb of ['release', 'discard', 'undo'])
    expect((await send(support, `/imports/${id}/${verb}`)).status, verb).toBe(403)
  expect((await readHeld(db())).map((held) => held.id)).toEqual([id])
  expect(await prices()).toEqual([500_000])
  expect(await lastAction()).toEqual(trail)
})
