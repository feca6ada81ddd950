// The entry point of the process: reads the settings, builds the app, and serves until it is stopped. If it cannot start, it prints the
// reason in one line and exits with a code other than 0.
// Why: decisions/process/no-build.md
// Why: decisions/process/semi-space-size.md

import { ConfigError } from '../infrastructure/config.ts'
import { StartError } from '../infrastructure/database.ts'
import { start } from './start.ts'

try {
  await start()
} catch (error) {
  const known = error instanceof ConfigError || error instanceof StartError
  process.stderr.write(`lotline: ${known ? error.message : String((error as Error)?.stack ?? error)}\n`)
  process.exit(1)
}
