import { expect, it } from 'vitest'
import {
  type Ancestor,
  findLaunchers,
  lotlineCommand,
} from '../../../src/infrastructure/platform/launchers.ts'
import { README } from '../../process/start/readme.ts'

/** Processes from the parent upwards. */
function chain(...commands: string[]): string[] {
  const all = new Map<number, Ancestor>(
    commands.map((command, at) => [at + 10, { pid: at + 10, parent: at + 11, command }]),
  )
  return findLaunchers(10, (pid) => all.get(pid)).map(({ command }) => command)
}

const SHELL = 'sh -c node apps/api/src/process/main.ts'

it('finds the package managers and shells that started a process, and not the terminal that started them', () => {
  expect(
    chain(SHELL, 'pnpm start', 'sh -c pnpm start', 'npm exec pnpm@12.21.0 start', 'bash', 'sshd'),
  ).toEqual([SHELL, 'pnpm start', 'sh -c pnpm start', 'npm exec pnpm@12.21.0 start'])
  expect(chain('/bin/sh -c x', 'node /usr/lib/node_modules/npm/bin/npm-cli.js start', '-zsh')).toHaveLength(2)
})

it('finds no launcher if a service manager, a container, or a shell started the process', () => {
  expect(chain('/sbin/init')).toEqual([])
  expect(chain('bash', 'sshd')).toEqual([])
  expect(chain('node test-runner.ts', 'pnpm test', 'bash')).toEqual([])
  expect(chain()).toEqual([])
})

it('hints name the command from README.md in a checkout, and the program on PATH elsewhere', () => {
  const [, inReadme] = /^(npx -y pnpm@\S+ --silent lotline) /m.exec(README)!
  expect(lotlineCommand([{ pid: 10, parent: 11, command: 'pnpm start' }])).toBe(inReadme)
  expect(lotlineCommand([])).toBe('lotline')
})
