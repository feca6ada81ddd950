import { parseArgs } from 'node:util'
import { compareDocuments } from './compare-documents.ts'
import { findBase, readDocument, readSpec, UsageError } from './document.ts'
import { defaultPolicy, type Policy } from './policy.ts'
import { readPolicy } from './policy-file.ts'
import { writeJson, writeText } from './report.ts'

export const usage = `Usage: schema-diff --base FILE|FOLDER --head FILE [--policy FILE] [--json]
       schema-diff --rules [--policy FILE]

Compares two versions of an OpenAPI 3.1 document (JSON or YAML) and lists the changes that break API clients.

  --base    the older version: a bundled document, or a folder of releases
            (1.0.0.json, 1.1.0.json …), of which the highest is taken
  --head    the newer version; if it consists of several files, @redocly/cli bundles it
  --policy  a file that changes which kinds of change break clients
  --json    prints {breaking, harmless} as JSON
  --rules   prints each rule and whom it breaks

Exit code: 0 nothing breaks · 1 something breaks · 2 the comparison failed`

interface CliArguments {
  readonly base?: string | undefined
  readonly head?: string | undefined
  readonly policy?: string | undefined
  readonly json: boolean
  readonly rules: boolean
  readonly help: boolean
}

export interface Output {
  readonly write: (text: string) => void
  readonly complain: (text: string) => void
}

/** Runs the command. @returns its exit code, as `usage` describes it */
export async function run(texts: readonly string[], { write, complain }: Output): Promise<0 | 1 | 2> {
  try {
    const asked = parseArguments(texts)
    if (asked.help) {
      write(usage)
      return 0
    }
    const policy = asked.policy === undefined ? defaultPolicy : await readPolicy(asked.policy)
    if (asked.rules) {
      write(listRules(policy))
      return 0
    }
    return await compare(asked, policy, write)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    complain(error.message)
    return 2
  }
}

async function compare(asked: CliArguments, policy: Policy, write: Output['write']): Promise<0 | 1> {
  if (asked.base === undefined || asked.head === undefined) {
    throw new UsageError(`--base and --head are required.\n\n${usage}`)
  }
  const base = await readDocument(await findBase(asked.base))
  const head = await readSpec(asked.head)
  const report = { base: base.name, head: head.name, ...compareDocuments(base, head, policy) }
  write(asked.json ? writeJson(report) : writeText(report))
  return report.breaking.length > 0 ? 1 : 0
}

/** @throws UsageError when an option is unknown or lacks its file */
function parseArguments(texts: readonly string[]): CliArguments {
  try {
    const { values } = parseArgs({
      args: [...texts],
      options: {
        base: { type: 'string' },
        head: { type: 'string' },
        policy: { type: 'string' },
        json: { type: 'boolean', default: false },
        rules: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`)
  }
}

function listRules({ rules }: Policy): string {
  const width = Math.max(...[...rules.keys()].map(({ length }) => length))
  return [...rules].map(([rule, breaks]) => `${rule.padEnd(width)}  ${breaks}`).join('\n')
}
