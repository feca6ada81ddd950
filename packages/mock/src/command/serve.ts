// `lotline-mock`: starts the mock and says how to call it. Exit code 1 with one line on stderr where that is not possible;
// stops at once on SIGTERM and SIGINT.

import { parseArgs } from 'node:util'
import { DEMO_KEY } from '../demo-key.ts'
import type { Mock } from '../index.ts'

const HELP = `Usage: lotline-mock [--port N] [--host H] [--quiet]
       lotline-mock send EVENT --to URL     (lotline-mock send --help)

Starts a mock of the Lotline API: every operation answers with the examples of the contract. It can also send signed webhooks.

  --port N   Port to listen on; 0 for any free port. Default: 4010.
  --host H   Address to listen on. Default: 127.0.0.1.
  --quiet    Do not print a line for each response.
  --help     Print this help.

The mock accepts any well-formed API key, for example:
  ${DEMO_KEY}

Choose the response with the header Prefer:
  Prefer: code=402                            the first example with this status
  Prefer: code=400, example=invalid_filters   a named example
  Prefer: dynamic=true                        a made-up body that fits the schema

Keys, paths, methods, input and formats are checked as in the service. Differences:
  There is no state: no credits are used, no call is limited, every id exists.
  Input changes the kind and the number of rows, not their content.
  Webhooks are sent only by lotline-mock send.
The README has the whole list, under "Differences from the service".

Exit codes: 0 stopped, 1 cannot start, or wrong command line.
`

interface ServeOptions {
  readonly port: number
  readonly host: string
  readonly quiet: boolean
  readonly help: boolean
}

function readOptions(args: readonly string[]): ServeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  })
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not ${values.port}.`)
  }
  if (values.host === '') throw new Error('--host must not be empty.')
  return { ...values, port: Number(values.port) }
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

function describeStartError(error: NodeJS.ErrnoException, { port, host }: ServeOptions): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken. Stop what uses it, or choose another with --port.`
    case 'EACCES':
      return `Port ${port} may not be opened by this user. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine. Choose another with --host.`
    default:
      return `The mock cannot start: ${error.message}`
  }
}

export async function serve(args: readonly string[]): Promise<void> {
  let options: ServeOptions
  try {
    options = readOptions(args)
  } catch (error) {
    const [problem] = (error as Error).message.split('\n', 1)
    fail(`${problem?.replace(/\.?$/, '.')} See lotline-mock --help.`)
  }
  if (options.help) {
    process.stdout.write(HELP)
    return
  }

  let mock: Mock
  try {
    // Prism is loaded here because loading takes a while.
    const { startMock } = await import('../index.ts')
    mock = await startMock({
      port: options.port,
      host: options.host,
      onAnswer: ({ method, url = '/' }, { status, code }) => {
        // The log omits the query, which can contain addresses.
        if (!options.quiet)
          console.log([method, url.split('?', 1)[0], status, code].filter(Boolean).join(' '))
      },
    })
  } catch (error) {
    fail(describeStartError(error as NodeJS.ErrnoException, options))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void mock.close().then(() => process.exit(0)))
  }
  console.log(
    `The Lotline mock answers at ${mock.origin}\n\n` +
      `  curl -H "Authorization: Bearer ${DEMO_KEY}" "${mock.origin}/v1/properties/48749425"\n`,
  )
}
