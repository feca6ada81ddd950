// The help of the command, and its answers to a wrong command line. Nothing here needs a database.

import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { lotline, withSubcommands } from '../../../src/interfaces/cli/program.ts'
import { lotlineProcess, lotlineWith } from './run-lotline.ts'

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

const verbs = withSubcommands(lotline()).filter((command) => command.commands.length === 0)

describe('the help', () => {
  it.each(verbs.map((verb) => [fullName(verb), verb] as const))(
    'of `%s` describes the command, with an example and the exit codes',
    (name, verb) => {
      expect(verb.description()).toMatch(/^[A-Z].*\.$/)
      const help = helpOf(verb)
      expect(help).toContain('--json')
      expect(help).toMatch(/Examples?:\n {2}/)
      expect(help).toContain(name)
      expect(help).toMatch(/^Exit codes: 0 success, 1 failure, 2 wrong command line\.$/m)
      for (const option of verb.options) expect(option.description, option.flags).not.toBe('')
    },
  )

  it('lists exactly the existing verbs', () => {
    expect(
      verbs
        .map(fullName)
        .filter((name) => !/ (jobs|webhooks) /.test(name))
        .sort(),
    ).toEqual(
      [
        ...['create', 'list', 'show', 'top', 'suspend', 'resume', 'set-plan'].map(
          (verb) => `lotline accounts ${verb}`,
        ),
        ...['create', 'update', 'list', 'revoke', 'rotate', 'readmit'].map((verb) => `lotline keys ${verb}`),
        ...['topup', 'adjust', 'refund', 'pending', 'history', 'audit', 'archive'].map(
          (verb) => `lotline credits ${verb}`,
        ),
        ...['import', 'list', 'remove'].map((verb) => `lotline areas ${verb}`),
        ...['list', 'show', 'pause'].map((verb) => `lotline watches ${verb}`),
        ...[
          'import',
          'imports',
          'held',
          'show',
          'release',
          'discard',
          'map',
          'remove',
          'revert',
          'stats',
          'changes',
        ].map((verb) => `lotline listings ${verb}`),
        ...['add', 'check', 'list', 'status', 'sync', 'pause', 'resume', 'remove'].map(
          (verb) => `lotline sources ${verb}`,
        ),
        ...['link', 'sessions', 'revoke', 'lock', 'unlock', 'trail'].map((verb) => `lotline console ${verb}`),
        ...['add', 'list', 'link', 'role', 'remove', 'shared-sign-in', 'credit-limit'].map(
          (verb) => `lotline operators ${verb}`,
        ),
        ...['link', 'invite'].map((verb) => `lotline portal ${verb}`),
        ...['list', 'approve', 'refuse', 'sync'].map((verb) => `lotline purchases ${verb}`),
        'lotline backup',
        'lotline restore',
      ].sort(),
    )
  })
})

describe('the command line', () => {
  const NOWHERE = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
  const run = lotlineWith(NOWHERE)

  it.each([
    [[], 2, /Usage: lotline/],
    [['--help'], 0, /Examples:/],
    [['--version'], 0, /^lotline \d+\.\d+\.\d+ \(API \d+\.\d+\.\d+, Node \d+\.\d+\.\d+\)$/m],
    [['accounts', '--help'], 0, /set-plan/],
    [['acounts'], 2, /Did you mean accounts/],
    [['accounts', 'create'], 2, /--plan/],
    [['accounts', 'create', '--plan', 'gold'], 2, /Allowed choices are free, monthly, annual, custom/],
    [['accounts', 'create', '--plan', 'free', '--credits', '-1'], 2, /whole number from 0/],
    [['accounts', 'create', '--plan', 'free', '--rate', '0'], 2, /whole number from 1/],
    [['accounts', 'create', '--plan', 'free', '--email', 'ana'], 2, /ana@example.com/],
    [['accounts', 'create', '--plan', 'free', '--deny', 'getAccount,getMoon'], 2, /no operation getMoon/],
    [['accounts', 'show'], 2, /name one account/],
    [['accounts', 'show', 'x'], 2, /takes an id/],
    [['accounts', 'show', crypto.randomUUID(), '--account', crypto.randomUUID()], 2, /name one account/],
    [['keys', 'revoke', 'lot_x'], 2, /id of a key/],
    [['watches', 'pause', 'x'], 2, /takes an id/],
    [['watches', 'list', '--status', 'idle'], 2, /Allowed choices are pending, active, paused, quarantined/],
    [['credits', 'topup', '--account', crypto.randomUUID()], 2, /--amount/],
    [['credits', 'adjust', '--account', crypto.randomUUID(), '--amount', '5'], 2, /--reason/],
    [
      ['credits', 'adjust', '--account', crypto.randomUUID(), '--amount', '0', '--reason', 'x'],
      2,
      /whole number/,
    ],
    [['accounts', 'list', '--colour'], 2, /unknown option/],
    // Only now would the database be asked.
    [['accounts', 'list'], 1, /cannot be reached/],
  ])('%j exits with %d', async (args, code, message) => {
    const ran = await run(...args)
    expect(ran.stdout + ran.stderr).toMatch(message)
    expect(ran.code).toBe(code)
    expect(ran.stderr).not.toMatch(/^\s+at /m)
  })

  it.each([
    [['--version'], 0, /^lotline \d/],
    [['acounts'], 2, /Did you mean accounts/],
    [['accounts', 'list'], 1, /cannot be reached/],
  ])('%j as a process exits with %d', async (args, code, message) => {
    const ran = await lotlineProcess(NOWHERE)(...args)
    expect(ran.stdout + ran.stderr).toMatch(message)
    expect(ran.code).toBe(code)
  })

  it('describes the problem in an invalid environment', async () => {
    const ran = await lotlineWith({ DATABASE_URL: 'mysql://x', PORT: 'door' })('accounts', 'list')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('PORT is "door"')
    expect(ran.stderr).toContain('DATABASE_URL')
    expect(ran.stderr).not.toContain('mysql')
  })
})
