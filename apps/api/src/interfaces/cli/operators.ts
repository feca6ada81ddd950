// Commands for named operators of the console, the shared sign-in, and the limit above which credits need a second person.

import { Command, InvalidArgumentError, Option } from 'commander'
import {
  addOperator,
  ENROLLMENT_MINUTES,
  type Enrollment,
  linkOperator,
  listOperators,
  type OperatorRefusal,
  type OperatorRole,
  ROLES,
  readConsoleAccess,
  removeOperator,
  SHARED_OPERATOR,
  setCreditLimit,
  setRole,
  setSharedSignIn,
} from '../../money/operator.ts'
import { operatorOf, operatorOption, reasonText, wholeNumber } from './arguments.ts'
import { baseUrl } from './console.ts'
import { CommandFailure, facts, print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

export function operatorsCommand(): Command {
  return new Command('operators')
    .description(
      'Add and remove named operators of the console, change their roles, and set what they may do alone.',
    )
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(linkCommand())
    .addCommand(roleCommand())
    .addCommand(removeCommand())
    .addCommand(sharedSignInCommand())
    .addCommand(creditLimitCommand())
}

const ROLE_HELP = `
Roles:
  support  reads accounts, calls, and purchases; suspends accounts; adds credits up to the limit
  finance  credits, plans, orders, approvals, and audits
  data     sources, the data set, and the state of the service
  owner    everything
`

function addCommand(): Command {
  return new Command('add')
    .description(
      `Add an operator, and make a link at which the browser makes a passkey. The link works once, for ${ENROLLMENT_MINUTES} minutes.`,
    )
    .argument('<name>', 'the name of the person, as in the trail', reasonText)
    .addOption(new Option('--role <role>', 'what the operator may do').choices(ROLES).makeOptionMandatory())
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `${ROLE_HELP}
Send the link to the operator through a channel that no other person reads: anyone who has it can make the passkey.

Example:
  lotline operators add "Ana Lopez" --role finance`,
    )
    .action(async (name: string, { role }: { readonly role: OperatorRole }, command: Command) => {
      const url = enrollmentUrl()
      const added = await withDatabase((database) => addOperator(database, operatorOf(command), name, role))
      if (!added.done) throw new CommandFailure(REFUSALS[added.because](name))
      printLink(command, url, added.value)
    })
}

function linkCommand(): Command {
  return new Command('link')
    .description(
      `Make a link for a further passkey of an operator. It works once, for ${ENROLLMENT_MINUTES} minutes.`,
    )
    .argument('<name>', 'the name of the operator', reasonText)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
The passkeys that the operator has continue to work. If one was lost or stolen, remove the operator and add him again.

Example:
  lotline operators link "Ana Lopez"`,
    )
    .action(async (name: string, _options: object, command: Command) => {
      const url = enrollmentUrl()
      const made = await withDatabase((database) => linkOperator(database, operatorOf(command), name))
      if (!made.done) throw new CommandFailure(REFUSALS[made.because](name))
      printLink(command, url, made.value)
    })
}

/** Browsers make no passkeys for addresses, only for names. */
function enrollmentUrl(): string {
  return baseUrl().replace(/^http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\])(?=:|$)/, 'http://localhost')
}

function printLink(command: Command, base: string, { named, link }: Enrollment): void {
  const url = `${base}/enroll/${link.token}`
  const json = { operator: named.name, role: named.role, url, expires_at: link.expiresAt }
  print(command, json, [
    ...facts([
      ['operator', named.name],
      ['role', named.role],
      ['link', url],
      ['expires', link.expiresAt],
    ]),
    '',
    'The link makes a passkey once. Only its hash is stored, and it is not shown again.',
  ])
}

function listCommand(): Command {
  return new Command('list')
    .description(
      `List the operators with their roles and passkeys. "${SHARED_OPERATOR}" is the shared sign-in by link (lotline console link).`,
    )
    .addHelpText('after', '\nExample:\n  lotline operators list')
    .action(async (_options: object, command: Command) => {
      const { operators, access } = await withDatabase(async (database) => ({
        operators: await listOperators(database),
        access: await readConsoleAccess(database),
      }))
      const shared = access.hasSharedSignIn ? 'link' : 'off'
      const json = [
        { name: SHARED_OPERATOR, role: 'owner', sign_in: shared },
        ...operators.map(({ name, role, passkeys, createdAt, lastSignIn }) => ({
          name,
          role,
          sign_in: 'passkey',
          passkeys,
          created_at: createdAt,
          last_sign_in_at: lastSignIn,
        })),
      ]
      print(
        command,
        json,
        table(
          ['NAME', 'ROLE', 'SIGN-IN', 'PASSKEYS', 'ADDED', 'LAST SIGN-IN'],
          [
            [SHARED_OPERATOR, 'owner', shared, null, null, null],
            ...operators.map(({ name, role, passkeys, createdAt, lastSignIn }) => [
              name,
              role,
              'passkey',
              passkeys,
              createdAt,
              lastSignIn,
            ]),
          ],
        ),
      )
    })
}

function roleCommand(): Command {
  return new Command('role')
    .description('Give an operator another role. His sessions end; he signs in again.')
    .argument('<name>', 'the name of the operator', reasonText)
    .argument('<role>', ROLES.join(', '), roleText)
    .addOption(operatorOption())
    .addHelpText('after', `${ROLE_HELP}\nExample:\n  lotline operators role "Ana Lopez" owner`)
    .action(async (name: string, role: OperatorRole, _options: object, command: Command) => {
      const changed = await withDatabase((database) => setRole(database, operatorOf(command), name, role))
      if (!changed.done) throw new CommandFailure(REFUSALS[changed.because](name))
      const { named, ended } = changed.value
      print(command, { operator: named.name, role, ended_sessions: ended.length }, [
        `${named.name} has the role ${role}. ${ended.length} sessions have ended.`,
      ])
    })
}

function roleText(text: string): OperatorRole {
  const role = ROLES.find((one) => one === text)
  if (role === undefined) throw new InvalidArgumentError(`It takes one of ${ROLES.join(', ')}.`)
  return role
}

function removeCommand(): Command {
  return new Command('remove')
    .description('Remove an operator with his passkeys. His sessions end at once. The trail keeps his name.')
    .argument('<name>', 'the name of the operator', reasonText)
    .addOption(operatorOption())
    .addHelpText('after', '\nExample:\n  lotline operators remove "Ana Lopez"')
    .action(async (name: string, _options: object, command: Command) => {
      const removed = await withDatabase((database) => removeOperator(database, operatorOf(command), name))
      if (!removed.done) throw new CommandFailure(REFUSALS[removed.because](name))
      const { named, ended } = removed.value
      print(command, { operator: named.name, ended_sessions: ended.length }, [
        `${named.name} was removed. ${ended.length} sessions have ended.`,
      ])
    })
}

const REFUSALS: Readonly<Record<OperatorRefusal, (name: string) => string>> = {
  unknown: (name) =>
    `There is no operator ${JSON.stringify(name)}. To list them, run: lotline operators list`,
  taken: (name) => `There is an operator ${JSON.stringify(name)} already. Choose another name.`,
  reserved: () => `"${SHARED_OPERATOR}" is the shared sign-in. Choose another name.`,
  'last owner': (name) =>
    `${name} is the last owner with a passkey, and the shared sign-in is off, so no one else could sign in as an owner. ` +
    'First add an owner, or run: lotline operators shared-sign-in on',
}

function sharedSignInCommand(): Command {
  return new Command('shared-sign-in')
    .description(
      'Turn the shared sign-in by link (lotline console link) on or off. Off needs an owner with a passkey, and ends its sessions.',
    )
    .addArgument(new Command().createArgument('<state>', 'on or off').choices(['on', 'off']))
    .addOption(operatorOption())
    .addHelpText(
      'after',
      '\nWhile there are no named operators, the shared sign-in works in any case.\n\nExample:\n  lotline operators shared-sign-in off',
    )
    .action(async (state: 'on' | 'off', _options: object, command: Command) => {
      const changed = await withDatabase((database) =>
        setSharedSignIn(database, operatorOf(command), state === 'on'),
      )
      if (!changed.done)
        throw new CommandFailure(
          'No operator could sign in as an owner. First add one, and open the link: lotline operators add NAME --role owner',
        )
      print(command, { shared_sign_in: state, ended_sessions: changed.ended.length }, [
        `The shared sign-in is ${state}. ${changed.ended.length} sessions have ended.`,
      ])
    })
}

function creditLimitCommand(): Command {
  return new Command('credit-limit')
    .description(
      'Set the most credits that an operator may move at a time alone. More wait for a second person, who approves them in the console.',
    )
    .argument('<credits>', 'a whole number of credits, or "off"', limitText)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
It counts for top-ups, adjustments, refunds, changes of plans, and approvals of orders, by commands and in the console, while
there are named operators. Without a limit, operators with the role support may move no credits alone, and all others any number.

Examples:
  lotline operators credit-limit 5000
  lotline operators credit-limit off`,
    )
    .action(async (limit: number | null, _options: object, command: Command) => {
      const { before, hasOperators } = await withDatabase(async (database) => ({
        before: await setCreditLimit(database, operatorOf(command), limit),
        hasOperators: (await readConsoleAccess(database)).hasOperators,
      }))
      print(command, { credit_limit: limit, before }, [
        limit === null
          ? 'There is no limit.'
          : `A change of more than ${limit} credits needs a second person.`,
        ...(limit !== null && !hasOperators
          ? ['There are no named operators yet, so there is no second person, and the limit has no effect.']
          : []),
      ])
    })
}

function limitText(text: string): number | null {
  return text === 'off' ? null : wholeNumber(0)(text)
}
