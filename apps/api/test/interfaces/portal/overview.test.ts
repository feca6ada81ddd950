// The figures of the overview agree with each other, for all events of a day.

import { expect, it } from 'vitest'
import { changePlan } from '../../../src/money/accounts/change-plan.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { signedIn } from './visitor.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createMemoryProvider() } })

it('on the day of a plan change, the rest of the grant equals the balance', async () => {
  const { key, accountId } = await server.openAccount({ plan: 'monthly', credits: 1_000, ratePerMinute: 200 })
  const look = async () => (await server.get('/v1/properties/48749425', { key })).charged
  const before = (await look()) + (await look())
  expect(before).toBeGreaterThan(0)
  await changePlan(testDatabase.database, accountId, { plan: 'annual' })
  const after = await look()

  const { credits } = (await server.get('/v1/me', { key })).json.data
  expect(credits.balance).toBe(credits.granted_this_cycle - after)
  const { text } = await (await signedIn(server, key)).get('/portal')
  const shown = credits.balance.toLocaleString('en-US')
  const granted = credits.granted_this_cycle.toLocaleString('en-US')
  expect(/<strong>([\d,]+)<\/strong> credits available/.exec(text)?.[1]).toBe(shown)
  expect(text).toContain(`${shown} of ${granted} credits that the plan granted`)
  expect(text).toContain(`Left of the ${granted} granted credits: ${shown}`)
})
