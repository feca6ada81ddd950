import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const FIXTURE = join(import.meta.dirname, 'fixture')

export interface ContractCopy extends AsyncDisposable {
  readonly directory: string
  readonly specFile: string
  /** Replaces text in one of the copy's files; throws when the text is not there. */
  edit(file: string, from: string, to: string): Promise<void>
  /** Adds a file to the copy. */
  add(file: string, text: string): Promise<void>
}

/** A copy of the fixture contract to be edited, taken away at the end of its scope. */
export async function copyContract(): Promise<ContractCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'contract-'))
  await cp(FIXTURE, join(directory, 'spec'), { recursive: true })
  return {
    directory,
    specFile: join(directory, 'spec', 'openapi.yaml'),
    async edit(file, from, to) {
      const path = join(directory, 'spec', file)
      const text = await readFile(path, 'utf8')
      if (!text.includes(from)) throw new Error(`${file} does not contain: ${from}`)
      await writeFile(path, text.replace(from, to))
    },
    async add(file, text) {
      await writeFile(join(directory, 'spec', file), text)
    },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true })
    },
  }
}
