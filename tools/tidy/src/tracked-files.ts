import { execFileSync } from 'node:child_process'

/** Files of the tree that git tracks or would track, as paths from the root. */
export function trackedFiles(root: string): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '')
}
