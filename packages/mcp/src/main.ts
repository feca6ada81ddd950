#!/usr/bin/env node
// The command `lotline-mcp`: the tools over stdin and stdout, until stdin ends. Everything else goes to stderr.

import { LotlineError } from '@lotline/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createToolServer } from './index.ts'

const HELP = `Usage: lotline-mcp

Serves the tools of Lotline to an agent on this machine, as an MCP server over stdin and stdout.

Environment:
  LOTLINE_API_KEY   your API key, lot_…
  LOTLINE_BASE_URL  the address of the service; http://127.0.0.1:8080 by default
`

// `pnpm mcp -- --help` passes the dashes on.
const args = process.argv.slice(2).filter((arg, at) => at > 0 || arg !== '--')
if (args.includes('--help')) process.stdout.write(HELP)
else if (args.length > 0)
  fail(`Unknown option ${args[0]}. lotline-mcp is configured by environment variables. See --help.`)
else {
  try {
    serveStdio(createToolServer(), {
      onerror: (error) => void process.stderr.write(`lotline-mcp: ${error.message}\n`),
    })
  } catch (error) {
    if (!(error instanceof LotlineError || error instanceof TypeError)) throw error
    fail(error.message)
  }
}

function fail(message: string): void {
  process.stderr.write(`lotline-mcp: ${message}\n`)
  process.exitCode = 1
}
