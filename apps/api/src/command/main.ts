// The process of the `lotline` command.

import { run } from './program.ts'

// Whoever reads our output may stop reading, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await run(process.argv.slice(2))
