// A copy of the repository's files, with links to the installed packages, in which a recipe makes its edits.

import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

export interface ScratchTree {
  read(file: string): string
  /** The files of a folder, by name. */
  list(folder: string): string[]
  write(file: string, text: string): void
  /** Inserts `text` before the only occurrence of `before`. */
  insert(file: string, before: string, text: string): void
  /** Repeats each line that has `word`, with `word` replaced. */
  repeatLines(file: string, word: string, replacement: string): void
  /** Runs Node in a folder of the copy. Resolves when it has ended, with all that it printed. */
  run(folder: string, ...args: string[]): Promise<{ readonly status: number | null; readonly output: string }>
  remove(): void
}

export function copyRepository(): ScratchTree {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lotline-recipes-')))
  const files = git(ROOT, 'ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate')
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)))
  for (const directory of new Set(files.map((file) => dirname(file))))
    mkdirSync(join(folder, directory), { recursive: true })
  for (const file of files) copyFileSync(join(ROOT, file), join(folder, file))
  linkPackages(folder)
  // The code rules ask git which files there are.
  git(folder, 'init', '--quiet')

  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  return {
    read,
    write,
    list: (of) =>
      readdirSync(join(folder, of))
        .toSorted()
        .map((name) => join(of, name)),
    insert(file, before, text) {
      const parts = read(file).split(before)
      if (parts.length !== 2)
        throw new Error(`${file} has ${parts.length - 1} times what the recipe looks for: ${before}`)
      write(file, parts.join(text + before))
    },
    repeatLines(file, word, replacement) {
      const lines = read(file).split('\n')
      if (!lines.some((line) => line.includes(word))) throw new Error(`${file} has no line with ${word}`)
      const repeated = lines.flatMap((line) =>
        line.includes(word) ? [line, line.replaceAll(word, replacement)] : [line],
      )
      write(file, repeated.join('\n'))
    },
    run(where, ...args) {
      const child = spawn(process.execPath, args, {
        cwd: join(folder, where),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
        })
      return new Promise((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (status) => resolve({ status, output }))
      })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Installed packages are linked. Packages of the workspace are those of the copy. */
function linkPackages(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const group of ['apps', 'packages', 'tools']) {
    for (const name of readdirSync(join(ROOT, group))) {
      const modules = join(group, name, 'node_modules')
      if (!existsSync(join(ROOT, modules))) continue
      mkdirSync(join(folder, modules, '@lotline'), { recursive: true })
      // Caches, such as clusters for tests, are the copy's own.
      for (const entry of readdirSync(join(ROOT, modules)))
        if (entry !== '@lotline' && !entry.startsWith('.'))
          symlinkSync(join(ROOT, modules, entry), join(folder, modules, entry))
      const own = join(ROOT, modules, '@lotline')
      for (const entry of existsSync(own) ? readdirSync(own) : []) {
        const inCopy = join(folder, relative(ROOT, realpathSync(join(own, entry))))
        symlinkSync(inCopy, join(folder, modules, '@lotline', entry))
      }
    }
  }
}

function git(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`)
  return stdout
}
