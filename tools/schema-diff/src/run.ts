import { access, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Allowance, applyAllowList, readAllowList } from './allow-list.ts'
import { type Arguments, parseArguments, usage } from './arguments.ts'
import { bundleWorkingSpec } from './bundle-working-spec.ts'
import { compareDocuments } from './compare-documents.ts'
import { findLastRelease } from './last-release.ts'
import { readDocument } from './read-document.ts'
import { type Report, writeJson } from './report-json.ts'
import { writeText } from './report-text.ts'
import { UsageError } from './usage-error.ts'

export interface Surroundings {
  /** The folder that holds `spec`. */
  readonly root: string
  readonly write: (text: string) => void
  readonly complain: (text: string) => void
}

/** Runs the command. @returns its exit code, whose meaning `usage` tells */
export async function run(texts: readonly string[], around: Surroundings): Promise<0 | 1 | 2> {
  try {
    const asked = parseArguments(texts)
    if (asked.help) {
      around.write(usage)
      return 0
    }
    const report = await compare(asked, around.root)
    around.write(asked.json ? writeJson(report) : writeText(report))
    return report.breaking.length > 0 || report.stale ? 1 : 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    around.complain(error.message)
    return 2
  }
}

async function compare(asked: Arguments, root: string): Promise<Report> {
  const baseFile = asked.base ?? (await findLastRelease(root))
  if (baseFile === undefined) {
    throw new UsageError(
      `There is no release to compare with: spec/releases holds no bundle such as 1.0.0.json. Name one with --base.`,
    )
  }
  const base = await readDocument(baseFile, asked.base ?? relative(root, baseFile))
  const head = asked.head === undefined ? await bundleWorkingSpec(root) : await readDocument(asked.head)
  const { file, entries } = await allowListFor(asked, baseFile, root)
  const { breaking, harmless } = compareDocuments(base, head)
  const sifted = applyAllowList(breaking, entries)
  // The list in spec/releases accounts for the working spec: against another head its entries may well be idle.
  const accountsForHead = asked.allow !== undefined || asked.head === undefined
  return {
    base: base.name,
    head: head.name,
    harmless,
    ...sifted,
    allowList: file,
    stale: accountsForHead && sifted.unmatched.length > 0,
  }
}

async function allowListFor(
  asked: Arguments,
  baseFile: string,
  root: string,
): Promise<{ file: string | undefined; entries: readonly Allowance[] }> {
  if (asked.allow !== undefined) return { file: asked.allow, entries: await readAllowList(asked.allow) }
  const lastRelease = await findLastRelease(root)
  if (lastRelease === undefined || (await realpath(baseFile)) !== (await realpath(lastRelease))) {
    return { file: undefined, entries: [] }
  }
  const file = join(root, 'spec', 'releases', 'unreleased.yaml')
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  return { file: relative(root, file), entries: exists ? await readAllowList(file) : [] }
}
