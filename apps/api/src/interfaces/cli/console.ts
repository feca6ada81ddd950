import { Command } from 'commander'
import { readConfig } from '../../infrastructure/config.ts'
import { LINK_MINUTES } from '../../money/accounts.ts'
import { createOperatorLink, readTrail, runAsOperator, type TrailEntry } from '../../money/operator.ts'
import { operatorOf, operatorOption, reasonText, uuid, wholeNumber } from './arguments.ts'
import { lockCommand, revokeCommand, sessionsCommand, unlockCommand } from './console-sessions.ts'
import { CommandFailure, facts, print, table, text } from './print.ts'
import { withDatabase } from './with-database.ts'

export function consoleCommand(): Command {
  return new Command('console')
    .description(
      'Sign in to the console for operators (ADMIN_PORT), list and end its sessions, lock it, and read the trail of operator actions.',
    )
    .addCommand(linkCommand())
    .addCommand(sessionsCommand())
    .addCommand(revokeCommand())
    .addCommand(lockCommand())
    .addCommand(unlockCommand())
    .addCommand(trailCommand())
}

function linkCommand(): Command {
  return new Command('link')
    .description(`Create a link that signs in to the console. It works once, for ${LINK_MINUTES} minutes.`)
    .option('--name <name>', 'the name of the operator, under which the trail lists the actions', reasonText)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The command needs the settings of the server: ADMIN_PORT, and ADMIN_URL or ADMIN_HOST if they are set. With the link,
anyone can sign in as an owner. Without --name, the session has the name of the user who runs the command. Named operators
sign in with passkeys instead: lotline operators add.

Examples:
  lotline console link
  lotline console link --name "Ana Lopez"`,
    )
    .action(async (options: { name?: string; operator: string }, command: Command) => {
      const base = baseUrl()
      const name = options.name ?? options.operator
      const { token, expiresAt } = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const link = await createOperatorLink(database, name)
          if (typeof link === 'string') throw new CommandFailure(NO_LINK[link](name))
          await note({ action: 'console.link', object: name })
          return link
        }),
      )
      const url = `${base}/link/${token}`
      print(command, { operator: name, url, expires_at: expiresAt }, [
        ...facts([
          ['link', url],
          ['operator', name],
          ['expires', expiresAt],
        ]),
        '',
        'The link works once. Only its hash is stored, and it is not shown again.',
      ])
    })
}

const NO_LINK = {
  locked: () => 'The console is locked. Unlock it first: lotline console unlock',
  off: () => 'The shared sign-in is off. Turn it on first: lotline operators shared-sign-in on',
  named: (name: string) =>
    `${name} is a named operator, who signs in with a passkey. For a new passkey: lotline operators link ${JSON.stringify(name)}`,
}

/** The URL of the console. */
export function baseUrl(): string {
  const { admin } = readConfig()
  if (!admin) throw new CommandFailure('The console is off. Set ADMIN_PORT for the server and this command.')
  if (admin.url !== undefined) return admin.url
  return `http://${admin.host.includes(':') ? `[${admin.host}]` : admin.host}:${admin.port}`
}

function trailCommand(): Command {
  return new Command('trail')
    .description(
      'List what operators have changed, with the command and in the console, latest first: who, when, what, before and after.',
    )
    .option('--account <id>', 'only changes of this account', uuid)
    .option('--limit <n>', 'maximum number of entries', wholeNumber(1, 1_000_000), 100)
    .addHelpText(
      'after',
      '\nExamples:\n  lotline console trail\n  lotline console trail --account ACCOUNT --json',
    )
    .action(async (filter: { account?: string; limit: number }, command: Command) => {
      const entries = await withDatabase((database) => readTrail(database, filter))
      const lines = table(
        ['AT', 'OPERATOR', 'VIA', 'ACTION', 'ACCOUNT', 'OBJECT', 'CHANGE'],
        entries.map((entry) => [
          entry.at,
          entry.operator,
          entry.sign_in === null ? entry.via : `${entry.via} (${entry.sign_in})`,
          entry.action,
          entry.account_id,
          entry.object,
          changeOf(entry),
        ]),
      )
      print(command, entries, entries.length > 0 ? lines : ['There are none.'])
    })
}

/** The changed fields, on one line. --json prints all fields. */
function changeOf({ before, after }: TrailEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const shown = (value: unknown) => (typeof value === 'object' && value ? JSON.stringify(value) : text(value))
  return names
    .filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    .map((name) =>
      before && after
        ? `${name}: ${shown(before[name])} → ${shown(after[name])}`
        : `${name}: ${shown((after ?? before)?.[name])}`,
    )
    .join(', ')
    .replaceAll(/\p{Cc}/gu, ' ')
}
