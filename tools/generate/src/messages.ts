/**
 * Reads spec/messages.yaml, the texts of `error.message` by code and cause, and writes them as a module. Each code of the
 * contract has its entry there. Two more entries are no codes: `input`, which all codes of wrong input share, and `job`,
 * the ends of jobs that have no code of the API.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import type { ErrorCatalogue } from './read-errors.ts'
import { HEADER, property, quote } from './typescript-text.ts'

export type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>

const SHARED = 'input'
const BESIDE_CODES: readonly string[] = [SHARED, 'job']

/** undefined: there is no messages.yaml beside the contract. What is wrong with it goes into `faults`. */
export async function readMessages(
  specFile: string,
  catalogue: ErrorCatalogue,
  faults: string[],
): Promise<Messages | undefined> {
  const text = await readFile(join(dirname(specFile), 'messages.yaml'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const messages = parse(text) as Messages
  for (const code of [...BESIDE_CODES, ...catalogue.keys()])
    if (messages[code] === undefined) faults.push(`messages.yaml: ${code} has no messages`)
  for (const [code, causes] of Object.entries(messages)) {
    if (!BESIDE_CODES.includes(code) && !catalogue.has(code))
      faults.push(`messages.yaml: there is no error code ${code}`)
    for (const [cause, message] of Object.entries(causes)) {
      if (typeof message !== 'string' || !/^\S.*[.]$/.test(message))
        faults.push(`messages.yaml: ${code}.${cause} must be a sentence on one line`)
      if (code !== SHARED && messages[SHARED]?.[cause] !== undefined)
        faults.push(`messages.yaml: ${code}.${cause} has the name of a message that all input shares`)
    }
  }
  return messages
}

/** The text of `messages.ts`. */
export function writeMessages(messages: Messages): string {
  const codes = Object.entries(messages).map(([code, causes]) => {
    const lines = Object.entries(causes).map(([cause, text]) => `    ${property(cause, quote(text))},\n`)
    return `  ${property(code, lines.length === 0 ? '{}' : `{\n${lines.join('')}  }`)},\n`
  })
  return `${HEADER}
/** The templates of \`error.message\`, by code and cause; those of \`input\` are shared by the codes of wrong input. */
export const messageTemplates = {
${codes.join('')}} as const
`
}
