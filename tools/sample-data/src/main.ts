import { createWriteStream } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { DEFAULT_HOMES, type SampleOptions, sampleListings } from './index.ts'

/** Writes the sample as NDJSON, one record a line, to a file or to standard output. */
const usage = `Usage: node tools/sample-data/src/main.ts [--out FILE] [--count N] [--as-of DATE]

  --out FILE    where to write; compressed if the name ends in .gz. Default: standard output.
  --count N     how many homes, 1 to 200000. Default: ${DEFAULT_HOMES}.
  --as-of DATE  the day from which dates are counted, such as 2026-11-01 (the default).
`

interface Command extends SampleOptions {
  out?: string
}

function readCommand(args: string[]): Command | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string' },
      count: { type: 'string' },
      'as-of': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const asOf = values['as-of']
  if (asOf !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(asOf)) {
    throw new RangeError(`--as-of must be a date such as 2026-11-01, not "${asOf}"`)
  }
  return {
    ...(values.out !== undefined && { out: values.out }),
    ...(values.count !== undefined && { homes: Number(values.count) }),
    ...(asOf !== undefined && { asOf: Date.parse(asOf) }),
  }
}

function* lines(options: SampleOptions): Generator<string> {
  for (const record of sampleListings(options)) yield `${JSON.stringify(record)}\n`
}

async function write({ out, ...options }: Command): Promise<void> {
  const source = Readable.from(lines(options))
  const target: Writable = out === undefined ? process.stdout : createWriteStream(out)
  if (out?.endsWith('.gz')) await pipeline(source, createGzip(), target)
  else await pipeline(source, target)
}

try {
  const command = readCommand(process.argv.slice(2))
  if (command === 'help') process.stdout.write(usage)
  else await write(command)
} catch (error) {
  // A reader such as `head` may close the pipe once it has enough.
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
