import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plant } from './plant.ts'

export const SECRETS: readonly Plant[] = [
  {
    name: 'a key in the log',
    named: ['no secret in what is printed'],
    replace: async ({ secrets }, directory) => {
      const output = join(directory, 'planted.out')
      await writeFile(output, `{"msg":"who is ${secrets[0]!.text}?"}\n`)
      return { outputs: [output] }
    },
  },
  {
    name: 'a part of a key in the log',
    named: ['no secret in what is printed'],
    replace: async ({ secrets }, directory) => {
      const output = join(directory, 'planted.out')
      await writeFile(output, `{"msg":"who is …${secrets[0]!.text.slice(-16)}?"}\n`)
      return { outputs: [output] }
    },
  },
  {
    name: 'a secret in an answer',
    named: ['no secret in an answer'],
    change: (_, { answer }) => {
      answer[0]!.leaks = 'a key'
    },
  },
  {
    name: 'a key in a column of the database',
    named: ['no secret in the database'],
    statements: ({ secrets }) => [`update webhooks set description = 'of ${secrets[0]!.text}'`],
  },
  {
    name: 'the secret of a webhook that is not sealed',
    named: ['no secret in the database'],
    statements: ({ hookSecrets }) => {
      const bytes = Buffer.from([...hookSecrets.values()][0]!.replace('whsec_', ''), 'base64')
      return [`update webhook_secrets set sealed = '\\x${bytes.toString('hex')}'`]
    },
  },
  {
    name: 'a key in a file',
    named: ['no secret in the files'],
    replace: async ({ secrets }, directory) => {
      await writeFile(join(directory, 'planted.bin'), Buffer.from(`\0\0slot_${secrets[1]!.text}\0`))
      return { dataDirectories: [directory] }
    },
  },
]
