// Asks for confirmation before an action that cannot be undone. On a terminal it asks; a program passes --yes.

import { createInterface } from 'node:readline/promises'
import { CommandFailure } from './print.ts'

export interface ConfirmOptions {
  /** Set by --yes. */
  readonly yes?: boolean | undefined
}

/** The input and output of the question. Tests replace the terminal. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined }
}

/** The option, with the same wording in every command. */
export const YES = ['--yes', 'do not ask for confirmation'] as const

/**
 * Returns if the operator confirms. @param what a sentence that says what will happen and that it cannot be undone @throws {CommandFailure}
 * if the operator declines (exit code 1), or without a terminal (exit code 2)
 */
export async function confirm(
  what: string,
  { yes }: ConfirmOptions,
  // The question goes to stderr, because stdout may be redirected to a file or a program.
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (yes) return
  if (!input.isTTY || !output.isTTY) throw new CommandFailure(`${what} Add --yes to do it.`, 2)
  const lines = createInterface({ input, output })
  try {
    const answer = await lines.question(`${what} Continue? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure('Nothing was changed.')
  } finally {
    lines.close()
  }
}
