// The guide's configuration of MCP clients, used as printed with the SDK's own transports.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asPublished } from '@lotline/contract/publication'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { readGuide } from '../manual/samples.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

const ROOT = join(import.meta.dirname, '../../../../..')

describe("the guide's configuration for desktop clients and IDEs", () => {
  /** As the service shows them, with the address of the test's service and a key. */
  const entriesOf = (key: string) =>
    [...asPublished(readGuide('agents')).matchAll(/^```json\n(\{\n {2}"mcpServers".*?)^```$/gms)].map(
      ([, json]) => {
        const text = json!
          .replaceAll('https://api.example.com', server.url)
          .replaceAll('lot_…', key)
          .replaceAll('<checkout>', ROOT)
        return JSON.parse(text).mcpServers.lotline
      },
    )

  it('works as printed', async () => {
    const { key, accountId } = await server.openAccount({ credits: 10 })
    const [remote, local, ...others] = entriesOf(key)
    expect([remote.type, others]).toEqual(['http', []])
    // The package manager may ask the registry, so the test starts what it would start.
    expect([local.command, ...local.args]).toEqual([
      'npx',
      '-y',
      'pnpm@12.21.0',
      '--dir',
      ROOT,
      '--silent',
      'mcp',
    ])
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    const [command, ...args] = scripts.mcp.split(' ')
    const { url, headers } = remote
    for (const transport of [
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
      new StdioClientTransport({
        command,
        args,
        cwd: ROOT,
        env: { ...getDefaultEnvironment(), ...local.env },
      }),
    ]) {
      const client = new Client({ name: 'desktop', version: '1' })
      await client.connect(transport)
      const { isError } = await client.callTool({ name: 'get_account', arguments: {} })
      expect(isError).toBeFalsy()
      await client.close()
    }
    const { rows } = await testDatabase.database.query(
      'select operation from usage_rows where account_id = $1',
      [accountId],
    )
    expect(rows).toEqual([{ operation: 'getAccount' }, { operation: 'getAccount' }])
  })
})
