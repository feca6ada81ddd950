// The option --limits: a JSON object, or a file that contains one.

import { readFile } from 'node:fs/promises'
import { parseLimits, type SourceLimits } from '../../../data/imports.ts'
import { CommandFailure } from '../print.ts'

/** @throws {CommandFailure} if there are no usable limits */
export async function readLimits(given: string): Promise<Partial<SourceLimits>> {
  const text = given.trimStart().startsWith('{') ? given : await readText(given)
  const limits = parseLimits(parsed(text))
  if (typeof limits === 'string') throw new CommandFailure(`--limits: ${limits}.`, 2)
  return limits
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(`--limits: ${file} cannot be read (${(error as { code?: unknown }).code}).`, 2)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure('--limits: this is not JSON.', 2)
  }
}
