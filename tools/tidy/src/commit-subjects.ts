// The subject of a commit has at most 72 characters, so that no list of commits cuts it off. What does not fit is its body.

import { execFileSync } from 'node:child_process'

const MAX_SUBJECT = 72
/** Commits before it had longer subjects. */
const SINCE = '2026-11-27T03:15:00Z'

/** Subjects of commits since the law began that are too long, each with the hash of its commit. None where git has no history. */
export function findLongSubjects(root: string, since = SINCE): string[] {
  let log: string
  try {
    log = execFileSync('git', ['log', '--no-merges', `--since=${since}`, '--format=%h %s'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return []
  }
  return log.split('\n').filter((line) => line.slice(line.indexOf(' ') + 1).length > MAX_SUBJECT)
}
