// spec/CHANGELOG.md, the history of the API for its users. New changes are written below `## Unreleased`; `release:spec`
// gives that heading the version, and `release:spec --publish` the day. The dated headings are the published versions.

import { ReleaseRefusal } from '../refused.ts'

const UNRELEASED = '## Unreleased'

/** Published versions, the newest first. */
export function publishedVersions(changelog: string): string[] {
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/gm)].map(
    ([, version = '']) => version,
  )
}

/** The text below a heading; undefined where there is no such heading. */
function textBelow(changelog: string, heading: string): string | undefined {
  const [, after] = `\n${changelog}`.split(`\n${heading}\n`)
  return after === undefined ? undefined : (after.split(/^## /m)[0] ?? '').trim()
}

/**
 * The change log with a heading for a version that is not published. It has one already after the first
 * `release:spec` of the version.
 * @throws ReleaseRefusal when nothing is written about the version, or in two places
 */
export function withBaseline(changelog: string, version: string): string {
  const heading = unpublished(version)
  const unreleased = textBelow(changelog, UNRELEASED)
  if (textBelow(changelog, heading)) {
    if (!unreleased) return changelog
    throw new ReleaseRefusal(
      `spec/CHANGELOG.md has both "${UNRELEASED}" and "${heading}": move the text below the second one.`,
    )
  }
  if (unreleased) return changelog.replace(`${UNRELEASED}\n`, `${heading}\n`)
  throw new ReleaseRefusal(
    `spec/CHANGELOG.md has no text below "${UNRELEASED}". Describe there what ${version} changes for API clients.`,
  )
}

/**
 * The change log with the day that a version was published.
 * @param day `YYYY-MM-DD`
 * @throws ReleaseRefusal when it has no heading for the unpublished version
 */
export function withPublication(changelog: string, version: string, day: string): string {
  const heading = unpublished(version)
  if (textBelow(changelog, heading)) return changelog.replace(`${heading}\n`, `## ${version} (${day})\n`)
  throw new ReleaseRefusal(`spec/CHANGELOG.md has no section "${heading}": run \`pnpm release:spec\` first.`)
}

function unpublished(version: string): string {
  return `## ${version} (not published)`
}
