import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

process.exitCode = await run(process.argv.slice(2), {
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  write: console.log,
  complain: console.error,
})
