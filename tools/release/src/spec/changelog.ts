// spec/CHANGELOG.md, the history of the API in words for its users. What comes next is written below `## Unreleased`; a
// release gives that heading its version and date. So the file also says which versions are out.

import { Refused } from '../refused.ts'

const UNRELEASED = '## Unreleased'

/** Released versions, the newest first. */
export function releasedVersions(changelog: string): string[] {
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/gm)].map(
    ([, version = '']) => version,
  )
}

/** What is written below `## Unreleased`; empty where there is no such heading. */
export function unreleasedText(changelog: string): string {
  const [, after = ''] = `\n${changelog}`.split(`\n${UNRELEASED}\n`)
  return (after.split(/^## /m)[0] ?? '').trim()
}

/** @throws Refused when nothing is written about it */
export function withRelease(changelog: string, version: string, day: string): string {
  if (unreleasedText(changelog) === '') {
    throw new Refused(
      `spec/CHANGELOG.md says nothing below "${UNRELEASED}": write there what ${version} means to those who call the API.`,
    )
  }
  return changelog.replace(new RegExp(`^${UNRELEASED}$`, 'm'), `## ${version} (${day})`)
}
