// Lines of the list of released migrations that are gone. The list itself cannot show it, so the history of git does: from the commit of
// schema 1 on, which is in a file beside the list, each line that a commit or the working tree removes is a breach.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const DATABASE = 'apps/api/src/infrastructure/database'
export const RELEASED = `${DATABASE}/released-migrations.sha256`
/** The hash of the commit that released schema 1. */
export const SCHEMA_1 = `${DATABASE}/schema-1.commit`

/** The removed lines, each once. Git does not have the commit in a shallow copy: then the list is empty. */
export function findRemovedReleases(root: string): string[] {
  try {
    const commit = readFileSync(`${root}/${SCHEMA_1}`, 'utf8').trim()
    const list = readFileSync(`${root}/${RELEASED}`, 'utf8').split('\n')
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const changes = [
      git('log', '-p', '--format=', `${commit}..HEAD`, '--', RELEASED),
      git('diff', 'HEAD', '--', RELEASED),
    ]
    const removed = changes.flatMap((diff) =>
      [...diff.matchAll(/^-([0-9a-f]{64} {2}\S+)$/gm)].map((match) => match[1]!),
    )
    return [...new Set(removed)].filter((line) => !list.includes(line))
  } catch {
    return []
  }
}
