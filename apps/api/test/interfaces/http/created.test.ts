// The Location header of created resources.

import { operationIds, operations } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const server = withTestServer(withTestDatabase())

const CREATIONS: readonly (readonly [path: string, body: object])[] = [
  ['/v1/webhooks', { url: 'https://hooks.example.com/lotline' }],
  ['/v1/watches', { name: 'Homes', zpids: ['48749425'] }],
  ['/v1/keys', { name: 'Production' }],
  ['/v1/properties/batch', { urls: ['https://www.zillow.com/homedetails/48749425_zpid/'] }],
]

describe('Location', () => {
  it.each(CREATIONS)('of POST %s is the path of the GET', async (path, body) => {
    const { key } = await server.openAccount({ credits: 10 })
    const created = await server.post(path, body, { key })
    expect([201, 202], created.text).toContain(created.status)
    const read = await server.get(created.headers.get('location')!, { key })
    expect(read.status).toBe(200)
    const { id, job_id = id } = created.json.data
    expect(read.json.data.id).toBe(job_id)
  })

  it('is documented for every operation that creates something', () => {
    const created = operationIds.filter((id) =>
      [201, 202].some((status) => status in operations[id].statuses),
    )
    expect(created).toHaveLength(10)
  })
})
