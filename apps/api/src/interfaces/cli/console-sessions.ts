// Commands that list and end sessions of the console, and that lock it.

import { Command } from 'commander'
import {
  findOperator,
  type ListedSession,
  listSessions,
  lockConsole,
  readConsoleAccess,
  revokeSessions,
  SHARED_OPERATOR,
  unlockConsole,
} from '../../money/operator.ts'
import { operatorOf, operatorOption, reasonText, uuid } from './arguments.ts'
import { CommandFailure, print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

export function sessionsCommand(): Command {
  return new Command('sessions')
    .description(
      'List the open sessions of the console, latest sign-in first: who, how and since when, the last use, the addresses of ' +
        'the sign-in and of the last use, and the browser.',
    )
    .addHelpText('after', '\nExamples:\n  lotline console sessions\n  lotline console sessions --json')
    .action(async (_options: object, command: Command) => {
      const { sessions, access } = await withDatabase(async (database) => ({
        sessions: await listSessions(database),
        access: await readConsoleAccess(database),
      }))
      const lines = table(
        ['SESSION', 'OPERATOR', 'ROLE', 'SIGN-IN', 'SINCE', 'LAST USED', 'FROM', 'LAST FROM', 'BROWSER'],
        sessions.map((session) => [
          session.id,
          session.operator,
          session.role,
          session.signIn,
          session.startedAt,
          session.lastUsedAt,
          session.firstAddress,
          session.lastAddress,
          session.userAgent,
        ]),
      )
      const locked = access.lockedAt === null ? [] : ['The console is locked: lotline console unlock']
      print(command, sessions.map(sessionJson), [
        ...locked,
        ...(sessions.length > 0 ? lines : ['There are no open sessions.']),
      ])
    })
}

function sessionJson(session: ListedSession) {
  return {
    session_id: session.id,
    operator: session.operator,
    role: session.role,
    sign_in: session.signIn,
    started_at: session.startedAt,
    last_used_at: session.lastUsedAt,
    expires_at: session.expiresAt,
    first_address: session.firstAddress,
    last_address: session.lastAddress,
    user_agent: session.userAgent,
  }
}

export function revokeCommand(): Command {
  return new Command('revoke')
    .description('End sessions of the console, in all processes with their next request.')
    .argument('[session]', 'id of a session, as in `lotline console sessions`', uuid)
    .option('--all', 'all sessions')
    .option(
      '--name <name>',
      `all sessions of a named operator; "${SHARED_OPERATOR}" for those of the shared sign-in by link`,
      reasonText,
    )
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The operator can sign in again. To prevent it, remove him (lotline operators remove) or lock the console (lotline console lock).

Examples:
  lotline console revoke SESSION
  lotline console revoke --name "Ana Lopez"
  lotline console revoke --all`,
    )
    .action(async (id: string | undefined, options: { all?: boolean; name?: string }, command: Command) => {
      const { all, name } = options
      if ([id, all, name].filter((one) => one !== undefined).length !== 1)
        command.error('error: name one session, or give --all or --name.', { exitCode: 2 })
      const ended = await withDatabase(async (database) => {
        const operator = operatorOf(command)
        if (id !== undefined) return revokeSessions(database, operator, { ids: [id] })
        if (name === undefined) return revokeSessions(database, operator, 'all')
        if (name.toLowerCase() === SHARED_OPERATOR) return revokeSessions(database, operator, 'shared')
        const named = await findOperator(database, name)
        if (!named) throw new CommandFailure(`There is no operator ${JSON.stringify(name)}.`)
        return revokeSessions(database, operator, { operatorId: named.id })
      })
      if (id !== undefined && ended.length === 0)
        throw new CommandFailure('There is no open session with this id.')
      print(command, { ended: ended.map((session) => session.id) }, [
        ended.length === 1 ? '1 session has ended.' : `${ended.length} sessions have ended.`,
      ])
    })
}

export function lockCommand(): Command {
  return new Command('lock')
    .description(
      'Lock the console at once in all processes: end all sessions, invalidate all links to it, and admit no operator until it is unlocked.',
    )
    .addOption(operatorOption())
    .addHelpText('after', '\nThe API and the portal are not affected.\n\nExample:\n  lotline console lock')
    .action(async (_options: object, command: Command) => {
      const ended = await withDatabase((database) => lockConsole(database, operatorOf(command)))
      print(command, { locked: true, ended: ended.map(({ id }) => id) }, [
        `The console is locked. ${ended.length} sessions have ended.`,
      ])
    })
}

export function unlockCommand(): Command {
  return new Command('unlock')
    .description('Unlock the console. Sessions and links from before the lock stay ended.')
    .addOption(operatorOption())
    .addHelpText('after', '\nExample:\n  lotline console unlock')
    .action(async (_options: object, command: Command) => {
      const changed = await withDatabase((database) => unlockConsole(database, operatorOf(command)))
      print(command, { locked: false, changed }, [
        changed ? 'The console is unlocked.' : 'Nothing was changed: the console was not locked.',
      ])
    })
}
