// README.md as a script: its shell blocks, in their order and with the heading each stands under, run in one session.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { COMPILE_CACHE } from '../../setup/child-process.ts'

export const ROOT = join(import.meta.dirname, '../../../../..')
export const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

export interface Block {
  /** The heading it stands under. */
  readonly section: string
  readonly code: string
}

export interface Outcome extends Block {
  /** What it printed. */
  readonly output: string
  /** Exit code of its last command. */
  readonly status: number
}

/** All blocks marked as `sh`. */
export function shellBlocks(): Block[] {
  return README.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'))
    return [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => ({ section, code: code! }))
  })
}

/** Runs the blocks one after the other in one shell: variables set in one are there in the next. */
export async function runBlocks(
  blocks: readonly Block[],
  options: { readonly prelude: string; readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Outcome[]> {
  const mark = '@@ exit code'
  const script = [options.prelude, ...blocks.map(({ code }) => `${code}printf '\\n${mark} %s\\n' "$?"\n`)]
  const shell = spawn('sh', ['-c', script.join('\n')], {
    cwd: options.cwd,
    env: { ...COMPILE_CACHE, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Output and exit code of each block in turn.
  const pieces = (await text(shell.stdout)).split(new RegExp(`\\n${mark} (\\d+)\\n`))
  return blocks.map((block, at) => ({
    ...block,
    output: pieces[at * 2] ?? '',
    status: Number(pieces[at * 2 + 1] ?? Number.NaN),
  }))
}
