// The `lotline` command, for operators. It works directly on the database, with or without a running server, through the same domain
// functions. Each group of commands has a file.

import { openapi } from '@lotline/contract'
import { Command, CommanderError } from 'commander'
import application from '../../../package.json' with { type: 'json' }
import { accountsCommand } from './accounts.ts'
import { areasCommand } from './areas.ts'
import { backupCommand } from './backup.ts'
import { consoleCommand } from './console.ts'
import { creditsCommand } from './credits.ts'
import { jobsCommand } from './jobs.ts'
import { keysCommand } from './keys.ts'
import { listingsCommand } from './listings.ts'
import { operatorsCommand } from './operators.ts'
import { portalCommand } from './portal.ts'
import { CommandFailure, printFailure } from './print.ts'
import { purchasesCommand } from './purchases.ts'
import { restoreCommand } from './restore.ts'
import { sourcesCommand } from './sources.ts'
import { watchesCommand } from './watches.ts'
import { webhooksCommand } from './webhooks.ts'

const VERSION = `lotline ${application.version} (API ${openapi.info.version}, Node ${process.versions.node})`

const EXIT_CODES = `
Exit codes: 0 success, 1 failure, 2 wrong command line.`

/** All commands, with their common options. */
export function lotline(): Command {
  const program = new Command('lotline')
    .description(
      'Operate a Lotline service: accounts, keys, credits, listings, areas, sources, jobs, watches, webhooks, the portal, purchases, the console, its operators, backups.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .addCommand(accountsCommand())
    .addCommand(keysCommand())
    .addCommand(creditsCommand())
    .addCommand(listingsCommand())
    .addCommand(areasCommand())
    .addCommand(sourcesCommand())
    .addCommand(jobsCommand())
    .addCommand(watchesCommand())
    .addCommand(webhooksCommand())
    .addCommand(portalCommand())
    .addCommand(consoleCommand())
    .addCommand(operatorsCommand())
    .addCommand(purchasesCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addHelpText(
      'after',
      `
Examples:
  lotline accounts create --plan monthly --email ana@example.com
  lotline accounts list
  lotline credits topup --account ACCOUNT --amount 500
  lotline keys rotate KEY_ID --grace-minutes 60
  lotline credits audit
  lotline listings import sales.csv --map king-county.yaml --dry-run
  lotline backup lotline.backup

The command reads the same environment variables as the server (DATABASE_URL or DATA_DIR) and works on the database directly.
It prints the name of the database to stderr. A server can be running; it sees changes within a second. For the options and
examples of a command, add --help to it.`,
    )
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .option('--json', 'print JSON for programs instead of tables')
      .showHelpAfterError('For the options, add --help.')
      .addHelpText('after', EXIT_CODES)
  }
  return program
}

/** Runs one command line. Returns the exit code: 0 success, 1 failure, 2 invalid command line. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await lotline().parseAsync(argv as string[], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    printFailure(error)
    return error instanceof CommandFailure ? error.exitCode : 1
  }
}

/** A command and all its subcommands. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}
