import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Files of the tree that git tracks or would track, as paths from the root. */
export function trackedFiles(root: string): string[] {
  return (
    execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      // git lists what was deleted and not yet committed, too.
      .filter((file) => file !== '' && existsSync(join(root, file)))
  )
}
