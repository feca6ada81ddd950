// A process that runs command lines of `lotline` for tests, one after the other, so that a test file pays for its start once. A message has
// a command line with its environment; the reply has the output and the exit code.

import { run } from '../../../src/interfaces/cli/program.ts'

export interface CommandLine {
  readonly args: readonly string[]
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string>>
}

export interface CommandOutput {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

process.on('message', async ({ args, env }: CommandLine) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const [stdout, stderr] = [collect(process.stdout as Sink), collect(process.stderr as Sink)]
  const code = await run(args)
  process.send!({ code, stdout: stdout(), stderr: stderr() } satisfies CommandOutput)
})
process.on('disconnect', () => process.exit())

interface Sink {
  write: (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => boolean
}

/** Captures the stream's output until the returned function is called. */
function collect(stream: Sink): () => string {
  const chunks: Buffer[] = []
  const { write } = stream
  stream.write = (chunk, encoding, done) => {
    chunks.push(Buffer.from(chunk as string))
    const callback = typeof encoding === 'function' ? encoding : done
    if (typeof callback === 'function') callback()
    return true
  }
  return () => {
    stream.write = write
    return Buffer.concat(chunks).toString()
  }
}
